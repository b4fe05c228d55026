package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

const (
	buildDir    = "_build"
	planFile    = "plan.json"
	successFile = "_SUCCESS"
)

// Build is an output directory and the plan of what is made in it.
type Build struct {
	dir    string
	plan   Plan
	digest string
	parts  map[string]bool

	// step is called before each thing that a kill could keep from happening; tests look at the directory there.
	step func(string)
}

// Commit is the record of a part that is done.
type Commit struct {
	Plan     string           `json:"plan"` // digest
	Part     string           `json:"part"`
	Attempt  string           `json:"attempt"`
	Files    []File           `json:"files"`           // paths are relative to the build's directory
	Drops    *File            `json:"drops,omitempty"` // what was left out, a line each; nil where there is nothing to say
	Counters map[string]int64 `json:"counters"`
}

// ForeignError says that an output directory holds files and no build.
type ForeignError struct {
	Dir   string
	Files []string
}

func (e *ForeignError) Error() string {
	const most = 3
	names := e.Files
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return fmt.Sprintf("%s holds files that are no build of Tracemill (%s%s): choose an empty or new directory", e.Dir, strings.Join(names, ", "), more)
}

// Open makes a directory the place of a build, or opens the build of the same plan that is there. Any number of
// processes may open it. Another plan is a *MismatchError, files without a plan a *ForeignError.
func Open(dir string, plan Plan) (*Build, error) {
	full := plan.complete()
	if err := full.validate(); err != nil {
		return nil, fmt.Errorf("plan of %s: %w", dir, err)
	}
	b := &Build{dir: dir, plan: full, digest: full.Digest(), parts: map[string]bool{}, step: func(string) {}}
	for _, part := range full.Parts {
		b.parts[part.ID] = true
	}
	path := b.path(buildDir, planFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := b.create(path); err != nil {
			return nil, err
		}
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	there, err := parsePlan(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; choose another output directory", path, err)
	}
	if there.Digest() != b.digest {
		return nil, &MismatchError{Dir: dir, Differ: differences(there, &full)}
	}
	return b, nil
}

// Begun says whether a directory is the place of a build, of whatever plan.
func Begun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, buildDir, planFile))
	return err == nil
}

// create writes the plan, unless another process is first.
func (b *Build) create(path string) error {
	if err := os.MkdirAll(b.dir, 0o777); err != nil {
		return writeError(b.dir, err)
	}
	if err := foreign(b.dir); err != nil {
		if _, statErr := os.Stat(path); statErr == nil {
			return nil // another process has been faster, and is at work
		}
		return err
	}
	for _, dir := range []string{"commits", "parts"} {
		if err := os.MkdirAll(b.path(buildDir, dir), 0o777); err != nil {
			return writeError(b.dir, err)
		}
	}
	if err := createOnce(path, encode(&b.plan)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(b.dir)
}

func (b *Build) path(elements ...string) string {
	return filepath.Join(append([]string{b.dir}, elements...)...)
}

// Dir is the output directory.
func (b *Build) Dir() string { return b.dir }

// Plan is the plan, with its defaults filled in.
func (b *Build) Plan() Plan { return b.plan }

// Digest is the plan's digest.
func (b *Build) Digest() string { return b.digest }

// Complete says whether the dataset has been published.
func (b *Build) Complete() bool {
	_, err := os.Stat(b.path(successFile))
	return err == nil
}

// Committed is the commit of a part that is done.
func (b *Build) Committed(part string) (*Commit, bool) {
	commit, err := b.readCommit(part)
	return commit, err == nil
}

func (b *Build) commitPath(part string) string { return b.path(buildDir, "commits", part+".json") }

func (b *Build) readCommit(part string) (*Commit, error) {
	if !b.parts[part] {
		return nil, fmt.Errorf("the plan has no part %q", part)
	}
	path := b.commitPath(part)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var commit Commit
	if err := json.Unmarshal(data, &commit); err != nil {
		return nil, &DamageError{path, err}
	}
	if commit.Plan != b.digest || commit.Part != part {
		return nil, &DamageError{path, errors.New("it is the commit of another plan or part")}
	}
	for file := range commit.all() {
		if !filepath.IsLocal(file.Path) {
			return nil, &DamageError{path, fmt.Errorf("it names the file %q outside of the build", file.Path)}
		}
	}
	return &commit, nil
}

// all are the part's files.
func (c *Commit) all() iter.Seq[*File] {
	return func(yield func(*File) bool) {
		for i := range c.Files {
			if !yield(&c.Files[i]) {
				return
			}
		}
		if c.Drops != nil {
			yield(c.Drops)
		}
	}
}

// Discard forgets the commit of a part, so that it is done again: for one whose files were found damaged.
func (b *Build) Discard(part string) error {
	if !b.parts[part] {
		return fmt.Errorf("the plan has no part %q", part)
	}
	if err := os.Remove(b.commitPath(part)); err != nil {
		return err
	}
	return syncDir(b.path(buildDir, "commits"))
}

// SplitOf is the split of what has this key; see SplitKey.
func (b *Build) SplitOf(key string) string { return SplitOf(key, b.plan.Splits) }
