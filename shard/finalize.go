package shard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// FinalizeOptions are optional. None of them changes the rows.
type FinalizeOptions struct {
	// Title is the heading of the data card. "": Tracemill dataset.
	Title string
	// Warnings are for the manifest and the card: a sentence each.
	Warnings []string
	// Progress is called with the number of rows that are published and of all rows, now and then.
	Progress func(done, total int64)
}

// IncompleteError says which parts have no commit.
type IncompleteError struct {
	Dir     string
	Missing []string
	Parts   int
}

func (e *IncompleteError) Error() string {
	const most = 5
	names, more := e.Missing, ""
	if len(names) > most {
		names, more = names[:most], ", ..."
	}
	return fmt.Sprintf("%s: %d of %d parts are not done (%s%s): run the build again to do them", e.Dir, len(e.Missing), e.Parts, strings.Join(names, ", "), more)
}

// DamagedPartError says that the files of a committed part are not what was committed.
type DamagedPartError struct {
	Part   string
	Commit string // path of the commit
	Err    error
}

func (e *DamagedPartError) Error() string {
	return fmt.Sprintf("part %s: %v; remove %s and run the build again to do the part anew", e.Part, e.Err, e.Commit)
}
func (e *DamagedPartError) Unwrap() error { return e.Err }

// Finalize publishes the dataset: the rows of all parts, in the order of the plan, as shards; card, manifest, and last of
// all _SUCCESS. Then it removes the files of the parts. It may be run again after a kill at any moment, and by
// several processes at a time: the result is the same bytes. On a published build it only removes what is left over.
func (b *Build) Finalize(ctx context.Context, options FinalizeOptions) (*Manifest, error) {
	if !b.Complete() {
		err := b.publish(ctx, options)
		// Another process may have published, and removed what this one was reading.
		if err != nil && !b.Complete() {
			return nil, err
		}
	}
	d, err := OpenDataset(b.dir)
	if err != nil {
		return nil, err
	}
	if d.manifest.Plan != b.digest {
		return nil, &DamageError{filepath.Join(b.dir, manifestFile), errors.New("it is that of another plan")}
	}
	b.step("remove parts")
	return &d.manifest, b.removeParts()
}

func (b *Build) removeParts() error {
	if err := os.RemoveAll(b.path(buildDir, "parts")); err != nil {
		return err
	}
	leftovers, err := filepath.Glob(b.path(buildDir, "final-*"))
	if err != nil {
		return err
	}
	for _, path := range leftovers {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// publication is one run of publish.
type publication struct {
	*Build
	ctx      context.Context
	options  FinalizeOptions
	staging  string
	pages    *pageFile
	commits  []*Commit // in the order of the plan
	manifest Manifest
	tally    tally
	done     int64
	total    int64
}

func (b *Build) publish(ctx context.Context, options FinalizeOptions) error {
	p := &publication{Build: b, ctx: ctx, options: options, tally: tally{}}
	if err := p.collect(); err != nil {
		return err
	}
	p.staging = b.path(buildDir, "final-"+attemptName())
	defer os.RemoveAll(p.staging)
	if err := p.open(); err != nil {
		return err
	}
	defer p.pages.close()
	err := errors.Join(stage[schema.FunctionRow](p), stage[schema.TraceRow](p), stage[schema.TrajectoryRow](p), p.stageDrops())
	if err != nil {
		return err
	}
	if err := p.reveal(); err != nil {
		return err
	}
	if err := p.revealDrops(); err != nil {
		return err
	}
	return p.seal()
}

// open makes the directory of what is not published yet.
func (p *publication) open() (err error) {
	if err := os.MkdirAll(p.staging, 0o777); err != nil {
		return writeError(p.staging, err)
	}
	p.pages, err = createPageFile(filepath.Join(p.staging, "pages"))
	return err
}

// collect reads all commits, and checks the files that they name.
func (p *publication) collect() error {
	var missing []string
	counters := map[string]int64{}
	for _, part := range p.plan.Parts {
		commit, err := p.readCommit(part.ID)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, part.ID)
		case err != nil:
			return &DamagedPartError{part.ID, p.commitPath(part.ID), err}
		default:
			for name, n := range commit.Counters {
				counters[name] += n
			}
			commit.Plan, commit.Attempt, commit.Counters = "", "", nil // all commits are held until the end
			p.commits = append(p.commits, commit)
		}
	}
	if len(missing) > 0 {
		return &IncompleteError{Dir: p.dir, Missing: missing, Parts: len(p.plan.Parts)}
	}
	for _, commit := range p.commits {
		for file := range commit.all() {
			if err := p.ctx.Err(); err != nil {
				return err
			}
			if err := file.check(p.path(filepath.FromSlash(file.Path))); err != nil {
				return &DamagedPartError{commit.Part, p.commitPath(commit.Part), err}
			}
			file.SHA256 = ""
		}
		for i := range commit.Files {
			p.total += commit.Files[i].Rows
		}
	}
	p.manifest = Manifest{
		SchemaVersion: schema.Version, Plan: p.digest, Seed: p.plan.Seed, Settings: maps.Clone(p.plan.Settings), Splits: p.plan.Splits,
		Parts: len(p.plan.Parts), Counters: counters, Files: []File{}, Warnings: p.options.Warnings,
	}
	return nil
}

