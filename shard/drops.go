package shard

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
)

// dropsFile is the name of what says what was left out, of a part and of the build: JSON Lines, whose keys are the caller's.
const dropsFile = "drops.jsonl"

// maxDropBytes is the longest line that is read.
const maxDropBytes = 1 << 20

// dropFile is a part's file of drops while it is written.
type dropFile struct {
	path string
	file *os.File
	out  *summed
	rows int64
}

// WriteDrop adds a line on something that the part leaves out: a JSON object without a line end. The caller bounds how many there are.
func (p *Part) WriteDrop(line []byte) error {
	if p.done {
		return errors.New("part " + p.id + ": a drop comes after the part's end")
	}
	if p.drops == nil {
		path := filepath.Join(p.dir(), dropsFile)
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return writeError(path, err)
		}
		p.drops = &dropFile{path: path, file: file, out: &summed{out: bufio.NewWriter(file), hash: sha256.New()}}
	}
	p.drops.rows++
	for _, b := range [][]byte{line, {'\n'}} {
		if _, err := p.drops.out.Write(b); err != nil {
			return writeError(p.drops.path, err)
		}
	}
	return nil
}

// close ends the file, and returns when it is on the disk; nil of a part that dropped nothing.
func (f *dropFile) close(attempt string) (*File, error) {
	if f == nil {
		return nil, nil
	}
	err := f.out.out.Flush()
	if err == nil {
		err = f.file.Sync()
	}
	err = errors.Join(err, f.release())
	return &File{
		Path: path.Join(buildDir, "parts", attempt, dropsFile), Size: f.out.n, SHA256: hex.EncodeToString(f.out.hash.Sum(nil)), Rows: f.rows,
	}, writeError(f.path, err)
}

func (f *dropFile) release() error {
	if f == nil || f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

// stageDrops writes the drops of all parts, in the order of the plan.
func (p *publication) stageDrops() (err error) {
	staged := filepath.Join(p.staging, dropsFile)
	out, err := os.OpenFile(staged, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return writeError(staged, err)
	}
	for _, commit := range p.commits {
		if err == nil && commit.Drops != nil {
			err = appendFile(out, p.path(filepath.FromSlash(commit.Drops.Path)))
		}
	}
	if err == nil {
		err = out.Sync()
	}
	return writeError(staged, errors.Join(err, out.Close()))
}

func appendFile(out io.Writer, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(out, in)
	return err
}

// revealDrops moves the drops to their place: beside the dataset and not in it, as they are none of its rows.
func (p *publication) revealDrops() error {
	p.step("reveal " + dropsFile)
	if err := os.Rename(filepath.Join(p.staging, dropsFile), DropsPath(p.dir)); err != nil {
		return writeError(DropsPath(p.dir), err)
	}
	return syncDir(StateDir(p.dir))
}

// DropsPath is where a published build has its drops.
func DropsPath(dir string) string { return filepath.Join(StateDir(dir), dropsFile) }

// Drops yields the lines that were written of what was left out, in the order of the plan: of a published build or, before that, of
// the parts that are done. A line is valid until the next is asked for.
func (b *Build) Drops() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if b.Complete() {
			dropLines(DropsPath(b.dir), yield)
			return
		}
		for _, part := range b.plan.Parts {
			commit, ok := b.Committed(part.ID)
			if ok && commit.Drops != nil && !dropLines(b.path(filepath.FromSlash(commit.Drops.Path)), yield) {
				return
			}
		}
	}
}

// Drops yields the lines that were written of what was left out; none of a build by a version that wrote none.
func (d *Dataset) Drops() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) { dropLines(DropsPath(d.dir), yield) }
}

// dropLines yields the lines of a file, and says whether more are wanted.
func dropLines(path string, yield func([]byte, error) bool) bool {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		yield(nil, err)
		return false
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxDropBytes)
	for lines.Scan() {
		if !yield(lines.Bytes(), nil) {
			return false
		}
	}
	if err := lines.Err(); err != nil {
		yield(nil, &DamageError{path, err})
		return false
	}
	return true
}
