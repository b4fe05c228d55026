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
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// dataset is a JSONL or Parquet file, or those of a directory as one sequence of rows.
type dataset struct {
	config SourceConfig
	files  []string // paths
	names  []string // the same as the source calls them

	mu     sync.Mutex
	starts []int // per file, and one more: the number of its first row; nil while the files are not scanned
	// A reader that has given rows up to n is kept for whoever asks for n next: a compressed file cannot be entered in the
	// middle, and parts are mostly taken in order.
	idle   []openRows
	closed bool
}

// maxIdle bounds the readers that wait for their next range: about one per worker of a machine.
const maxIdle = 16

// rowFile is a place in one file.
type rowFile interface {
	read() int // rows that are read or skipped
	// next gives the next row; it is valid until the one after it. The error is io.EOF after the last row.
	next(ctx context.Context) (rowRead, error)
	skip(ctx context.Context, n int) error
	close()
}

// openRows is a place in one of a data set's files.
type openRows struct {
	rowFile
	file int
}

// rowRead is a row, or why it could not be read: a *columnError.
type rowRead struct {
	number int // 1-based, of the line or the row in its file
	record record
	err    error
}

// dataFiles are the globs of a directory's files that hold rows, by source type.
var dataFiles = map[string][]string{
	"jsonl":   {"**/*.jsonl", "**/*.jsonl.gz", "**/*.jsonl.zst", "**/*.json.gz"},
	"parquet": {"**/*.parquet"},
}

func openDataset(c SourceConfig) (Source, error) {
	d := &dataset{config: c}
	info, err := os.Stat(c.Path)
	switch {
	case err != nil:
		return nil, openError(c.Path, err)
	case !info.IsDir():
		d.files, d.names = []string{c.Path}, []string{baseName(c.Path)}
	default:
		if err := d.list(); err != nil {
			return nil, err
		}
	}
	reader, err := d.open(0)
	if err != nil {
		return nil, err
	}
	reader.close()
	return d, nil
}

// list finds a directory's files. Links are followed to files: data sets lie in caches that are made of them.
func (d *dataset) list() error {
	include := d.config.Include
	if len(include) == 0 {
		include = dataFiles[d.config.Type]
	}
	err := filepath.WalkDir(d.config.Path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return configErrorf("path", "%s may not be listed: %w", path, cause(err))
		}
		name, err := filepath.Rel(d.config.Path, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() || !matchAny(include, name) || matchAny(d.config.Exclude, name) {
			return nil
		}
		switch info, err := os.Stat(path); {
		case err != nil:
			return openError(path, err)
		case !info.Mode().IsRegular():
			return configErrorf("path", "%s is no file; leave it out by exclude", path)
		}
		d.files, d.names = append(d.files, path), append(d.names, name)
		return nil
	})
	if err == nil && len(d.files) == 0 {
		return configErrorf("path", "no file under %s matches %s; name the files in include, or mend the type", d.config.Path, strings.Join(include, ", "))
	}
	return err
}

func (d *dataset) Name() string { return d.config.Name }