// stage writes the shards of a table under temporary names, since their number is part of their names. It does so for one split
// after another, reading all parts for each: an open shard takes much more memory than reading takes time.
func stage[T schema.Row](p *publication) error {
	table := schema.TableOf[T]()
	dir := filepath.Join(p.staging, string(table))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return writeError(dir, err)
	}
	for n := range p.plan.Splits {
		files, err := stageSplit[T](p, dir, n)
		if err != nil {
			return err
		}
		p.manifest.Files = append(p.manifest.Files, files...)
	}
	return nil
}

func stageSplit[T schema.Row](p *publication, dir string, split int) ([]File, error) {
	name := p.plan.Splits[split].Name
	shards := newShards[T](dir, name, p.plan.Layout, p.pages)
	defer shards.abort()
	for _, commit := range p.commits {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		if err := stagePart(p, commit, split, shards); err != nil {
			return nil, err
		}
	}
	p.step("close shards of " + string(schema.TableOf[T]()) + " " + name)
	return shards.close()
}

func stagePart[T schema.Row](p *publication, commit *Commit, split int, shards *shards[T]) error {
	for _, file := range commit.Files {
		if file.Table != schema.TableOf[T]() {
			continue
		}
		for row, err := range partRows[T](p.path(filepath.FromSlash(file.Path)), file.Rows, split, len(p.plan.Splits)) {
			if err != nil {
				return &DamagedPartError{commit.Part, p.commitPath(commit.Part), err}
			}
			if err := shards.write(&row.row, row.size); err != nil {
				return err
			}
			tallyRow(p.tally, &row.row)
			if err := p.progress(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *publication) progress() error {
	const often = 256
	p.done++
	if p.done%often != 0 && p.done != p.total {
		return nil
	}
	if p.options.Progress != nil {
		p.options.Progress(p.done, p.total)
	}
	return p.ctx.Err()
}

// reveal moves the shards to their places, and removes what an earlier run that was killed left there and this one
// does not overwrite.
func (p *publication) reveal() error {
	wanted := map[string]bool{}
	for _, file := range p.manifest.Files {
		wanted[filepath.FromSlash(file.Path)] = true
	}
	for _, table := range schema.Tables {
		dir := p.path(string(table))
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return writeError(dir, err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if name := filepath.Join(string(table), entry.Name()); !wanted[name] {
				if err := os.RemoveAll(p.path(name)); err != nil {
					return err
				}
			}
		}
	}
	for _, file := range p.manifest.Files {
		p.step("reveal " + file.Path)
		path := p.path(filepath.FromSlash(file.Path))
		if err := os.Rename(filepath.Join(p.staging, filepath.FromSlash(file.Path)), path); err != nil {
			return writeError(path, err)
		}
	}
	for _, table := range schema.Tables {
		if err := syncDir(p.path(string(table))); err != nil {
			return err
		}
	}
	return nil
}

// seal writes the card, the manifest and _SUCCESS.
func (p *publication) seal() error {
	p.manifest.Tallies = p.tally
	p.step("write card")
	if err := replace(p.path(cardFile), []byte(card(p.options.Title, &p.manifest))); err != nil {
		return err
	}
	record := File{Path: cardFile}
	if err := record.describe(p.path(cardFile)); err != nil {
		return err
	}
	p.manifest.Files = append([]File{record}, p.manifest.Files...)
	manifest := encode(&p.manifest)
	p.step("write manifest")
	if err := replace(p.path(manifestFile), manifest); err != nil {
		return err
	}
	p.step("write success")
	sum := sha256.Sum256(manifest)
	return replace(p.path(successFile), []byte(hex.EncodeToString(sum[:])+"\n"))
}
