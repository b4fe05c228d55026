package harvest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// TestFile is a file of tests of an item's module, beside it in its tree.
type TestFile struct {
	Path   string `json:"path"`   // in the tree
	Source []byte `json:"source"` // in the encoding that it declares
}

const (
	maxTestFiles = 4         // of a module: the nearest
	maxTestBytes = 512 << 10 // a longer one is data
	maxTestDirs  = 8         // above a module in which a directory of tests is looked for
)

var testsDirs = []string{"tests", "test"}

// tests are the test files of a module, nearest first, by the conventions of their names: test_x.py or x_test.py beside x.py, in a directory
// of tests beside it or above, or there where the module is in the tree: tests/pkg/test_x.py of src/pkg/x.py.
// What excludes, .gitignore files and links keep out of the tree is none.
func (t *tree) tests(module string) []TestFile {
	if t.start != "." || kindOf(module) != KindCode || path.Ext(module) != ".py" {
		return nil
	}
	var found []TestFile
	for _, dir := range t.testDirs(path.Dir(module)) {
		for _, name := range testNames(module) {
			file := path.Join(dir, name)
			if len(found) == maxTestFiles {
				return found
			}
			if !t.is(file, fs.FileMode.IsRegular) || !t.holds(file) {
				continue
			}
			if source, err := t.readAtMost(file, maxTestBytes); err == nil && len(source) <= maxTestBytes {
				found = append(found, TestFile{Path: file, Source: source})
			}
		}
	}
	return found
}

// testNames are what files with tests of a module are called. A package's tests have its name.
func testNames(module string) []string {
	stem := strings.TrimSuffix(path.Base(module), ".py")
	if stem == "__init__" {
		stem = path.Base(path.Dir(module))
	}
	names := []string{"test_" + stem + ".py", stem + "_test.py"}
	if public := strings.TrimLeft(stem, "_"); public != stem && public != "" {
		names = append(names, "test_"+public+".py", public+"_test.py")
	}
	return names
}

// testDirs are the directories that may hold tests of a module in a directory, nearest first.
func (t *tree) testDirs(dir string) []string {
	dirs := []string{dir}
	below := "" // from the directory above to dir
	for n, above := 0, dir; n < maxTestDirs; n++ {
		for _, name := range testsDirs {
			tests := path.Join(above, name)
			if !t.is(tests, fs.FileMode.IsDir) {
				continue
			}
			// src/pkg/sub is tests/pkg/sub as often as tests/src/pkg/sub.
			for rest := below; ; {
				dirs = append(dirs, path.Join(tests, rest))
				if rest == "" {
					break
				}
				_, rest, _ = strings.Cut(rest, "/")
			}
		}
		if above == "." {
			break
		}
		below = path.Join(path.Base(above), below)
		above = path.Dir(above)
	}
	return dirs
}

// is says what a path is, where a link is neither a file nor a directory.
func (t *tree) is(name string, kind func(fs.FileMode) bool) bool {
	info, err := fs.Lstat(t.root, name)
	return err == nil && kind(info.Mode())
}

// holds says whether a file is one of the tree: a walk would come to it, whatever it includes.
func (t *tree) holds(file string) bool {
	in := levels{t.enter(".")}
	for i, c := range file {
		if c != '/' {
			continue
		}
		dir := file[:i]
		if !t.is(dir, fs.FileMode.IsDir) || t.pruned(dir) || t.ignores(in, dir, true) {
			return false
		}
		in = append(in, t.enter(dir))
	}
	return !matchAny(t.config.Exclude, file) && !t.ignores(in, file, false)
}

// readAtMost reads one byte more than a file may have.
func (t *tree) readAtMost(name string, most int) ([]byte, error) {
	file, err := t.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(most)+1))
}

// digestTests identifies test files; "" where there is none.
func digestTests(tests []TestFile) string {
	if len(tests) == 0 {
		return ""
	}
	digest := sha256.New()
	for _, test := range tests {
		fmt.Fprintf(digest, "%q %d\n", test.Path, len(test.Source))
		digest.Write(test.Source)
	}
	return hex.EncodeToString(digest.Sum(nil))
}
