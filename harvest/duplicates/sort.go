package duplicates

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
)

// sorter sorts records of one size by their bytes, on disk where they are more than its buffer holds.
type sorter struct {
	dir    string
	size   int // of a record, bytes
	buffer []byte
	limit  int // bytes of the buffer
	runs   []*os.File
}

// newSorter keeps its runs in a directory that the caller removes.
func newSorter(dir string, size, limit int) *sorter {
	return &sorter{dir: dir, size: size, limit: max(limit/size, 1) * size}
}

func (s *sorter) add(record []byte) error {
	s.buffer = append(s.buffer, record...)
	if len(s.buffer) < s.limit {
		return nil
	}
	return s.spill()
}

func (s *sorter) spill() error {
	sort.Sort(&fixed{data: s.buffer, size: s.size, spare: make([]byte, s.size)})
	file, err := os.CreateTemp(s.dir, "run-*")
	if err != nil {
		return err
	}
	s.runs = append(s.runs, file)
	if _, err := file.Write(s.buffer); err != nil {
		return fmt.Errorf("sort: %w", err)
	}
	s.buffer = s.buffer[:0]
	return nil
}

// each visits the records in order. A record is only valid during its visit.
func (s *sorter) each(visit func(record []byte) error) error {
	sort.Sort(&fixed{data: s.buffer, size: s.size, spare: make([]byte, s.size)})
	merge := merger{}
	for _, file := range s.runs {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := merge.open(bufio.NewReaderSize(file, 64<<10), s.size); err != nil {
			return err
		}
	}
	if err := merge.open(bytes.NewReader(s.buffer), s.size); err != nil {
		return err
	}
	heap.Init(&merge)
	for len(merge) > 0 {
		if err := visit(merge[0].record); err != nil {
			return err
		}
		switch more, err := merge[0].next(); {
		case err != nil:
			return err
		case more:
			heap.Fix(&merge, 0)
		default:
			heap.Pop(&merge)
		}
	}
	return nil
}

// close removes the runs.
func (s *sorter) close() {
	for _, file := range s.runs {
		file.Close()
		os.Remove(file.Name())
	}
	s.runs, s.buffer = nil, nil
}

// fixed sorts records that lie one after the other.
type fixed struct {
	data  []byte
	size  int
	spare []byte
}

func (f *fixed) at(i int) []byte    { return f.data[i*f.size : (i+1)*f.size] }
func (f *fixed) Len() int           { return len(f.data) / f.size }
func (f *fixed) Less(i, j int) bool { return bytes.Compare(f.at(i), f.at(j)) < 0 }
func (f *fixed) Swap(i, j int) {
	copy(f.spare, f.at(i))
	copy(f.at(i), f.at(j))
	copy(f.at(j), f.spare)
}

// stream is one sorted run.
type stream struct {
	in     io.Reader
	record []byte
}

func (s *stream) next() (bool, error) {
	_, err := io.ReadFull(s.in, s.record)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// merger is a heap of runs by their next records.
type merger []*stream

func (m *merger) open(in io.Reader, size int) error {
	s := &stream{in: in, record: make([]byte, size)}
	more, err := s.next()
	if more {
		*m = append(*m, s)
	}
	return err
}

func (m merger) Len() int           { return len(m) }
func (m merger) Less(i, j int) bool { return bytes.Compare(m[i].record, m[j].record) < 0 }
func (m merger) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merger) Push(x any)        { *m = append(*m, x.(*stream)) }
func (m *merger) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}
