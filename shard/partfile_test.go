package shard

import (
	"errors"
	"iter"
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
		samePartRows(t, partRows[T](path, record.Rows, 0, 1), want)
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
		if err := f.write(0, &rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if record, err = f.close(); err != nil {
		t.Fatal(err)
	}
	return path, record
}

// samePartRows compares each row as it comes: the next one overwrites it.
func samePartRows[T schema.Row](t *testing.T, rows iter.Seq2[*partRow[T], error], want []T) {
	t.Helper()
	n := 0
	for row, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		if n == len(want) {
			t.Fatalf("more than %d rows", n)
		}
		sameRows(t, []T{row.row}, want[n:n+1])
		if size, err := schema.Measure(&want[n]); err != nil || row.size != size {
			t.Errorf("row %d has the size %d, want %d (%v)", n, row.size, size, err)
		}
		n++
	}
	if n != len(want) {
		t.Errorf("got %d rows, want %d", n, len(want))
	}
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
		if err := f.write(0, row); (err != nil) != (row == bad) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := f.close(); err != nil {
		t.Fatal(err)
	}
	samePartRows(t, partRows[schema.FunctionRow](path, 2, 0, 1), []schema.FunctionRow{*good, *good})
}

// TestPartFileOfSplits reads the rows of each split, those before, between and after them being skipped.
func TestPartFileOfSplits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.rows")
	f, err := createPartFile[schema.TraceRow](path)
	if err != nil {
		t.Fatal(err)
	}
	const rows, splits = 300, 3 // more than a block of S2
	want := make([][]schema.TraceRow, splits+1)
	for n := range rows {
		split := n * n % 7 % splits
		row := traceRow(n, "train")
		if err := f.write(split, row); err != nil {
			t.Fatal(err)
		}
		want[split] = append(want[split], *row)
	}
	if _, err := f.close(); err != nil {
		t.Fatal(err)
	}
	for split := range want {
		samePartRows(t, partRows[schema.TraceRow](path, rows, split, splits+1), want[split])
	}
	for _, err = range partRows[schema.TraceRow](path, rows, 0, splits-1) {
		if err != nil {
			break
		}
	}
	var damage *DamageError
	if !errors.As(err, &damage) || !strings.Contains(err.Error(), "of split 2, the plan has 2") {
		t.Errorf("a split that the plan does not have: got %v", err)
	}
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
		for _, err := range partRows[schema.TraceRow](path, promised, 0, 1) {
			last = err
		}
		var damage *DamageError
		if !errors.As(last, &damage) || !strings.Contains(last.Error(), path) {
			t.Errorf("%s: got %v", name, last)
		}
	}
}
