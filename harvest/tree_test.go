package harvest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestGlob(t *testing.T) {
	for _, test := range []struct {
		glob, path string
		want       bool
	}{
		{"**/*.py", "a.py", true},
		{"**/*.py", "a/b/c.py", true},
		{"**/*.py", "a/b/c.pyc", false},
		{"*.py", "a/b.py", false},
		{"a/**", "a/b/c.py", true},
		{"a/**/z.py", "a/z.py", true},
		{"**/.*/**", "x/.git/hooks/a.py", true},
		{"**/.*/**", "x/git/a.py", false},
		{"**", "", true},
		{"a", "a/b", false},
	} {
		if got := matchGlob(test.glob, test.path); got != test.want {
			t.Errorf("%s matches %s: %t", test.glob, test.path, got)
		}
	}
}

// brokenFS fails to open some files and to list some directories.
type brokenFS struct {
	fstest.MapFS
	broken string
}

func (b brokenFS) Open(name string) (fs.File, error) {
	if name == b.broken {
		return nil, &fs.PathError{Op: "open", Path: "/somewhere/" + name, Err: fs.ErrPermission}
	}
	return b.MapFS.Open(name)
}

func (b brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.broken {
		return nil, &fs.PathError{Op: "open", Path: "/somewhere/" + name, Err: fs.ErrPermission}
	}
	return b.MapFS.ReadDir(name)
}

func newTree(root fs.FS) *tree {
	return &tree{config: SourceConfig{Type: "python", Name: "t", Path: "t", MaxItemBytes: 10}.WithDefaults(), root: root, start: "."}
}

func TestTree(t *testing.T) {
	file := &fstest.MapFile{Data: []byte("x = 1\n")}
	files := fstest.MapFS{
		"b.py": file, "a/z.py": file, "a/y.txt": file, "a-b/x.py": file, ".git/hooks/g.py": file, "a/__pycache__/c.py": file,
		"long.py": {Data: []byte("x = 1111111\n")},
		"link.py": {Mode: fs.ModeSymlink, Data: []byte("b.py")},
	}
	for _, test := range []struct {
		broken string
		want   string
	}{
		{"", "a/z.py a-b/x.py b.py long.py:too_long"},
		{"a/z.py", "a/z.py:unreadable a-b/x.py b.py long.py:too_long"},
		{"a", "a:unreadable a-b/x.py b.py long.py:too_long"},
	} {
		var got []string
		for _, item := range collect(t, newTree(brokenFS{files, test.broken})) {
			name := item.Path
			if item.Err != nil {
				name += ":" + string(item.Err.Reason)
				if strings.Contains(item.Err.Detail, "somewhere") {
					t.Errorf("the detail names a directory of the machine: %s", item.Err.Detail)
				}
			} else if string(item.Source) != "x = 1\n" {
				t.Errorf("%s holds %q", item.Path, item.Source)
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("with %q broken: %v, want %s", test.broken, got, test.want)
		}
	}
	var config *ConfigError
	err := newTree(brokenFS{files, "."}).Scan(t.Context(), func(Listing) error { return nil })
	if !errors.As(err, &config) || !strings.Contains(err.Error(), "may not be listed") {
		t.Errorf("a root that cannot be listed: %v", err)
	}
}

// TestUnreadable is the same with a real file system, where permissions hold.
func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the superuser may read everything")
	}
	dir := t.TempDir()
	for _, name := range []string{"a.py", "b.py"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x = 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "a.py"), 0); err != nil {
		t.Fatal(err)
	}
	source, err := SourceConfig{Type: "python", Path: dir}.Open()
	if err != nil {
		t.Fatal(err)
	}
	items := collect(t, source)
	if len(items) != 2 || items[0].Err == nil || items[0].Err.Reason != Unreadable || items[1].Err != nil {
		t.Errorf("items are %+v", items)
	}
}

// TestTreeRanges: a range in the middle is the same with marks and without.
func TestTreeRanges(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 3000 {
		files[fmt.Sprintf("d%d/e%d/%d.py", i%7, i%11, i)] = &fstest.MapFile{Data: []byte("x = 1\n")}
	}
	marked := newTree(files)
	var all []string
	if err := marked.Scan(t.Context(), func(l Listing) error { all = append(all, l.Path); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(all) != 3000 || len(marked.marks) != 3 {
		t.Fatalf("%d files and %d marks", len(all), len(marked.marks))
	}
	for _, at := range [][2]int{{0, 1}, {1023, 1025}, {1024, 1024}, {2047, 2060}, {2999, 3000}, {500, 2500}} {
		for name, source := range map[string]*tree{"marked": marked, "new": newTree(files)} {
			n := at[0]
			for item, err := range source.Items(t.Context(), at[0], at[1]) {
				if err != nil || item.Path != all[n] {
					t.Fatalf("%s, item %d: %s, %v, want %s", name, n, item.Path, err, all[n])
				}
				n++
			}
			if n != at[1] {
				t.Errorf("%s: items %d to %d end at %d", name, at[0], at[1], n)
			}
		}
	}
	var last error
	for _, err := range marked.Items(t.Context(), 2999, 3001) {
		last = err
	}
	if !errors.Is(last, io.ErrUnexpectedEOF) {
		t.Errorf("a file that is gone: %v", last)
	}
}
