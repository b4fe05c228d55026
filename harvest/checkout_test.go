package harvest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// git runs git in a directory, without anything that this machine configures; the test is skipped where there is no git.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("git is not on PATH, and CI must have it")
		}
		t.Skip("git is not on PATH")
	}
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_DIR=", "GIT_INDEX_FILE=", "GIT_WORK_TREE=")
	cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool {
		return strings.HasPrefix(v, "GIT_DIR") || strings.HasPrefix(v, "GIT_INDEX") || strings.HasPrefix(v, "GIT_WORK")
	})
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func writeTree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func openPython(t testing.TB, config SourceConfig) []Item {
	t.Helper()
	config.Type = "python"
	source, err := config.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	return collect(t, source)
}

// TestCheckout: each file has the revision and the remote of the checkout that it is in, however git keeps them.
func TestCheckout(t *testing.T) {
	root := t.TempDir()
	one := filepath.Join(root, "one")
	writeTree(t, one, map[string]string{"a.py": "x = 1\n", "sub/b.py": "x = 1\n"})
	git(t, one, "init", "-q", "-b", "main")
	git(t, one, "remote", "add", "origin", "https://user:secret@example.org/owner/one.git")
	git(t, one, "add", "-A")
	git(t, one, "commit", "-q", "-m", "first")
	head := git(t, one, "rev-parse", "HEAD")
	revisions := func() string {
		var got []string
		for _, item := range openPython(t, SourceConfig{Path: root}) {
			got = append(got, fmt.Sprintf("%s %s %s", item.Path, item.Repo, item.Revision))
		}
		return strings.Join(got, "\n")
	}
	want := func(of string) string {
		return fmt.Sprintf("one/a.py example.org/owner/one %s\none/sub/b.py example.org/owner/one %[1]s", of)
	}
	if got := revisions(); got != want(head) {
		t.Errorf("a loose reference:\n%s", got)
	}
	git(t, one, "pack-refs", "--all")
	if got := revisions(); got != want(head) {
		t.Errorf("a packed reference:\n%s", got)
	}
	git(t, one, "checkout", "-q", "--detach")
	if got := revisions(); got != want(head) {
		t.Errorf("a detached head:\n%s", got)
	}
	git(t, one, "worktree", "add", "-q", "-b", "other", filepath.Join(root, "linked"))
	git(t, filepath.Join(root, "linked"), "commit", "-q", "--allow-empty", "-m", "second")
	second := git(t, filepath.Join(root, "linked"), "rev-parse", "HEAD")
	if got := revisions(); second == head || !strings.Contains(got, "linked/a.py example.org/owner/one "+second) || !strings.Contains(got, want(head)) {
		t.Errorf("a linked working tree, at %s:\n%s", second, got)
	}
	git(t, one, "submodule", "--quiet", "add", one, "inner")
	if got := revisions(); !strings.Contains(got, "one/inner/a.py  "+head) {
		t.Errorf("a submodule:\n%s", got)
	}
	for _, item := range openPython(t, SourceConfig{Path: one, Repo: "r", Revision: "v"}) {
		if item.Repo != "r" || item.Revision != "v" {
			t.Errorf("the config does not win: %s %s", item.Repo, item.Revision)
		}
	}
	for _, item := range openPython(t, SourceConfig{Path: filepath.Join(one, "sub")}) {
		if item.Repo != "" || item.Revision != "" {
			t.Errorf("what is above a source is read: %s %s", item.Repo, item.Revision)
		}
	}
}

func TestCheckoutHostile(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a reference out of the checkout": {".git/HEAD": "ref: ../../secret\n", "secret": strings.Repeat("a", 40)},
		"a loop":                          {".git/HEAD": "ref: refs/heads/a\n", ".git/refs/heads/a": "ref: refs/heads/a\n"},
		"no hash":                         {".git/HEAD": "deadbeef\n"},
		"nothing":                         {".git/HEAD": ""},
		"a directory":                     {".git/HEAD/x": ""},
		"gitdir of nothing":               {".git": "gitdir: nowhere\n"},
		"a remote on this machine":        {".git/HEAD": "ref: refs/heads/main", ".git/config": "[remote \"origin\"]\n\turl = /home/somebody/repo\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files["a.py"] = "x = 1\n"
			writeTree(t, dir, files)
			for _, item := range openPython(t, SourceConfig{Path: dir}) {
				if item.Revision != "" || item.Repo != "" || item.Err != nil {
					t.Errorf("%+v", item)
				}
			}
		})
	}
}

