package shard

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// TestPageFile writes the pages of several columns in turns, in two groups, and reads each column as a whole.
func TestPageFile(t *testing.T) {
	f, err := createPageFile(filepath.Join(t.TempDir(), "x.pages"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2 {
		const columns = 3
		var pages [columns]io.ReadWriteSeeker
		var want [columns][]byte
		for i := range pages {
			pages[i] = f.GetBuffer()
		}
		for range 100 {
			i := random.IntN(columns)
			page := bytes.Repeat([]byte{byte(random.IntN(256))}, random.IntN(5000))
			if n, err := pages[i].Write(page); n != len(page) || err != nil {
				t.Fatal(n, err)
			}
			want[i] = append(want[i], page...)
		}
		for i := range pages {
			for name, read := range map[string]func() ([]byte, error){
				"WriteTo": func() ([]byte, error) {
					var b bytes.Buffer
					_, err := io.Copy(&b, pages[i])
					return b.Bytes(), err
				},
				"Read": func() ([]byte, error) { return io.ReadAll(struct{ io.Reader }{pages[i]}) },
			} {
				if at, err := pages[i].Seek(0, io.SeekStart); at != 0 || err != nil {
					t.Fatal(at, err)
				}
				if got, err := read(); err != nil || !bytes.Equal(got, want[i]) {
					t.Errorf("column %d, %s: got %d bytes, want %d: %v", i, name, len(got), len(want[i]), err)
				}
			}
		}
		for i := range pages {
			f.PutBuffer(pages[i])
		}
		if f.end != 0 {
			t.Error("the file is not used from its start again")
		}
	}
	if err := f.close(); err != nil {
		t.Error(err)
	}
}

func TestPageFileIsCut(t *testing.T) {
	f, err := createPageFile(filepath.Join(t.TempDir(), "x.pages"))
	if err != nil {
		t.Fatal(err)
	}
	pages := f.GetBuffer()
	if _, err := pages.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if _, err := pages.Seek(1, io.SeekStart); err == nil {
		t.Error("went to the middle")
	}
	if err := f.file.Truncate(1000); err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, pages); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %d bytes, %v", n, err)
	}
	if err := f.close(); err != nil {
		t.Error(err)
	}
}
