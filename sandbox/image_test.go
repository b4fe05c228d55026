package sandbox

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moby/moby/client"
)

// interpreters are python3 on PATH, the system's, and every version that pyenv has.
func interpreters(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("PYENV_ROOT")
	if root == "" {
		home, _ := os.UserHomeDir()
		root = filepath.Join(home, ".pyenv")
	}
	found, _ := filepath.Glob(filepath.Join(root, "versions", "3.*", "bin", "python3"))
	for _, path := range filepath.SplitList(os.Getenv("PATH")) {
		if path = filepath.Join(path, "python3"); exists(path) {
			found = append(found, path)
		}
	}
	var all []string
	for _, path := range found {
		if py, err := findInterpreter(testContext(t), path); err == nil && !slices.Contains(all, py.Executable) {
			all = append(all, py.Executable)
		}
	}
	if len(all) == 0 {
		missing(t, "python3, 3.8 or later", exec.ErrNotFound)
	}
	return all
}

// imports is what a host image must be able to do: modules in C and in Python, none of which is compiled at import.
const imports = say + `
import asyncio, bz2, ctypes, dataclasses, decimal, hashlib, re, sqlite3, ssl, typing, unittest.mock, zlib, zipfile, pwd
import site
say({"version": sys.version.split()[0], "prefix": sys.prefix, "sha": hashlib.sha256(b"").hexdigest()[:8],
    "compiled": typing.__cached__ is not None and os.path.exists(typing.__cached__),
    "user": pwd.getpwuid(65534).pw_name, "root": sqlite3.connect(":memory:").execute("select 1").fetchone()[0]})
`

func TestHostImages(t *testing.T) {
	if testing.Short() {
		t.Skip("short: an image for each interpreter")
	}
	for _, python := range interpreters(t) {
		py, err := findInterpreter(testContext(t), python)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(py.Version, func(t *testing.T) {
			d := openWith(t, DockerOptions{Image: imageHost, Python: python})
			image := d.Image()
			if image.Name != imageHost || image.Version != py.Version || image.Python != py.inside(py.Executable) || !strings.HasPrefix(image.ID, "sha256:") {
				t.Errorf("image %+v of %+v", image, py)
			}
			var got struct {
				Version, Prefix, Sha, User string
				Compiled                   bool
				Root                       int
			}
			receiveJSON(t, startScript(t, d, imports), &got)
			if got.Version != py.Version || got.Sha != "e3b0c442" || got.User != "nobody" || got.Root != 1 || !got.Compiled {
				t.Errorf("inside: %+v", got)
			}
			if got.Prefix != home && got.Prefix != py.Prefix || strings.HasPrefix(got.Prefix, "/home") {
				t.Errorf("prefix %s", got.Prefix)
			}
		})
	}
}

