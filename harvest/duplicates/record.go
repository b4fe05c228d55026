package duplicates

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// Record is the fingerprint of one function.
type Record struct {
	ID        [16]byte // of the function
	Tree      [16]byte // digest of its normalised tree
	Tokens    uint32   // how many there are
	Excluded  uint32   // not 0: it is a copy of nothing, and nothing of it; the caller's own number
	Signature Signature
}

// RecordBytes is the size of a record as it is written.
var RecordBytes = binary.Size(Record{})

// Append writes a record behind what is there.
func (r *Record) Append(b []byte) []byte {
	b, err := binary.Append(b, binary.LittleEndian, r)
	if err != nil {
		panic(err) // all fields have a fixed size
	}
	return b
}

// Files are the records of a build: those of the first file, then those of the next.
type Files struct {
	paths  []string
	starts []int // per file, and one more: number of its first record
	open   int   // number of the open file
	file   *os.File
}

// OpenFiles looks how many records there are.
func OpenFiles(paths []string) (*Files, error) {
	f := &Files{paths: paths, starts: make([]int, 1, len(paths)+1), open: -1}
	for i, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.Size()%int64(RecordBytes) != 0 {
			return nil, fmt.Errorf("%s: %d bytes are no whole number of records", path, info.Size())
		}
		f.starts = append(f.starts, f.starts[i]+int(info.Size())/RecordBytes)
	}
	return f, nil
}

// Len is the number of records, Start the number of the first of a file.
func (f *Files) Len() int           { return f.starts[len(f.paths)] }
func (f *Files) Start(file int) int { return f.starts[file] }
func (f *Files) fileOf(n int) (i int) {
	low, high := 0, len(f.paths)
	for low+1 < high {
		if middle := (low + high) / 2; f.starts[middle] <= n {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Close closes the file that is open.
func (f *Files) Close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file, f.open = nil, -1
	return err
}

// At reads one record.
func (f *Files) At(n int, into *Record) error {
	i := f.fileOf(n)
	if i != f.open {
		if err := f.Close(); err != nil {
			return err
		}
		file, err := os.Open(f.paths[i])
		if err != nil {
			return err
		}
		f.file, f.open = file, i
	}
	at := io.NewSectionReader(f.file, int64(n-f.starts[i])*int64(RecordBytes), int64(RecordBytes))
	return binary.Read(at, binary.LittleEndian, into)
}

// each reads all records in order.
func (f *Files) each(visit func(n int, r *Record) error) error {
	for i, path := range f.paths {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		in := bufio.NewReaderSize(file, 256<<10)
		var record Record
		for n := f.starts[i]; n < f.starts[i+1] && err == nil; n++ {
			if err = binary.Read(in, binary.LittleEndian, &record); err == nil {
				err = visit(n, &record)
			}
		}
		file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}
