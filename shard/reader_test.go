package shard

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/tracemill/tracemill/schema"
)

func dataset(t *testing.T) *Dataset {
	t.Helper()
	b := build(t, t.TempDir())
	finalize(t, b)
	d, err := OpenDataset(b.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDataset(t *testing.T) {
	d := dataset(t)
	if err := d.Verify(context.Background()); err != nil {
		t.Fatal(err)
	}
	sameRows(t, collect(t, Rows[schema.TraceRow](d, "test")), expected("test", traceRow))
	all := collect(t, Rows[schema.TrajectoryRow](d, ""))
	if len(all) != 35 || d.Count(schema.Trajectories, "") != 35 || d.Count(schema.Trajectories, "test") != 11 {
		t.Errorf("%d rows", len(all))
	}
	for n := range all {
		row, err := RowAt[schema.TrajectoryRow](d, "", int64(n))
		if err != nil {
			t.Fatal(err)
		}
		sameRows(t, []schema.TrajectoryRow{*row}, all[n:n+1])
	}
	for _, n := range []int64{-1, 35} {
		if _, err := RowAt[schema.TrajectoryRow](d, "", n); err == nil {
			t.Errorf("there is a row %d", n)
		}
	}
	want := *traceRow(17, splitOfItem(17))
	found, err := Find[schema.TraceRow](d, want.ID)
	if err != nil || found == nil {
		t.Fatalf("got %v, %v", found, err)
	}
	sameRows(t, []schema.TraceRow{*found}, []schema.TraceRow{want})
	if found, err := Find[schema.TraceRow](d, "no such id"); found != nil || err != nil {
		t.Errorf("got %v, %v", found, err)
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	good := dataset(t)
	for _, test := range []struct {
		name string
		harm func(t *testing.T, dir string)
		want string
	}{
		{"bit", func(t *testing.T, dir string) {
			path := filepath.Join(dir, "functions", first(t, dir, "functions"))
			data := []byte(readFile(t, path))
			data[len(data)/3] ^= 4
			writeBytes(t, path, data)
		}, "SHA-256 is"},
		{"cut", func(t *testing.T, dir string) {
			writeBytes(t, filepath.Join(dir, "traces", first(t, dir, "traces")), []byte("PAR1"))
		}, "4 bytes,"},
		{"missing", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "traces", first(t, dir, "traces"))) }, "no such file"},
		{"card", func(t *testing.T, dir string) { writeBytes(t, filepath.Join(dir, cardFile), []byte("x")) }, cardFile + " is damaged"},
		{"stranger", func(t *testing.T, dir string) {
			writeBytes(t, filepath.Join(dir, "traces", "train-extra.parquet"), []byte("x"))
		}, "train-extra.parquet is not in the manifest"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(good.Dir())); err != nil {
				t.Fatal(err)
			}
			d, err := OpenDataset(dir)
			if err != nil {
				t.Fatal(err)
			}
			test.harm(t, d.Dir())
			if err := d.Verify(context.Background()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	writeBytes(t, filepath.Join(good.Dir(), manifestFile), []byte("{}"))
	if _, err := OpenDataset(good.Dir()); err == nil || !strings.Contains(err.Error(), "manifest.json is damaged") {
		t.Errorf("got %v", err)
	}
}

func first(t *testing.T, dir, table string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, table))
	if err != nil {
		t.Fatal(err)
	}
	return entries[0].Name()
}

// FuzzDamagedFile harms one byte of a good file, or gives other bytes in its place: reading ends with rows or an error that
// names the file, never with a panic.
func FuzzDamagedFile(f *testing.F) {
	path := filepath.Join(f.TempDir(), "good.parquet")
	file, err := os.Create(path)
	if err != nil {
		f.Fatal(err)
	}
	w := newWriter[schema.TrajectoryRow](file, Layout{}, parquet.NewBufferPool())
	for n := range 5 {
		if err := w.Write(trajectoryRow(n, "train")); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	for at := 0; at < len(good); at += 97 {
		f.Add(good, uint(at), byte(0x81))
	}
	f.Add([]byte("PAR1"), uint(0), byte(0))
	f.Fuzz(func(t *testing.T, data []byte, at uint, harm byte) {
		data = append([]byte(nil), data...)
		if len(data) > 0 {
			data[at%uint(len(data))] ^= harm
		}
		path := filepath.Join(t.TempDir(), "x.parquet")
		writeBytes(t, path, data)
		for _, first := range []int64{0, 3} {
			for _, err := range readRows[schema.TrajectoryRow](path, first) {
				if err != nil && !strings.Contains(err.Error(), "x.parquet") {
					t.Errorf("%v does not name the file", err)
				}
			}
		}
		if _, err := findID(path, "x"); err != nil && !strings.Contains(err.Error(), "x.parquet") {
			t.Errorf("%v does not name the file", err)
		}
	})
}
