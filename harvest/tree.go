package harvest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tracemill/tracemill/schema"
)

// tree is a Python file, or the files of a directory that the globs take. Symbolic links in it are not followed: no
// file comes twice, and none from outside.
type tree struct {
	config SourceConfig
	root   fs.FS
	dir    string // root's, on this machine
	start  string // where to walk from: "." or a file's name

	licenses treeLicenses

	mu    sync.Mutex
	marks []mark // by item, so that a range in the middle does not walk all that is before it
}

// mark says that an item is at a path.
type mark struct {
	item int
	path string
}

// markEvery is how many items there are between marks.
const markEvery = 1024

func openTree(c SourceConfig) (Source, error) {
	info, err := os.Stat(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, configErrorf("path", "there is no file or directory %s; mend the path", c.Path)
	case errors.Is(err, fs.ErrPermission):
		return nil, configErrorf("path", "%s may not be read by this user: %w", c.Path, err)
	case err != nil:
		return nil, configErrorf("path", "%w", err)
	}
	t := &tree{config: c, dir: c.Path, start: "."}
	if !info.IsDir() {
		t.dir, t.start = filepath.Dir(c.Path), filepath.Base(c.Path)
	}
	t.root = os.DirFS(t.dir)
	return t, nil
}

// license is what the config says of all files, else what the nearest licence file says.
func (t *tree) license(path string) string {
	if t.config.License != "" {
		return t.config.License
	}
	return t.licenses.of(t.root, path)
}

// enter is the level of a directory of the tree.
func (t *tree) enter(dir string) level {
	ignore, err := fs.ReadFile(t.root, path.Join(dir, ".gitignore"))
	if err != nil {
		ignore = nil
	}
	l := level{dir: dir, rules: parseIgnore(ignore)}
	if l.checkout = readCheckout(filepath.Join(t.dir, filepath.FromSlash(dir))); l.checkout != nil {
		l.rules = append(slices.Clone(l.checkout.excluded), l.rules...)
	}
	return l
}

func (t *tree) Name() string { return t.config.Name }
func (t *tree) Close() error { return nil }

func (t *tree) Scan(ctx context.Context, visit func(Listing) error) error {
	n := 0
	err := t.walk(ctx, "", func(path string, of *checkout, walkErr error) error {
		t.mark(n, path)
		n++
		return visit(t.list(path, of, walkErr))
	})
	if err == nil && n == 0 {
		return configErrorf("include", "no file under %s matches %s: %w", t.config.Path, strings.Join(t.config.Include, ", "), errEmpty)
	}
	return err
}

func (t *tree) Items(ctx context.Context, from, to int) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		at := t.nearest(from)
		n := at.item
		err := t.walk(ctx, at.path, func(path string, of *checkout, walkErr error) error {
			if n >= to {
				return fs.SkipAll
			}
			t.mark(n, path)
			n++
			if n > from && !yield(t.item(path, of, walkErr), nil) {
				n = to
				return fs.SkipAll
			}
			return nil
		})
		if err == nil && n < to {
			err = fmt.Errorf("read %s: it has %d files now, and had %d or more: %w", t.config.Path, n, to, io.ErrUnexpectedEOF)
		}
		if err != nil {
			yield(Item{}, err)
		}
	}
}

// walk visits the files from a path on, in the order of their paths' parts, each with the checkout that it is in. What cannot
// be read below the root is visited with its error.
func (t *tree) walk(ctx context.Context, from string, visit func(path string, of *checkout, err error) error) error {
	in := levels{t.enter(".")}
	if t.start != "." {
		return visit(t.start, in.checkout(), nil)
	}
	return fs.WalkDir(t.root, t.start, func(path string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		in = in.up(path)
		before := path != "." && comparePaths(path, from) < 0
		switch {
		case err != nil && path == ".":
			return configErrorf("path", "%s may not be listed: %w", t.config.Path, err)
		case err != nil:
			if before {
				return nil
			}
			return visit(path, in.checkout(), err)
		case path == ".":
			return nil
		case entry.IsDir():
			if t.pruned(path) || before && !strings.HasPrefix(from, path+"/") || t.ignores(in, path, true) {
				return fs.SkipDir
			}
			in = append(in, t.enter(path))
			return nil
		case before || !entry.Type().IsRegular() || !matchAny(t.config.Include, path) || matchAny(t.config.Exclude, path) || t.ignores(in, path, false):
			return nil
		}
		return visit(path, in.checkout(), nil)
	})
}

func (t *tree) ignores(in levels, path string, dir bool) bool {
	return !t.config.IncludeIgnored && in.ignores(path, dir)
}

// pruned says whether everything below a directory is excluded.
func (t *tree) pruned(dir string) bool {
	for _, glob := range t.config.Exclude {
		if of, ok := strings.CutSuffix(glob, "/**"); ok && matchGlob(of, dir) {
			return true
		}
	}
	return false
}

func (t *tree) list(path string, of *checkout, err error) Listing {
	digest := sha256.New()
	var size int64
	if err == nil {
		var file fs.File
		if file, err = t.root.Open(path); err == nil {
			size, err = io.Copy(digest, file)
			file.Close()
		}
	}
	if err != nil {
		digest.Reset()
		fmt.Fprint(digest, "unreadable: ", cause(err))
		size = 0
	}
	l := Listing{Path: path, Items: 1, Bytes: size, SHA256: hex.EncodeToString(digest.Sum(nil)), License: t.license(path)}
	_, l.Revision = t.from(of)
	if err == nil {
		l.Tests = digestTests(t.tests(path))
	}
	return l
}

// from is the repository and revision of what is in a checkout: what the config says, else what the checkout does.
func (t *tree) from(of *checkout) (repo, revision string) {
	repo, revision = t.config.Repo, t.config.Revision
	if of != nil {
		repo, revision = firstOf(repo, of.repo), firstOf(revision, of.revision)
	}
	return repo, revision
}

func (t *tree) item(path string, of *checkout, err error) Item {
	c := t.config
	item := Item{Origin: schema.Origin{Source: c.Name, Path: path, License: t.license(path)}, Kind: kindOf(path)}
	item.Repo, item.Revision = t.from(of)
	if item.unwanted(&c) {
		return item
	}
	if err == nil {
		item.Source, err = t.readAtMost(path, c.MaxItemBytes)
	}
	if err != nil {
		item.Err = item.drop(Unreadable, cause(err).Error())
	} else if len(item.Source) > c.MaxItemBytes {
		item.Err = item.drop(TooLong, fmt.Sprintf("more than %d bytes", c.MaxItemBytes))
		item.Source = nil
	} else {
		item.TestFiles = t.tests(path)
	}
	return item
}

// cause leaves the path out of an error: the item names it already, without the machine's own directories.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func (t *tree) mark(item int, path string) {
	if item%markEvery != 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	at, found := slices.BinarySearchFunc(t.marks, item, func(m mark, item int) int { return m.item - item })
	if !found {
		t.marks = slices.Insert(t.marks, at, mark{item, path})
	}
}

// nearest is the last mark at or before an item.
func (t *tree) nearest(item int) mark {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, found := slices.BinarySearchFunc(t.marks, item, func(m mark, item int) int { return m.item - item })
	switch {
	case found:
		return t.marks[at]
	case at > 0:
		return t.marks[at-1]
	}
	return mark{}
}
