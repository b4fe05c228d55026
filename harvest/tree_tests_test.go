package harvest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTestFilesOfAModule(t *testing.T) {
	files := fstest.MapFS{".gitignore": {Data: []byte("ignored/\n")}, "link_test.py": {Mode: os.ModeSymlink, Data: []byte("b.py")}}
	for _, name := range []string{
		"src/pkg/x.py", "src/pkg/test_x.py", "src/pkg/x_test.py", "src/pkg/tests/test_x.py", "tests/pkg/test_x.py", "tests/test_x.py", "pkg/tests/test_x.py",
		"src/pkg/_y.py", "test/test_y.py", "src/pkg/__init__.py", "tests/test_pkg.py", "ignored/z.py", "ignored/test_z.py", "left/w.py", "left/test_w.py",
		"link.py", "long.py", "test_long.py",
	} {
		files[name] = &fstest.MapFile{Data: []byte("x = 1\n")}
	}
	files["test_long.py"].Data = make([]byte, maxTestBytes+1)
	tree := newTree(files)
	tree.config.Exclude = append(tree.config.Exclude, "left/**")
	for module, want := range map[string]string{
		"src/pkg/x.py":        "src/pkg/test_x.py src/pkg/x_test.py src/pkg/tests/test_x.py tests/pkg/test_x.py", // the nearest four
		"src/pkg/_y.py":       "test/test_y.py",
		"src/pkg/__init__.py": "tests/test_pkg.py",
		"src/pkg/test_x.py":   "", // a test itself
		"ignored/z.py":        "",
		"left/w.py":           "",
		"link.py":             "",
		"long.py":             "",
	} {
		var got []string
		for _, test := range tree.tests(module) {
			got = append(got, test.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has the tests %v, want %s", module, got, want)
		}
	}
}

// TestTestFilesGiveCases: calls in a tree's test files are cases of the functions that they are about; opted-out files give none; a change of a
// test file is a change of what its module gives; a test file that the parser dies of costs itself.
func TestTestFilesGiveCases(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("src/pkg/x.py", "def rooted2(n):\n    return n * 2 + 3\n")
	write("src/pkg/tests/test_x.py", "from pkg.x import rooted2\n\nassert rooted2(4) == 11\n")
	write("tests/test_x.py", "import unittest\nfrom src.pkg.x import rooted2 as r\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(13, r(5))\n")
	source, err := SourceConfig{Type: "python", Path: dir, Include: []string{"src/pkg/x.py"}}.Open()
	if err != nil {
		t.Fatal(err)
	}
	digest := func() (tests string) {
		t.Helper()
		if err := source.Scan(t.Context(), func(l Listing) error { tests = l.Tests; return nil }); err != nil {
			t.Fatal(err)
		}
		return tests
	}
	cases := func(opts Options) (calls []string, facts map[string]int) {
		t.Helper()
		h := newHarvester(t, &localRuntime{python: interpreter(t), dir: t.TempDir()}, opts)
		result, err := h.Harvest(t.Context(), collect(t, source))
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, result)
		for _, u := range result.Units {
			for _, c := range u.Cases {
				calls = append(calls, fmt.Sprintf("%s %s %s", c.Generator, c.Call, c.Expected))
				if !Own(c.Generator) {
					t.Errorf("%s is no case of the source's own", c.Call)
				}
			}
		}
		return calls, result.Facts
	}
	calls, facts := cases(Options{})
	if want := []string{"test rooted2(4) 11", "test rooted2(5) 13"}; !slices.Equal(calls, want) || facts["tests.read"] != 2 {
		t.Errorf("cases %v, want %v; facts %v", calls, want, facts)
	}
	optOut := filepath.Join(t.TempDir(), "opt_out")
	if err := os.WriteFile(optOut, []byte("path:tests/**\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if calls, facts := cases(Options{Curation: Curation{OptOut: optOut}}); len(calls) != 1 || facts["tests.read"] != 1 {
		t.Errorf("with a test file that is opted out: %v, facts %v", calls, facts)
	}
	before := digest()
	write("tests/test_x.py", "from pkg.x import rooted2\nassert rooted2(6)\n")
	if before == "" || digest() == before {
		t.Errorf("the digest of the tests is %q, and after a change %q", before, digest())
	}
	write("src/pkg/x.py", "def rooted2(n):\n    return n * 2 + 3\n\nassert rooted2(0) == 3\n")
	write("tests/test_x.py", "x = "+strings.Repeat("-", 400_000)+"1\n")
	if calls, facts := cases(Options{}); !slices.Contains(calls, "assert rooted2(0) 3") || facts["tests.broken"]+facts["tests.left"] == 0 {
		t.Errorf("with a test file that cannot be parsed: %v, facts %v", calls, facts)
	}
}
