package shard

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/tracemill/tracemill/schema"
)

// File is a file of a build, as the commit or the manifest that names it found it.
type File struct {
	Path   string       `json:"path"` // relative, with forward slashes
	Table  schema.Table `json:"table,omitempty"`
	Split  string       `json:"split,omitempty"`
	Size   int64        `json:"size"`
	SHA256 string       `json:"sha256"`
	Rows   int64        `json:"rows"`
}

// DamageError says that a file is not what the commit or the manifest says it is.
type DamageError struct {
	Path string
	Err  error
}

func (e *DamageError) Error() string { return fmt.Sprintf("%s is damaged: %v", e.Path, e.Err) }
func (e *DamageError) Unwrap() error { return e.Err }

// describe fills in what is found of a file.
func (f *File) describe(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	h := sha256.New()
	if f.Size, err = io.Copy(h, file); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	f.SHA256 = hex.EncodeToString(h.Sum(nil))
	return nil
}

// check compares the file at a path with what is recorded of it.
func (f *File) check(path string) error {
	var found File
	if err := found.describe(path); err != nil {
		return &DamageError{path, err}
	}
	if found.Size != f.Size {
		return &DamageError{path, fmt.Errorf("%d bytes, %d were written", found.Size, f.Size)}
	}
	if found.SHA256 != f.SHA256 {
		return &DamageError{path, fmt.Errorf("SHA-256 is %s, %s was written", found.SHA256, f.SHA256)}
	}
	return nil
}

// checkTable opens a Parquet file of a table and compares its schema and its number of rows.
func checkTable[T schema.Row](path string, rows int64) (err error) {
	defer recoverDamage(path, &err)
	file, table, err := openParquet(path, parquet.SkipPageIndex(true))
	if err != nil {
		return err
	}
	defer file.Close()
	if got, want := table.Schema().String(), schemaOf[T]().String(); got != want {
		return &DamageError{path, fmt.Errorf("its schema is not that of the table %s, version %d", schema.TableOf[T](), schema.Version)}
	}
	if table.NumRows() != rows {
		return &DamageError{path, fmt.Errorf("%d rows, %d were written", table.NumRows(), rows)}
	}
	return nil
}

func openParquet(path string, options ...parquet.FileOption) (*os.File, *parquet.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	table, err := parquet.OpenFile(file, info.Size(), append(options, parquet.SkipBloomFilters(true))...)
	if err != nil {
		file.Close()
		return nil, nil, &DamageError{path, err}
	}
	return file, table, nil
}

// recoverDamage makes an error of a panic: a Parquet reader may meet one in a damaged file.
func recoverDamage(path string, err *error) {
	if r := recover(); r != nil {
		*err = &DamageError{path, fmt.Errorf("reading it fails: %v", r)}
	}
}

// attemptName is a name that was never used before and will not be used again.
func attemptName() string {
	var b [10]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// writeTemporary writes a synced file beside the place where it is to be.
func writeTemporary(path string, data []byte) (temporary string, err error) {
	temporary = filepath.Join(filepath.Dir(path), ".tmp-"+attemptName())
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", writeError(path, err)
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(temporary)
		return "", writeError(path, err)
	}
	return temporary, nil
}

// createOnce makes a file with this content if there is none of its name: fs.ErrExist says that there is. It is there as a
// whole or not at all, whoever else tries and whenever this process is killed.
func createOnce(path string, data []byte) error {
	temporary, err := writeTemporary(path, data)
	if err != nil {
		return err
	}
	defer os.Remove(temporary)
	if err := os.Link(temporary, path); errors.Is(err, fs.ErrExist) {
		return fs.ErrExist
	} else if err != nil {
		return fmt.Errorf("%w; the output directory must be on a file system with hard links", err)
	}
	return syncDir(filepath.Dir(path))
}

// Try does in a directory, or in the nearest one above it that is there, what a build does: it makes, links and renames a file. It
// leaves nothing.
func Try(dir string) (err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	at, err := os.Stat(dir)
	for ; errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir; at, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	if err != nil {
		return fmt.Errorf("%w; choose another output directory", err)
	}
	if !at.IsDir() {
		return fmt.Errorf("%s is no directory; choose another output directory", dir)
	}
	making, err := os.MkdirTemp(dir, ".tracemill-")
	if err != nil {
		return fmt.Errorf("%s cannot be written to: %w; choose another output directory", dir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(making)) }()
	if err := createOnce(filepath.Join(making, "file"), []byte("x")); err != nil {
		return err
	}
	return replace(filepath.Join(making, "file"), []byte("y"))
}

// replace puts a file with this content in the place of whatever is there.
func replace(path string, data []byte) error {
	temporary, err := writeTemporary(path, data)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		os.Remove(temporary)
		return writeError(path, err)
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the names in a directory last.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return writeError(path, err)
	}
	return nil
}

// encode is v as indented JSON with its final line end; maps are in the order of their keys.
func encode(v any) []byte {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // the types of this package are strings, numbers, lists and maps of them
	}
	return append(data, '\n')
}