func (d *dataset) Scan(ctx context.Context, visit func(Listing) error) error {
	starts := []int{0}
	for i := range d.files {
		listing, err := d.scan(ctx, i)
		if err != nil {
			return err
		}
		starts = append(starts, starts[i]+listing.Items)
		if err := visit(listing); err != nil {
			return err
		}
	}
	if starts[len(d.files)] == 0 {
		return configErrorf("path", "%s has no rows: %w", d.config.Path, errEmpty)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.starts = starts
	return nil
}

func (d *dataset) scan(ctx context.Context, file int) (Listing, error) {
	path, digest := d.files[file], sha256.New()
	l := Listing{Path: d.names[file]}
	if d.config.Type == "parquet" {
		reader, err := d.open(file)
		if err != nil {
			return l, err
		}
		defer reader.close()
		if ends := reader.rowFile.(*parquetReader).ends; len(ends) > 0 {
			l.Items = ends[len(ends)-1]
		}
		raw, err := os.Open(path)
		if err != nil {
			return l, openError(path, err)
		}
		defer raw.Close()
		if l.Bytes, err = io.Copy(digest, raw); err != nil {
			return l, fmt.Errorf("read %s: %w", path, err)
		}
	} else {
		reader, err := openJSONL(path, d.config.MaxItemBytes, digest)
		if err != nil {
			return l, err
		}
		defer reader.close()
		for err == nil {
			err = reader.skip(ctx, 1)
		}
		if !errors.Is(err, io.EOF) {
			return l, err
		}
		// Bytes behind the end of the compressed stream are part of the file too.
		if _, err := io.Copy(io.Discard, reader.raw); err != nil {
			return l, fmt.Errorf("read %s: %w", path, err)
		}
		l.Items, l.Bytes = reader.items, reader.raw.n
	}
	l.SHA256 = hex.EncodeToString(digest.Sum(nil))
	return l, nil
}

// Items gives the items of rows from to to. A row can hold several programs, which are an item each.
func (d *dataset) Items(ctx context.Context, from, to int) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		starts, err := d.bounds(ctx)
		if err != nil {
			yield(Item{}, err)
			return
		}
		at := from
		for file := range d.files {
			if at >= to {
				return
			}
			if at >= starts[file+1] {
				continue
			}
			n, ok := d.rows(ctx, file, at-starts[file], min(to, starts[file+1])-starts[file], yield)
			if !ok {
				return
			}
			at += n
		}
		if at < to {
			yield(Item{}, d.short(at, to))
		}
	}
}

func (d *dataset) short(has, had int) error {
	return fmt.Errorf("read %s: it has %d rows now, and had %d or more: %w", d.config.Path, has, had, io.ErrUnexpectedEOF)
}

// bounds is the number of each file's first row. Of one file nothing need be known.
func (d *dataset) bounds(ctx context.Context) ([]int, error) {
	if len(d.files) == 1 {
		return []int{0, math.MaxInt}, nil
	}
	d.mu.Lock()
	starts := d.starts
	d.mu.Unlock()
	if starts == nil {
		if err := d.Scan(ctx, func(Listing) error { return nil }); err != nil {
			return nil, err
		}
		return d.bounds(ctx)
	}
	return starts, nil
}

// rows gives the items of one file's rows, and says how many rows there were and whether to go on.
func (d *dataset) rows(ctx context.Context, file, from, to int, yield func(Item, error) bool) (int, bool) {
	reader, err := d.take(file, from)
	if err != nil {
		yield(Item{}, err)
		return 0, false
	}
	if reader.read() < from {
		err = reader.skip(ctx, from-reader.read())
	}
	for err == nil && reader.read() < to {
		var row rowRead
		if row, err = reader.next(ctx); err != nil {
			break
		}
		for _, item := range d.config.items(d.names[file], row) {
			if !yield(item, nil) {
				d.put(reader)
				return 0, false
			}
		}
	}
	if errors.Is(err, io.EOF) {
		err = d.short(reader.read(), to)
	}
	if err != nil {
		reader.close()
		yield(Item{}, err)
		return 0, false
	}
	d.put(reader)
	return to - from, true
}

// Close closes the readers that are not in use; one in use is closed when its sequence ends.
func (d *dataset) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for _, reader := range d.idle {
		reader.close()
	}
	d.idle = nil
	return nil
}

// take returns the reader that has the least to skip.
func (d *dataset) take(file, from int) (openRows, error) {
	d.mu.Lock()
	best := -1
	for i, reader := range d.idle {
		if reader.file == file && reader.read() <= from && (best < 0 || reader.read() > d.idle[best].read()) {
			best = i
		}
	}
	if best >= 0 {
		reader := d.idle[best]
		d.idle = slices.Delete(d.idle, best, best+1)
		d.mu.Unlock()
		return reader, nil
	}
	d.mu.Unlock()
	return d.open(file)
}

func (d *dataset) put(reader openRows) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || len(d.idle) == maxIdle {
		reader.close()
		return
	}
	d.idle = append(d.idle, reader)
}

func (d *dataset) open(file int) (openRows, error) {
	var rows rowFile
	var err error
	if path := d.files[file]; d.config.Type == "parquet" {
		rows, err = openParquet(path, d.config.wanted(), d.config.MaxItemBytes)
	} else {
		rows, err = openJSONL(path, d.config.MaxItemBytes, nil)
	}
	return openRows{rows, file}, err
}