// TestHostImageIsStable builds the same image twice, the second time from nothing.
func TestHostImageIsStable(t *testing.T) {
	d := openDocker(t)
	ctx := testContext(t)
	py, err := findInterpreter(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	first, root, err := d.buildHost(ctx, py)
	if err != nil {
		t.Fatal(err)
	}
	second, again, err := d.buildHost(ctx, py)
	if err != nil {
		t.Fatal(err)
	}
	if first != second || root.ref != again.ref {
		t.Errorf("built %+v (%s), then %+v (%s)", first, root.ref, second, again.ref)
	}
	found, _, err := d.builtHost(ctx, py)
	if err != nil || found != first {
		t.Errorf("found %+v, %v, want %+v", found, err, first)
	}
	images, err := ListImages(ctx, DockerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(images, func(i Image) bool { return i.ID == first.ID && i.Version == py.Version }) {
		t.Errorf("the list lacks it: %+v", images)
	}
}

// TestLayerIgnoresTheMachine packs one tree twice, with other times, and with another state of its .pyc files.
func TestLayerIgnoresTheMachine(t *testing.T) {
	pack := func(dir string, pyc bool) (string, string) {
		lib := filepath.Join(dir, "lib", "python3.11")
		tree := tree{"/tmp": {dir: 0o1777}, "/a": {link: "b"}}
		for name, text := range map[string]string{"os.py": "x = 1\n", "re/__init__.py": ""} {
			path := filepath.Join(lib, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			tree["/usr/local/lib/python3.11/"+name] = node{from: path}
		}
		py := interpreter{Prefix: dir, Stdlib: lib, Magic: "a70d0d0a"}
		if pyc {
			path := filepath.Join(lib, "__pycache__", "os.cpython-311.pyc")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, append([]byte("\xa7\x0d\x0d\x0a\x01\x00\x00\x00"), make([]byte, 8)...), 0o644); err != nil {
				t.Fatal(err)
			}
			tree["/usr/local/lib/python3.11/__pycache__/os.cpython-311.pyc"] = node{from: path}
		}
		var out bytes.Buffer
		digest, err := writeLayer(&out, py, tree)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(out.Bytes())
		return digest, hex.EncodeToString(sum[:])
	}
	digest, bytes := pack(t.TempDir(), false)
	digest2, bytes2 := pack(t.TempDir(), false)
	digest3, bytes3 := pack(t.TempDir(), true)
	if digest != digest2 || bytes != bytes2 {
		t.Error("equal trees differ")
	}
	if digest != digest3 {
		t.Error("a .pyc changed the digest of what is in the image")
	}
	if bytes == bytes3 {
		t.Error("a valid .pyc was left out")
	}
}

func TestStalePycIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "m.py")
	if err := os.WriteFile(source, []byte("x = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(source, epoch, epoch); err != nil {
		t.Fatal(err)
	}
	l := &layerWriter{py: interpreter{Prefix: "/usr", Magic: "a70d0d0a"}, tree: tree{source: {from: source}}}
	const magic = "\xa7\x0d\x0d\x0a"
	const when = "\x00\xa6\xce\x12" // epoch
	for name, test := range map[string]struct{ file, pyc, want string }{
		"valid":          {"m.cpython-311.pyc", magic + "\x00\x00\x00\x00" + when + "\x06\x00\x00\x00code", magic + "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00code"},
		"of a hash":      {"m.cpython-311.pyc", magic + "\x03\x00\x00\x00hashhashcode", magic + "\x03\x00\x00\x00hashhashcode"},
		"other time":     {"m.cpython-311.pyc", magic + "\x00\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00code", ""},
		"other size":     {"m.cpython-311.pyc", magic + "\x00\x00\x00\x00" + when + "\x07\x00\x00\x00code", ""},
		"other version":  {"m.cpython-310.pyc", "\x6f\x0d\x0d\x0a\x00\x00\x00\x00" + when + "\x06\x00\x00\x00code", ""},
		"optimised":      {"m.cpython-311.opt-1.pyc", magic + "\x00\x00\x00\x00" + when + "\x06\x00\x00\x00code", ""},
		"without source": {"gone.cpython-311.pyc", magic + "\x00\x00\x00\x00" + when + "\x06\x00\x00\x00code", ""},
		"short":          {"m.cpython-311.pyc", magic, ""},
	} {
		got := l.unchecked(filepath.Join(dir, "__pycache__", test.file), []byte(test.pyc))
		if string(got) != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestParseLdd(t *testing.T) {
	glibc, err := os.ReadFile("testdata/ldd.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := parseLdd(string(glibc))
	want := []string{
		"/lib/ld-musl-x86_64.so.1",
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/lib64/ld-linux-x86-64.so.2",
		"/opt/a (b)/lib/libpython3.11.so.1.0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTarImage(t *testing.T) {
	if testing.Short() {
		t.Skip("short: images are saved and loaded")
	}
	d := openDocker(t)
	ctx := testContext(t)
	dir := t.TempDir()
	saved, err := d.api.ImageSave(ctx, []string{d.root.ref})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "saved.tar")
	toFile(t, path, saved)
	image := openWith(t, DockerOptions{Image: imageTar + path}).Image()
	if image.ID != d.image.ID || image.Name != imageTar+path {
		t.Errorf("saved %+v, and it came back as %+v", d.image, image)
	}

	made, err := d.api.ContainerCreate(ctx, client.ContainerCreateOptions{Config: d.config(d.root, Spec{Name: "export", Command: []string{"/x"}})})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.removeContainer(ctx, made.ID); err != nil {
			t.Error(err)
		}
	}()
	exported, err := d.api.ContainerExport(ctx, made.ID, client.ContainerExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "rootfs.tar")
	toFile(t, path, exported)
	if out, err := exec.Command("gzip", "-1", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var rootfs *docker
	t.Cleanup(func() { // after the runtime was closed
		if rootfs == nil {
			return
		}
		if _, err := d.api.ImageRemove(ctx, rootfs.root.ref, client.ImageRemoveOptions{Force: true}); err != nil {
			t.Error(err)
		}
	})
	rootfs = openWith(t, DockerOptions{Image: imageTar + path + ".gz"})
	if got := rootfs.Image(); got.Version != d.image.Version || got.Python == "" {
		t.Errorf("a root file system: %+v, want Python %s", got, d.image.Version)
	}
	startScript(t, rootfs, echo)
	images, err := ListImages(ctx, DockerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(images, func(i Image) bool { return i.ID == rootfs.image.ID && i.Version == d.image.Version }) {
		t.Errorf("the list does not say its version: %+v", images)
	}
}

func toFile(t *testing.T, path string, from io.ReadCloser) {
	t.Helper()
	defer from.Close()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := io.Copy(file, from); err != nil {
		t.Fatal(err)
	}
}

func TestBadImages(t *testing.T) {
	openDocker(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var whole bytes.Buffer
	if err := tar.NewWriter(&whole).WriteHeader(&tar.Header{Name: "file", Size: 1 << 20, Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	cut := whole.String() + "the beginning"
	for name, test := range map[string]struct{ image, python, want string }{
		"no tar":           {imageTar + filepath.Join(dir, "none.tar"), "", "none.tar: no such file"},
		"text":             {imageTar + write("text.tar", strings.Repeat("text", 1000)), "", "as a tar, plain or gzip"},
		"empty":            {imageTar + write("empty.tar", strings.Repeat("\x00", 1024)), "", "it is empty; make it again"},
		"cut":              {imageTar + write("cut.tar", cut), "", "it is cut short .unexpected EOF.; make it again with docker save"},
		"cut gzip":         {imageTar + write("cut.tgz", "\x1f\x8b\x08"), "", "as gzip"},
		"no interpreter":   {imageHost, "no-such-python", "install Python 3.8 or later"},
		"not python":       {imageHost, "/bin/true", "/bin/true, asked what it is, says nothing; is it a Python?"},
		"bad reference":    {"No Such Image", "", "No Such Image"},
		"cannot be pulled": {"127.0.0.1:1/none:1", "", `127.0.0.1:1/none:1 is not in the engine, and it cannot be pulled.*use "host"`},
	} {
		_, err := EnsureImage(testContext(t), DockerOptions{Image: test.image, Python: test.python})
		if err == nil || !regexp.MustCompile(test.want).MatchString(err.Error()) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	_, err := EnsureImage(testContext(t), DockerOptions{Image: "127.0.0.1:1/none:1"})
	if !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v is not %v", err, ErrUnavailable)
	}
}

// TestAuto has no registry: it takes what was built from this machine's Python.
func TestAuto(t *testing.T) {
	d := openDocker(t)
	image, err := EnsureImage(testContext(t), DockerOptions{Image: "auto:127.0.0.1:1/none:1"})
	if err != nil || image != d.image {
		t.Errorf("got %+v, %v, want %+v", image, err, d.image)
	}
}
