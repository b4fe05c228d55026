package shard

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

func testPartFile[T schema.Row](t *testing.T, make func(int, string) *T) {
	for _, rows := range []int{0, 1, 200} {
		var want []T
		for n := range rows {
			want = append(want, *make(n, "train"))
		}
		path, record := writePartFile(t, want)
		if record.Rows != int64(rows) || record.Table != schema.TableOf[T]() {
			t.Errorf("recorded as %d rows of %s", record.Rows, record.Table)
		}
		if err := record.check(path); err != nil {
			t.Error(err)
		}
		sameRows(t, collect(t, partRows[T](path, record.Rows)), want)
	}
}

func writePartFile[T schema.Row](t *testing.T, rows []T) (path string, record File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "x.rows")
	f, err := createPartFile[T](path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := f.write(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if record, err = f.close(); err != nil {
		t.Fatal(err)
	}
	return path, record
}

func TestPartFile(t *testing.T) {
	testPartFile(t, functionRow)
	testPartFile(t, traceRow)
	testPartFile(t, trajectoryRow)
}

// TestPartFileKeepsNothingOfABadRow writes a row that no table can hold between two that it can.
func TestPartFileKeepsNothingOfABadRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.rows")
	f, err := createPartFile[schema.FunctionRow](path)
	if err != nil {
		t.Fatal(err)
	}
	good, bad := functionRow(1, "train"), functionRow(2, "train")
	bad.Doc = "\xff"
	for _, row := range []*schema.FunctionRow{good, bad, good} {
		if err := f.write(row); (err != nil) != (row == bad) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := f.close(); err != nil {
		t.Fatal(err)
	}
	sameRows(t, collect(t, partRows[schema.FunctionRow](path, 2)), []schema.FunctionRow{*good, *good})
}

func TestPartRowsDamaged(t *testing.T) {
	rows := []schema.TraceRow{*traceRow(1, "train"), *traceRow(2, "train"), *traceRow(3, "train")}
	for name, harm := range map[string]func(path string) int64{
		"fewer rows": func(string) int64 { return 4 },
		"more rows":  func(string) int64 { return 2 },
		"no S2": func(path string) int64 {
			writeBytes(t, path, []byte("PAR1"))
			return 3
		},
		"cut": func(path string) int64 {
			data := readFile(t, path)
			writeBytes(t, path, []byte(data[:len(data)-10]))
			return 3
		},
	} {
		path, _ := writePartFile(t, rows)
		promised := harm(path)
		var last error
		for _, err := range partRows[schema.TraceRow](path, promised) {
			last = err
		}
		var damage *DamageError
		if !errors.As(last, &damage) || !strings.Contains(last.Error(), path) {
			t.Errorf("%s: got %v", name, last)
		}
	}
}
