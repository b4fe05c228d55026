package shard

import (
	"bufio"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/tracemill/tracemill/schema"
)

// partFile is the file of one table of a part: its rows one after another, as gob in S2, which is a quick Snappy. Only
// this program reads it, whole and once. As Parquet it would cost several times as much, since what that does for each
// column of each file is paid for a few dozen rows.
type partFile[T schema.Row] struct {
	path string
	file *os.File
	out  *summed
	zip  *s2.Writer
	gob  *gob.Encoder
	rows int64
}

// summed counts and hashes what passes.
type summed struct {
	out  *bufio.Writer
	hash hash.Hash
	n    int64
}

func (s *summed) Write(b []byte) (int, error) {
	n, err := s.out.Write(b)
	s.hash.Write(b[:n])
	s.n += int64(n)
	return n, err
}

// What is idle is kept: its buffers cost more to make than a part's file takes to compress or to read. No goroutines.
var (
	compressors   = sync.Pool{New: func() any { return s2.NewWriter(nil, s2.WriterConcurrency(1), s2.WriterBlockSize(partBlock)) }}
	decompressors = sync.Pool{New: func() any { return s2.NewReader(nil, s2.ReaderMaxBlockSize(partBlock)) }}
)

// partBlock is what is compressed at once, in bytes: many rows, since what repeats is mostly their programs.
const partBlock = 256 << 10

func createPartFile[T schema.Row](path string) (*partFile[T], error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, writeError(path, err)
	}
	f := &partFile[T]{path: path, file: file, out: &summed{out: bufio.NewWriter(file), hash: sha256.New()}, zip: compressors.Get().(*s2.Writer)}
	f.zip.Reset(f.out)
	f.gob = gob.NewEncoder(f.zip)
	return f, nil
}

// write adds a row. Nothing of the row is kept when it is none that the table can hold.
func (f *partFile[T]) write(row *T) error {
	if _, err := measured(row); err != nil {
		return err
	}
	if err := f.gob.Encode(row); err != nil {
		return writeError(f.path, err)
	}
	f.rows++
	return nil
}

// close ends the file, and returns when it is on the disk. The file is closed whatever the outcome.
func (f *partFile[T]) close() (File, error) {
	err := f.zip.Close()
	if err == nil {
		err = f.out.out.Flush()
	}
	if err == nil {
		err = f.file.Sync()
	}
	if closed := f.release(); err == nil {
		err = closed
	}
	return File{
		Table: schema.TableOf[T](), Size: f.out.n, SHA256: hex.EncodeToString(f.out.hash.Sum(nil)), Rows: f.rows,
	}, writeError(f.path, err)
}

// release closes the file as it is, if it is open.
func (f *partFile[T]) release() error {
	if f == nil || f.file == nil {
		return nil
	}
	f.zip.Reset(nil)
	compressors.Put(f.zip)
	err := f.file.Close()
	f.file = nil
	return err
}

// partRows yields the rows of a part's file. The file has been compared with its commit's SHA-256: what is wrong with it all
// the same is damage.
func partRows[T schema.Row](path string, rows int64) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		zip := decompressors.Get().(*s2.Reader)
		zip.Reset(file)
		defer func() {
			zip.Reset(nil)
			decompressors.Put(zip)
		}()
		in := gob.NewDecoder(bufio.NewReader(zip))
		for n := int64(0); ; n++ {
			row := new(T)
			err := in.Decode(row)
			switch {
			case errors.Is(err, io.EOF) && n == rows:
				return
			case err != nil:
				yield(nil, &DamageError{path, fmt.Errorf("row %d of %d: %w", n, rows, err)})
				return
			case !yield(row, nil):
				return
			}
		}
	}
}