// TestGitignore: what is taken of a tree is what git does not ignore of it.
func TestGitignore(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		".gitignore": "\ufeff# a comment\n*.gen.py\n!keep.gen.py\n/root.py\r\nbuild/\nfoo/bar\n**/deep/x.py\nall/**\na/**/z.py\n\\#hash.py\n\\!bang.py\nspace.py   \n" +
			"[ab]1.py\n[!c]2.py\nq?.py\ndir-only.py/\nlogs/*\n!logs/kept.py\n/\nunclosed[\n\n",
		"sub/.gitignore":    "!root.py\nlocal.py\n/here.py\n!*.gen.py\n",
		".git/info/exclude": "",
		"outer/.gitignore":  "*\n!.gitignore\n",
	}
	for _, name := range []string{
		"x.gen.py", "keep.gen.py", "root.py", "build/a.py", "build.py", "sub/build/a.py", "foo/bar/a.py", "sub/foo/bar/a.py", "deep/x.py",
		"p/deep/x.py", "all/a.py", "all/b/c.py", "a/z.py", "a/b/z.py", "a/b/c/z.py", "a/y.py", "#hash.py", "!bang.py", "space.py", "a1.py", "c1.py", "c2.py",
		"d2.py", "qq.py", "q.py", "dir-only.py", "p/dir-only.py/a.py", "logs/a.py", "logs/kept.py", "logs/d/kept.py", "sub/root.py", "sub/local.py", "sub/p/local.py",
		"sub/here.py", "sub/p/here.py", "sub/y.gen.py", "excluded.py", "outer/a.py", "outer/b/c.py", "unclosed[.py",
	} {
		files[name] = "x = 1\n"
	}
	writeTree(t, dir, files)
	git(t, dir, "init", "-q")
	writeTree(t, dir, map[string]string{".git/info/exclude": "excluded.py\n"})
	var want []string
	for name := range strings.SplitSeq(git(t, dir, "-c", "core.quotePath=false", "ls-files", "-o", "--exclude-standard", "-z"), "\x00") {
		if strings.HasSuffix(name, ".py") {
			want = append(want, name)
		}
	}
	slices.SortFunc(want, comparePaths)
	var got []string
	for _, item := range openPython(t, SourceConfig{Path: dir}) {
		got = append(got, item.Path)
	}
	if !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("taken are\n%s\ngit takes\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	all := openPython(t, SourceConfig{Path: dir, IncludeIgnored: true})
	if len(all) != len(files)-4 {
		t.Errorf("%d files with what is ignored, want %d", len(all), len(files)-4)
	}
	// A checkout in a tree is ruled by its own files only, and a range in the middle by the same as the whole.
	writeTree(t, dir, map[string]string{"other/.git/HEAD": "x", "other/root.py": "", "other/a1.py": "", ".gitignore": "*1.py\n"})
	got = nil
	for _, item := range openPython(t, SourceConfig{Path: dir, Include: []string{"other/*.py"}}) {
		got = append(got, item.Path)
	}
	if !slices.Equal(got, []string{"other/a1.py", "other/root.py"}) {
		t.Errorf("of a checkout in a tree: %v", got)
	}
}

func TestKinds(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{}
	want := map[string]Kind{
		"a.py": KindCode, "src/contest.py": KindCode, "test_a.py": KindTest, "pkg/a_test.py": KindTest, "tests/a.py": KindTest, "conftest.py": KindTest,
		"lib/_vendor/six.py": KindVendored, "third_party/x/test_y.py": KindVendored, "venv/lib/site-packages/p.py": KindVendored,
	}
	for name := range want {
		files[name] = "x = 1\n"
	}
	writeTree(t, dir, files)
	for _, kinds := range [][]Kind{nil, {KindCode}, {KindCode, KindTest, KindVendored}} {
		config := SourceConfig{Type: "python", Path: dir, Kinds: kinds}
		taken := config.WithDefaults().Kinds
		items := openPython(t, config)
		if len(items) != len(want) {
			t.Fatalf("%d items, want %d", len(items), len(want))
		}
		for _, item := range items {
			dropped := item.Err != nil && item.Err.Reason == OtherKind
			if item.Kind != want[item.Path] || dropped == slices.Contains(taken, item.Kind) {
				t.Errorf("with %v, %s is %s, %v", kinds, item.Path, item.Kind, item.Err)
			}
		}
	}
}
