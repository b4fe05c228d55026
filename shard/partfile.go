package shard

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
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

// partFile is the file of one table of a part: its rows one after another, in S2, which is a quick Snappy. Each row is the number
// of its split in the plan, its size as measured, the length of what follows, all as varints, and its fields (rowcode.go). Only this program reads
// it, once for each split. As Parquet it would cost several times as much, since what that does for each column of each file is
// paid for a few dozen rows.
type partFile[T schema.Row] struct {
	path string
	file *os.File
	out  *summed
	zip  *s2.Writer
	head []byte // of the last row; both are kept for their room
	code []byte
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

// maxRowCode is the longest that a row of maxRowBytes can be as rowcode.go writes it: a number of four bytes takes at most five.
const maxRowCode = 2 * maxRowBytes

func createPartFile[T schema.Row](path string) (*partFile[T], error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, writeError(path, err)
	}
	f := &partFile[T]{path: path, file: file, out: &summed{out: bufio.NewWriter(file), hash: sha256.New()}, zip: compressors.Get().(*s2.Writer)}
	f.zip.Reset(f.out)
	return f, nil
}

// write adds a row of a split. Nothing of the row is kept when it is none that the table can hold.
func (f *partFile[T]) write(split int, row *T) error {
	size, err := measured(row)
	if err != nil {
		return err
	}
	f.code = encodeRow(f.code[:0], row)
	f.head = f.head[:0]
	for _, n := range []int64{int64(split), size, int64(len(f.code))} {
		f.head = binary.AppendUvarint(f.head, uint64(n))
	}
	for _, b := range [][]byte{f.head, f.code} {
		if _, err := f.zip.Write(b); err != nil {
			return writeError(f.path, err)
		}
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

// partRows yields the rows of one of a number of splits in a part's file of so many rows, each until the next is asked for. The
// file has been compared with its commit's SHA-256: what is wrong with it all the same is damage.
func partRows[T schema.Row](path string, rows int64, split, splits int) iter.Seq2[*partRow[T], error] {
	return func(yield func(*partRow[T], error) bool) {
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
		in := partReader{zip: zip, splits: splits}
		row := new(partRow[T])
		for n := int64(0); ; n++ {
			of, err := in.next(split)
			if err == nil && of == split {
				row.size = in.size
				err = decodeRow(in.code, &row.row)
			}
			switch {
			case errors.Is(err, io.EOF) && n == rows:
				return
			case err != nil:
				yield(nil, &DamageError{path, fmt.Errorf("row %d of %d: %w", n, rows, err)})
				return
			case of == split && !yield(row, nil):
				return
			}
		}
	}
}

// partRow is a row and its size, as measured when it was written.
type partRow[T schema.Row] struct {
	row  T
	size int64
}

// partReader reads the rows of a part's file as bytes.
type partReader struct {
	zip    *s2.Reader
	splits int
	code   []byte // of the row that was read last
	size   int64  // likewise
}

// next reads a row if it is of a split, and else only says of which it is. io.EOF says that there is none.
func (r *partReader) next(split int) (of int, err error) {
	number, err := binary.ReadUvarint(r.zip)
	if err != nil {
		return 0, err
	}
	if number >= uint64(r.splits) {
		return 0, fmt.Errorf("it is of split %d, the plan has %d", number, r.splits)
	}
	if err = r.rest(int(number) == split); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return int(number), err
}

// rest reads what follows a row's split, or skips it.
func (r *partReader) rest(wanted bool) error {
	size, err := binary.ReadUvarint(r.zip)
	if err != nil {
		return err
	}
	length, err := binary.ReadUvarint(r.zip)
	if err != nil {
		return err
	}
	if size > maxRowBytes || length > maxRowCode {
		return errRowCode
	}
	if !wanted {
		return r.zip.Skip(int64(length))
	}
	r.size, r.code = int64(size), sized(r.code, int(length))
	_, err = io.ReadFull(r.zip, r.code)
	return err
}
