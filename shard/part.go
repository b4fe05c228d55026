package shard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/tracemill/tracemill/schema"
)

// Part is an attempt to do a part of the plan. It ends with Commit or Abort; one that ends with neither leaves
// files that no later attempt reads. It belongs to one goroutine.
type Part struct {
	build   *Build
	id      string
	attempt string         // name of its directory
	splits  map[string]int // to their number in the plan
	done    bool

	// The files of the tables; there is none before the first row.
	functions    *partFile[schema.FunctionRow]
	traces       *partFile[schema.TraceRow]
	trajectories *partFile[schema.TrajectoryRow]
	drops        *dropFile
}

// Begin starts an attempt at a part, in a directory of its own.
func (b *Build) Begin(part string) (*Part, error) {
	if !b.parts[part] {
		return nil, fmt.Errorf("the plan of %s has no part %q", b.dir, part)
	}
	p := &Part{build: b, id: part, attempt: part + "." + attemptName(), splits: map[string]int{}}
	for n, split := range b.plan.Splits {
		p.splits[split.Name] = n
	}
	if err := os.MkdirAll(b.path(buildDir, "parts"), 0o777); err != nil {
		return nil, writeError(b.dir, err)
	}
	if err := os.Mkdir(p.dir(), 0o777); err != nil {
		return nil, writeError(p.dir(), err)
	}
	return p, nil
}

func (p *Part) dir() string { return p.build.path(buildDir, "parts", p.attempt) }

// WriteFunction adds a row of the table functions.
func (p *Part) WriteFunction(row *schema.FunctionRow) error { return writeRow(p, &p.functions, row) }

// WriteTrace adds a row of the table traces.
func (p *Part) WriteTrace(row *schema.TraceRow) error { return writeRow(p, &p.traces, row) }

// WriteTrajectory adds a row of the table trajectories.
func (p *Part) WriteTrajectory(row *schema.TrajectoryRow) error {
	return writeRow(p, &p.trajectories, row)
}

func writeRow[T schema.Row](p *Part, file **partFile[T], row *T) error {
	id, split := schema.KeyOf(row)
	n, ok := p.splits[split]
	if !ok {
		return fmt.Errorf("part %s: %s row %s: the plan has no split %q", p.id, schema.TableOf[T](), id, split)
	}
	if p.done {
		return fmt.Errorf("part %s: %s row %s comes after the part's end", p.id, schema.TableOf[T](), id)
	}
	if *file == nil {
		created, err := createPartFile[T](filepath.Join(p.dir(), string(schema.TableOf[T]())+".rows"))
		if err != nil {
			return fmt.Errorf("part %s: %w", p.id, err)
		}
		*file = created
	}
	if err := (*file).write(n, row); err != nil {
		return fmt.Errorf("part %s: %w", p.id, err)
	}
	return nil
}

// Commit makes the rows of the part, and what was counted while they were made, part of the build, for good: when it
// returns, they are on the disk. When another attempt was first, that one stands, and this one's files are
// removed. The commit that stands is the answer. On an error nothing of the attempt is kept.
func (p *Part) Commit(counters map[string]int64) (*Commit, error) {
	if p.done {
		return nil, fmt.Errorf("part %s: committed or aborted before", p.id)
	}
	commit, err := p.commit(counters)
	p.done = true
	if err != nil {
		// When only the sync after the link failed, the commit may stand, and its files with it.
		if stands, ok := p.build.Committed(p.id); !ok || stands.Attempt != p.attempt {
			p.remove()
		}
		return nil, fmt.Errorf("part %s: %w", p.id, err)
	}
	if commit.Attempt != p.attempt {
		p.remove()
	}
	return commit, nil
}

func (p *Part) commit(counters map[string]int64) (*Commit, error) {
	commit := &Commit{Plan: p.build.digest, Part: p.id, Attempt: p.attempt, Files: []File{}, Counters: counters}
	if counters == nil {
		commit.Counters = map[string]int64{}
	}
	p.build.step("close part files")
	err := errors.Join(
		closePart(commit, p.functions),
		closePart(commit, p.traces),
		closePart(commit, p.trajectories),
	)
	if err != nil {
		return nil, err
	}
	if commit.Drops, err = p.drops.close(p.attempt); err != nil {
		return nil, err
	}
	p.build.step("sync part directory")
	if err := syncDir(p.dir()); err != nil {
		return nil, err
	}
	if err := syncDir(filepath.Dir(p.dir())); err != nil {
		return nil, err
	}
	p.build.step("create commit")
	err = createOnce(p.build.commitPath(p.id), encode(commit))
	p.build.step("commit created")
	if errors.Is(err, fs.ErrExist) {
		stands, err := p.build.readCommit(p.id)
		if err != nil {
			return nil, fmt.Errorf("another attempt was first: %w; remove that file to do the part again", err)
		}
		return stands, nil
	}
	return commit, err
}

// closePart ends a table's file and records it.
func closePart[T schema.Row](commit *Commit, file *partFile[T]) error {
	if file == nil {
		return nil
	}
	record, err := file.close()
	if err != nil {
		return err
	}
	record.Path = path.Join(buildDir, "parts", commit.Attempt, filepath.Base(file.path))
	commit.Files = append(commit.Files, record)
	return nil
}

// Abort gives the attempt up and removes its files. It does nothing after Commit.
func (p *Part) Abort() {
	if !p.done {
		p.done = true
		p.remove()
	}
}

func (p *Part) remove() {
	// What cannot be closed is removed all the same.
	_ = p.functions.release()
	_ = p.traces.release()
	_ = p.trajectories.release()
	_ = p.drops.release()
	os.RemoveAll(p.dir())
}
