package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// store keeps root file systems as directories. Each is made under another name and renamed when it is whole, so
// that what has its digest for a name is complete; none is ever changed.
//
//	roots/DIGEST     a root file system
//	hosts/NAME       which of them was made from an interpreter as it was, in JSON
//	tmp              empty: where each sandbox, and nobody else, sees its tmpfs
type store struct {
	dir string
}

// kept is a root file system in a store.
type kept struct {
	ID      string // "sha256:...", of an Image
	Python  string // of the interpreter inside; empty where that has to be asked
	Version string
}

func openStore(dir string) (store, error) {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return store{}, fmt.Errorf("bwrap: no directory for root file systems: %w; set XDG_CACHE_HOME", err)
		}
		dir = filepath.Join(cache, "tracemill")
	}
	s := store{dir}
	for _, sub := range []string{"roots", "hosts", "tmp"} {
		// Readable by all: inside, programs are users of their own.
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return store{}, fmt.Errorf("bwrap: no directory for root file systems: %w", err)
		}
	}
	s.sweep()
	return s, nil
}

func (s store) root(id string) string {
	return filepath.Join(s.dir, "roots", strings.TrimPrefix(id, "sha256:"))
}

// unfinished is how the name of a root begins that is being made; its maker's follows.
const unfinished = ".making-"

// sweep removes what killed processes had begun.
func (s store) sweep() {
	me := self()
	left, _ := filepath.Glob(filepath.Join(s.dir, "roots", unfinished+"*"))
	for _, dir := range left {
		text, _ := os.ReadFile(filepath.Join(dir, "owner.json"))
		labels := map[string]string{}
		if json.Unmarshal(text, &labels) == nil && (ownerOf(labels).isDead(me) || ownerOf(labels).isPast(me)) {
			_ = removeTree(dir)
		}
	}
}

// add makes a root by fill, which is given an empty directory and returns the root's id.
func (s store) add(fill func(dir string) (id string, err error)) (id string, err error) {
	making, err := os.MkdirTemp(filepath.Join(s.dir, "roots"), unfinished)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, removeTree(making)) }()
	owner, err := json.Marshal(self().labels())
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(making, "owner.json"), owner, 0o644); err != nil {
		return "", err
	}
	dir := filepath.Join(making, "root")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	if id, err = fill(dir); err != nil {
		return "", err
	}
	// A name must not reach the disk before what it names.
	if err := syncFiles(dir); err != nil {
		return "", err
	}
	if err := os.Rename(dir, s.root(id)); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, unix.ENOTEMPTY) {
		return "", err
	}
	return id, nil
}

func syncFiles(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}

// removeTree also removes directories that are closed to their owner.
func removeTree(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			return os.Chmod(name, 0o700)
		}
		return nil
	})
	return errors.Join(err, os.RemoveAll(dir))
}

// host finds or makes the root that is made from an interpreter of this machine.
func (s store) host(ctx context.Context, py interpreter, log func(string)) (kept, error) {
	stamp, err := py.stamp(ctx)
	if err != nil {
		return kept{}, err
	}
	name := filepath.Join(s.dir, "hosts", py.Version+"-"+stamp+".json")
	var k kept
	if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &k) == nil && exists(s.root(k.ID)) {
		return k, nil
	}
	log(fmt.Sprintf("laying out a root file system from %s, Python %s", py.Executable, py.Version))
	files, err := hostTree(ctx, py)
	if err != nil {
		return kept{}, err
	}
	k = kept{Python: py.inside(py.Executable), Version: py.Version}
	k.ID, err = s.add(func(dir string) (string, error) {
		r, w := io.Pipe()
		var id string
		packed := make(chan error, 1)
		go func() {
			var err error
			id, err = writeLayer(w, py, files)
			w.CloseWithError(err)
			packed <- err
		}()
		err := unpack(r, dir)
		r.CloseWithError(err)
		err = errors.Join(err, <-packed)
		if err == nil {
			err = closeInterpreter(dir, k.Python)
		}
		return id, err
	})
	if err != nil {
		return kept{}, fmt.Errorf("lay out %s: %w", py.Executable, err)
	}
	return k, s.note(name, k)
}

func (s store) note(name string, k kept) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return writeAtomically(name, append(text, '\n'))
}

func writeAtomically(name string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// closeInterpreter makes an executable one that cannot be read, not even by its owner. The kernel lets nobody without
// its powers look into a process that runs such a file, so that a server is closed to children of its own user.
func closeInterpreter(root, python string) error {
	inside, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer inside.Close()
	return inside.Chmod(strings.TrimPrefix(python, "/"), 0o111)
}

// tarball finds or makes the root of a tar.
func (s store) tarball(path string, log func(string)) (kept, error) {
	found, err := readArchive(path)
	if err != nil {
		return kept{}, err
	}
	if found.saved != nil {
		return kept{}, errors.New("it is a saved image, with layers: give bubblewrap a root file system, which docker export makes of a container")
	}
	if exists(s.root(found.digest)) {
		return kept{ID: found.digest}, nil
	}
	log("laying out a root file system from " + path)
	file, err := openArchive(path)
	if err != nil {
		return kept{}, err
	}
	defer file.Close()
	id, err := s.add(func(dir string) (string, error) {
		if err := unpack(file, dir); err != nil {
			return "", err
		}
		for _, point := range []string{"tmp", "proc", "sys", "dev", strings.TrimPrefix(FilesDir, "/")} {
			if err := os.MkdirAll(filepath.Join(dir, point), 0o755); err != nil {
				return "", err
			}
		}
		return found.digest, nil
	})
	return kept{ID: id}, err
}

// resolve sees to the image and runs it once.
func (b *bwrap) resolve(ctx context.Context, opts BwrapOptions) error {
	s, err := openStore(opts.CacheDir)
	if err != nil {
		return err
	}
	name := opts.Image
	var k kept
	switch path, tarball := strings.CutPrefix(name, imageTar); {
	case tarball:
		k, err = s.tarball(path, b.log)
	case name == "" || name == imageHost || name == imageAuto || strings.HasPrefix(name, imageAuto+":"):
		name = imageHost
		var py interpreter
		if py, err = findInterpreter(ctx, opts.Python); err == nil {
			k, err = s.host(ctx, py, b.log)
		}
	default:
		return fmt.Errorf(`image %s: bubblewrap has no images to pull: use "host", or "tar:PATH" of a root file system (docker export makes one), or runtime docker`, name)
	}
	if err != nil {
		return fmt.Errorf("image %s: %w", name, err)
	}
	b.root, b.tmp = s.root(k.ID), filepath.Join(s.dir, "tmp")
	inside, err := b.ask(ctx, k.Python)
	if err != nil {
		var exit *ExitError
		if ctx.Err() == nil && !errors.As(err, &exit) && refusal(err.Error()) {
			return b.refused(err)
		}
		return fmt.Errorf("image %s: run its python3: %w", name, err)
	}
	b.image = Image{Name: name, ID: k.ID, Python: inside.Executable, Version: inside.Version}
	return b.closeServer()
}

// closeServer sees that an image that was not made here has an interpreter that closes its server.
func (b *bwrap) closeServer() error {
	if !b.rootless {
		return nil
	}
	if err := closeInterpreter(b.root, b.image.Python); err != nil {
		return fmt.Errorf("image %s: close its interpreter to programs: %w", b.image.Name, err)
	}
	return nil
}
