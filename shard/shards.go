package shard

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/tracemill/tracemill/schema"
)

// shards writes the rows of one table and split to as many files as they need, at least one.
type shards[T schema.Row] struct {
	dir    string
	split  string
	layout Layout
	open   *writer[T]
	pages  *pageFile // of the open row group
	rows   []int64   // of each closed file
}

func newShards[T schema.Row](dir, split string, layout Layout, pages *pageFile) *shards[T] {
	return &shards[T]{dir: dir, split: split, layout: layout.withDefaults(), pages: pages}
}

func (s *shards[T]) temporary(n int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s-%05d.parquet", s.split, n))
}

// write adds a row that a part's file held, and its size.
func (s *shards[T]) write(row *T, size int64) error {
	// What is not flushed yet does not count: a file ends at the end of a row group.
	if s.open != nil && s.open.group == 0 && s.open.out.n >= s.layout.ShardBytes {
		if err := s.closeFile(); err != nil {
			return err
		}
	}
	if s.open == nil {
		if err := s.openFile(); err != nil {
			return err
		}
	}
	return s.open.add(row, size)
}

func (s *shards[T]) openFile() error {
	name := s.temporary(len(s.rows))
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return writeError(name, err)
	}
	s.open = newWriter[T](file, s.layout, s.pages)
	return nil
}

func (s *shards[T]) closeFile() error {
	w := s.open
	s.open = nil
	if err := w.Close(); err != nil {
		return err
	}
	if err := checkTable[T](s.temporary(len(s.rows)), w.rows); err != nil {
		return err
	}
	s.rows = append(s.rows, w.rows)
	return nil
}

// close ends the last file and gives all of them the names that tell their number.
func (s *shards[T]) close() ([]File, error) {
	if s.open == nil && len(s.rows) == 0 {
		if err := s.openFile(); err != nil {
			return nil, err
		}
	}
	if s.open != nil {
		if err := s.closeFile(); err != nil {
			return nil, err
		}
	}
	var files []File
	for n, rows := range s.rows {
		name := fmt.Sprintf("%s-%05d-of-%05d.parquet", s.split, n, len(s.rows))
		if err := os.Rename(s.temporary(n), filepath.Join(s.dir, name)); err != nil {
			return nil, writeError(name, err)
		}
		table := schema.TableOf[T]()
		file := File{Path: path.Join(string(table), name), Table: table, Split: s.split, Rows: rows}
		if err := file.describe(filepath.Join(s.dir, name)); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func (s *shards[T]) abort() {
	if s.open != nil {
		s.open.file.Close()
		s.open = nil
	}
}
