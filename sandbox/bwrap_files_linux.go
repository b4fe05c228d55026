package sandbox

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// opened are files to close together.
type opened []*os.File

func (o *opened) close() {
	for _, f := range *o {
		_ = f.Close()
	}
	*o = nil
}

// ends are the two of a pipe.
type ends struct {
	ours, theirs *os.File
}

// pipe makes a pipe whose one end, what we write to or what we read from, is added to ours, and whose other is added to o.
func (o *opened) pipe(ours *opened, write bool) (ends, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return ends{}, err
	}
	e := ends{ours: r, theirs: w}
	if write {
		e = ends{ours: w, theirs: r}
	}
	*ours, *o = append(*ours, e.ours), append(*o, e.theirs)
	return e, nil
}

// memory makes a file that has no place in a file system, to be read from its beginning.
func (o *opened) memory(name string, content []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	f := os.NewFile(uintptr(fd), name)
	*o = append(*o, f)
	if _, err := f.Write(content); err != nil {
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return f, err
}
