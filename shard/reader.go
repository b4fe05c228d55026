package shard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/tracemill/tracemill/schema"
)

// Dataset is a published build, read. It holds no open file, and may be used by several goroutines.
type Dataset struct {
	dir      string
	manifest Manifest
}

// ErrIncomplete says that a directory holds no published dataset (yet).
var ErrIncomplete = errors.New("no finished dataset")

// OpenDataset reads the manifest of a published build.
func OpenDataset(dir string) (*Dataset, error) {
	success, err := os.ReadFile(filepath.Join(dir, successFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: there is no %s; finish the build, or check the directory", dir, ErrIncomplete, successFile)
	}
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, manifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	if got, want := hex.EncodeToString(sum[:]), strings.TrimSpace(string(success)); got != want {
		return nil, &DamageError{path, fmt.Errorf("its SHA-256 is %s, %s was written", got, want)}
	}
	d := &Dataset{dir: dir}
	if err := json.Unmarshal(data, &d.manifest); err != nil {
		return nil, &DamageError{path, err}
	}
	if d.manifest.SchemaVersion != schema.Version {
		return nil, fmt.Errorf("%s: its tables have version %d, this program reads version %d", dir, d.manifest.SchemaVersion, schema.Version)
	}
	for _, file := range d.manifest.Files {
		if !filepath.IsLocal(file.Path) {
			return nil, &DamageError{path, fmt.Errorf("it names the file %q outside of the dataset", file.Path)}
		}
	}
	return d, nil
}

// Manifest is what the build published of itself.
func (d *Dataset) Manifest() *Manifest { return &d.manifest }

// Dir is the dataset's directory.
func (d *Dataset) Dir() string { return d.dir }

// files are the shards of a table and a split ("": of all splits) in their order.
func (d *Dataset) files(table schema.Table, split string) []File {
	var files []File
	for _, file := range d.manifest.Files {
		if file.Table == table && (split == "" || file.Split == split) {
			files = append(files, file)
		}
	}
	return files
}

func (d *Dataset) path(file File) string { return filepath.Join(d.dir, filepath.FromSlash(file.Path)) }

// Count is the number of rows of a table in a split, or in all splits where it is "".
func (d *Dataset) Count(table schema.Table, split string) int64 {
	var n int64
	for _, file := range d.files(table, split) {
		n += file.Rows
	}
	return n
}

// Rows yields the rows of a table in a split, or in all splits where it is "", in the order in which they are stored.
// An error ends the sequence. Rows are the caller's to keep.
func Rows[T schema.Row](d *Dataset, split string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, file := range d.files(schema.TableOf[T](), split) {
			for row, err := range readRows[T](d.path(file), 0) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// RowAt is row n, from 0, of a table in a split, or in all splits where it is "".
func RowAt[T schema.Row](d *Dataset, split string, n int64) (*T, error) {
	table := schema.TableOf[T]()
	left := n
	for _, file := range d.files(table, split) {
		if left >= 0 && left < file.Rows {
			for row, err := range readRows[T](d.path(file), left) {
				return row, err
			}
			return nil, &DamageError{d.path(file), io.ErrUnexpectedEOF}
		}
		left -= file.Rows
	}
	return nil, fmt.Errorf("%s has %d rows in split %q of %s: there is no row %d", d.dir, d.Count(table, split), split, table, n)
}

// Find is the row of a table with this id; nil when there is none. It reads the column of ids from the start.
func Find[T schema.Row](d *Dataset, id string) (*T, error) {
	for _, file := range d.files(schema.TableOf[T](), "") {
		n, err := findID(d.path(file), id)
		if err != nil {
			return nil, err
		}
		if n < 0 {
			continue
		}
		for row, err := range readRows[T](d.path(file), n) {
			return row, err
		}
	}
	return nil, nil
}

func findID(path, id string) (at int64, err error) {
	defer recoverDamage(path, &err)
	file, table, err := openParquet(path, parquet.SkipPageIndex(true))
	if err != nil {
		return -1, err
	}
	defer file.Close()
	type row struct {
		ID string `parquet:"id"`
	}
	reader := parquet.NewGenericReader[row](table)
	defer reader.Close()
	rows := make([]row, 1024)
	for at := int64(0); ; {
		n, err := reader.Read(rows)
		for i := range rows[:n] {
			if rows[i].ID == id {
				return at + int64(i), nil
			}
		}
		at += int64(n)
		if errors.Is(err, io.EOF) {
			return -1, nil
		}
		if err != nil {
			return -1, &DamageError{path, err}
		}
	}
}

// readRows yields the rows of one file, from row number first.
func readRows[T schema.Row](path string, first int64) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		r, err := openRows[T](path, first)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.close()
		for {
			rows, err := r.next()
			for i := range rows {
				if !yield(&rows[i], nil) {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// rowReader reads a file in small batches: a row may be large.
type rowReader[T schema.Row] struct {
	path   string
	file   *os.File
	reader *parquet.GenericReader[T]
}

func openRows[T schema.Row](path string, first int64) (r *rowReader[T], err error) {
	defer recoverDamage(path, &err)
	file, table, err := openParquet(path, parquet.SkipPageIndex(first == 0))
	if err != nil {
		return nil, err
	}
	if table.Schema().String() != schemaOf[T]().String() {
		file.Close()
		return nil, &DamageError{path, fmt.Errorf("its schema is not that of the table %s, version %d", schema.TableOf[T](), schema.Version)}
	}
	r = &rowReader[T]{path: path, file: file, reader: parquet.NewGenericReader[T](table)}
	if first > 0 {
		if err := r.reader.SeekToRow(first); err != nil {
			r.close()
			return nil, &DamageError{path, err}
		}
	}
	return r, nil
}

// next is the next batch, which nothing else refers to, and io.EOF with or after the last.
func (r *rowReader[T]) next() (rows []T, err error) {
	defer recoverDamage(r.path, &err)
	const batch = 16
	rows = make([]T, batch)
	n, err := r.reader.Read(rows)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &DamageError{r.path, err}
	}
	return rows[:n], err
}

func (r *rowReader[T]) close() {
	r.reader.Close()
	r.file.Close()
}
