package shard

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// pageFile is where the pages of an open row group are. A Parquet file has the columns of a group one after another, so all pages
// of a group are kept until it ends, and memory is no place for that: a group may have hundreds of megabytes. The pages are in
// the file as they come, and a column knows which stretches are its own. It belongs to one writer at a time.
type pageFile struct {
	file *os.File
	out  *bufio.Writer
	end  int64  // of what was written, what is still in out included
	open int    // columns that have pages
	copy []byte // room for copying
}

func createPageFile(path string) (*pageFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, writeError(path, err)
	}
	f := &pageFile{file: file, out: bufio.NewWriterSize(nil, 64<<10), copy: make([]byte, 64<<10)}
	f.rewind()
	return f, nil
}

func (f *pageFile) rewind() {
	f.end = 0
	f.out.Reset(io.NewOffsetWriter(f.file, 0))
}

func (f *pageFile) close() error { return f.file.Close() }

// GetBuffer is a place for the pages of a column. With PutBuffer, it makes the file a parquet.BufferPool.
func (f *pageFile) GetBuffer() io.ReadWriteSeeker {
	f.open++
	return &columnPages{in: f}
}

// PutBuffer gives a column's place back. When all are, the file is used from its start again.
func (f *pageFile) PutBuffer(io.ReadWriteSeeker) {
	if f.open--; f.open == 0 {
		f.rewind()
	}
}

// columnPages are the pages of a column, which are written, and then read from their start.
type columnPages struct {
	in        *pageFile
	stretches []stretch
	read      int   // stretches that were read
	readOf    int64 // bytes that were read of the next one
}

type stretch struct{ at, n int64 }

func (p *columnPages) Write(b []byte) (int, error) {
	n, err := p.in.out.Write(b)
	if last := len(p.stretches) - 1; last >= 0 && p.stretches[last].at+p.stretches[last].n == p.in.end {
		p.stretches[last].n += int64(n)
	} else {
		p.stretches = append(p.stretches, stretch{p.in.end, int64(n)})
	}
	p.in.end += int64(n)
	return n, err
}

func (p *columnPages) Read(b []byte) (int, error) {
	if err := p.in.out.Flush(); err != nil {
		return 0, err
	}
	if p.read == len(p.stretches) {
		return 0, io.EOF
	}
	s := p.stretches[p.read]
	n, err := p.in.file.ReadAt(b[:min(int64(len(b)), s.n-p.readOf)], s.at+p.readOf)
	if p.readOf += int64(n); p.readOf == s.n {
		p.read, p.readOf = p.read+1, 0
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// WriteTo is what io.Copy uses. Neither it nor what it writes to makes a buffer for each column then.
func (p *columnPages) WriteTo(w io.Writer) (int64, error) {
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{p}, p.in.copy)
}

var errSeek = errors.New("pages are read from their start only")

// Seek goes to the start.
func (p *columnPages) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, errSeek
	}
	p.read, p.readOf = 0, 0
	return 0, nil
}
