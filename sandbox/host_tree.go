package sandbox

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// epoch is every file's time in what we pack. Not 1970: zipfile refuses times before 1980.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// home is where an interpreter goes that has a prefix of its own. The user's directory names would otherwise be in
// tracebacks, and so in data sets.
const home = "/usr/local"

// tree is a root file system to be: what each path in it is made from.
type tree map[string]node

type node struct {
	from string // a file to copy
	text string // or its content
	link string // or a symlink's target
	dir  fs.FileMode
}

// hostTree lists the interpreter, its standard library and all they link to. Left out is what no program under test
// needs and what would run by itself at a start: site-packages with its .pth files, and sitecustomize.
func hostTree(ctx context.Context, py interpreter) (tree, error) {
	t := tree{
		"/tmp":  {dir: 0o1777},
		"/proc": {dir: 0o755}, "/sys": {dir: 0o755}, "/dev": {dir: 0o755},
		FilesDir: {dir: 0o755},
		"/etc/passwd": {text: "root:x:0:0:root:/:/sbin/nologin\n" +
			"tracemill:x:1000:1000:tracemill:/tmp:/sbin/nologin\n" +
			"nobody:x:65534:65534:nobody:/tmp:/sbin/nologin\n"},
		"/etc/group": {text: "root:x:0:\ntracemill:x:1000:\nnogroup:x:65534:\n"},
		"/etc/hosts": {text: "127.0.0.1 localhost\n::1 localhost\n"}, // engines have one of their own
	}
	python := py.inside(py.Executable)
	t[python] = node{from: py.Executable}
	if path.Base(python) != "python3" {
		t[path.Join(path.Dir(python), "python3")] = node{link: path.Base(python)}
	}
	if err := t.addStdlib(py); err != nil {
		return nil, fmt.Errorf("read the standard library of %s: %w", py.Executable, err)
	}
	modules, err := py.extensions()
	if err != nil {
		return nil, err
	}
	libs, err := linked(ctx, append(modules, py.Executable)...)
	if err != nil {
		return nil, err
	}
	t.addLibraries(py, libs)
	return t, nil
}

// inside maps a path of the machine to one of the image.
func (py interpreter) inside(name string) string {
	rest, under := strings.CutPrefix(name, py.Prefix+"/")
	if !under || py.Prefix == "/usr" || py.Prefix == home {
		return name
	}
	return path.Join(home, rest)
}

func (t tree) addStdlib(py interpreter) error {
	roots := []string{py.Stdlib}
	for _, dir := range py.Dynload {
		if !strings.HasPrefix(dir, py.Stdlib+"/") {
			roots = append(roots, dir)
		}
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if name != root && unwantedDir(d.Name()) {
					return fs.SkipDir
				}
				return nil
			}
			if unwantedModule(d.Name()) {
				return nil
			}
			regular := d.Type().IsRegular()
			if d.Type()&fs.ModeSymlink != 0 {
				// The file that it leads to is copied, so that none leads out of the image.
				info, err := os.Stat(name)
				regular = err == nil && info.Mode().IsRegular()
			}
			if regular {
				t[py.inside(name)] = node{from: name}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func unwantedDir(name string) bool {
	switch name {
	case "test", "tests", "idle_test", "idlelib", "tkinter", "turtledemo", "ensurepip", "site-packages", "dist-packages":
		return true
	}
	return strings.HasPrefix(name, "config-") // static libraries and makefiles
}

func unwantedModule(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	switch base {
	case "sitecustomize", "usercustomize", "_tkinter", "xxlimited", "xxlimited_35", "xxsubtype", "_ctypes_test":
		return true
	}
	ext := path.Ext(name)
	return ext == ".so" && strings.HasPrefix(base, "_test") || ext == ".a" || ext == ".o" || ext == ".exe"
}

// addLibraries puts every library where the loader found it, and a link beside the C library, where it looks without
// a cache and without the run path of a prefix that is elsewhere now.
func (t tree) addLibraries(py interpreter, libs []string) {
	standard := "/lib"
	for _, lib := range libs {
		if strings.HasPrefix(path.Base(lib), "libc.") {
			standard = path.Dir(lib)
		}
	}
	// C libraries load these by name: old ones the first, to look up users, and the second to end a thread, without which
	// they abort the process.
	for _, name := range []string{"libnss_files.so.2", "libgcc_s.so.1"} {
		if extra := path.Join(standard, name); exists(extra) && !slices.Contains(libs, extra) {
			libs = append(libs, extra)
		}
	}
	for _, lib := range libs {
		in := py.inside(lib)
		t[in] = node{from: lib}
		beside := path.Join(standard, path.Base(lib))
		if _, taken := t[beside]; !taken && path.Dir(in) != standard {
			t[beside] = node{link: in}
		}
	}
}

// sorted lists the paths, parents before children.
func (t tree) sorted() []string {
	all := map[string]bool{}
	for name := range t {
		for ; name != "/"; name = path.Dir(name) {
			all[name] = true
		}
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// stamp changes when anything that a host image is made from may have changed. It is quick: it reads no contents, and
// takes the loader's cache for all libraries but the interpreter's own.
func (py interpreter) stamp(ctx context.Context) (string, error) {
	t := tree{}
	if err := t.addStdlib(py); err != nil {
		return "", fmt.Errorf("read the standard library of %s: %w", py.Executable, err)
	}
	libs, err := linked(ctx, py.Executable)
	if err != nil {
		return "", err
	}
	t.addLibraries(py, libs)
	t[py.Executable] = node{from: py.Executable}
	t["/etc/ld.so.cache"] = node{from: "/etc/ld.so.cache"}
	h := sha256.New()
	fmt.Fprintf(h, "%d %+v\n", layout, py)
	for _, name := range slices.Sorted(maps.Keys(t)) {
		from := t[name].from
		if from == "" {
			continue
		}
		if info, err := os.Stat(from); err == nil {
			fmt.Fprintf(h, "%s %s %d %d\n", name, from, info.Size(), info.ModTime().UnixNano())
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// layout is the version of what a host image holds for the same interpreter.
const layout = 2
