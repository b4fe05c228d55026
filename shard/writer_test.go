package shard

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/tracemill/tracemill/schema"
)

func testReadBack[T schema.Row](t *testing.T, make func(int, string) *T) {
	for _, test := range []struct {
		name   string
		rows   int
		layout Layout
	}{
		{"empty", 0, Layout{}},
		{"one", 1, Layout{}},
		{"many", 200, Layout{}},
		{"many groups", 100, Layout{RowGroupBytes: 10_000}},
		{"a group per row", 30, Layout{RowGroupBytes: 1}},
	} {
		t.Run(string(schema.TableOf[T]())+"/"+test.name, func(t *testing.T) {
			var want []T
			for n := range test.rows {
				want = append(want, *make(n, "train"))
			}
			path := filepath.Join(t.TempDir(), "x.parquet")
			writeFile(t, path, test.layout, want)
			sameRows(t, readArrow[T](t, path), want)
			sameRows(t, collect(t, readRows[T](path, 0)), want)
			if err := checkTable[T](path, int64(len(want))); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestReadBack(t *testing.T) {
	testReadBack(t, functionRow)
	testReadBack(t, traceRow)
	testReadBack(t, trajectoryRow)
}

func TestSchemaGolden(t *testing.T) {
	var all strings.Builder
	add := func(s *parquet.Schema) { all.WriteString(s.String() + "\n\n") }
	add(schemaOf[schema.FunctionRow]())
	add(schemaOf[schema.TraceRow]())
	add(schemaOf[schema.TrajectoryRow]())
	golden(t, "schema.txt", all.String())
	for _, word := range []string{"optional", "(MAP)", "(ENUM)", "(JSON)", "UINT"} {
		if strings.Contains(all.String(), word) {
			t.Errorf("the schema has %s, which readers in other languages take for something else", word)
		}
	}
}

func metadata(t *testing.T, path string) *parquet.File {
	t.Helper()
	file, table, err := openParquet(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return table
}

func TestRowGroupsAreBoundedByBytes(t *testing.T) {
	row := *functionRow(11, "train") // the one with long strings
	size, err := schema.Measure(&row)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	writeFile(t, path, Layout{RowGroupBytes: 3*size - 1}, []schema.FunctionRow{row, row, row, row, row, row, row})
	var rows []int64
	for _, group := range metadata(t, path).RowGroups() {
		rows = append(rows, group.NumRows())
	}
	if len(rows) != 3 || rows[0] != 3 || rows[1] != 3 || rows[2] != 1 {
		t.Errorf("row groups of %v rows, want 3, 3, 1", rows)
	}
}

// TestColumns looks at what a query engine would: compression, dictionaries, statistics and the page index.
func TestColumns(t *testing.T) {
	var rows []schema.TrajectoryRow
	for n := range 50 {
		rows = append(rows, *trajectoryRow(n, "train"))
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	writeFile(t, path, Layout{}, rows)
	table := metadata(t, path)
	if version, _ := table.Lookup(VersionKey); version != strconv.Itoa(schema.Version) {
		t.Errorf("schema version %q", version)
	}
	for i, column := range table.Metadata().RowGroups[0].Columns {
		meta := column.MetaData
		name := strings.Join(meta.PathInSchema, ".")
		if meta.Codec.String() != "ZSTD" {
			t.Errorf("%s is compressed by %v", name, meta.Codec)
		}
		if column.ColumnIndexOffset == 0 || column.OffsetIndexOffset == 0 {
			t.Errorf("%s has no page index", name)
		}
		if text := textColumns[schema.TrajectoryRow]()[meta.PathInSchema[0]]; text != (meta.Statistics.MaxValue == nil) {
			t.Errorf("%s: maximum of %d bytes", name, len(meta.Statistics.MaxValue))
		}
		if name != "text" {
			continue
		}
		index, err := table.RowGroups()[0].ColumnChunks()[i].ColumnIndex()
		if err != nil {
			t.Fatal(err)
		}
		greatest := ""
		for _, value := range strange {
			greatest = max(greatest, value)
		}
		found := ""
		for page := range index.NumPages() {
			found = max(found, index.MaxValue(page).String())
		}
		// Bounds may be cut, but only so that they still bound: a reader skips pages by them.
		if found < greatest || len(found) > 32 {
			t.Errorf("the page index says that text is at most %q, it has %q", found, greatest)
		}
	}
	for _, name := range []string{"split", "direction", "exit", "actions"} {
		for _, column := range table.Metadata().RowGroups[0].Columns {
			if column.MetaData.PathInSchema[0] == name && column.MetaData.DictionaryPageOffset == 0 {
				t.Errorf("%s has no dictionary", name)
			}
		}
	}
}

func TestSameRowsSameBytes(t *testing.T) {
	dir := t.TempDir()
	var rows []schema.TraceRow
	for n := range 60 {
		rows = append(rows, *traceRow(n, "train"))
	}
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, string(rune('a'+i)))
		writeFile(t, path, Layout{RowGroupBytes: 10_000}, rows)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = data
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same rows gave different bytes")
	}
}

func TestWriteRefuses(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "x.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter[schema.TrajectoryRow](file, Layout{}, parquet.NewBufferPool())
	bad := *trajectoryRow(1, "train")
	bad.ActionArgs = []string{"\xc3("}
	if err := w.Write(&bad); err == nil || !strings.Contains(err.Error(), bad.ID+": column action_args: item 0: byte 0 is not valid UTF-8") {
		t.Errorf("got %v", err)
	}
	if err := w.Write(trajectoryRow(2, "train")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameRows(t, readArrow[schema.TrajectoryRow](t, file.Name()), []schema.TrajectoryRow{*trajectoryRow(2, "train")})
}

func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this system has no /dev/full: %v", err)
	}
	w := newWriter[schema.FunctionRow](full, Layout{RowGroupBytes: 1}, parquet.NewBufferPool())
	var failed error
	for n := 0; n < 100 && failed == nil; n++ {
		failed = w.Write(functionRow(n, "train"))
	}
	if closed := w.Close(); failed == nil {
		failed = closed
	}
	if !errors.Is(failed, syscall.ENOSPC) {
		t.Fatalf("got %v", failed)
	}
	for _, want := range []string{"/dev/full", "no space left", "committed are kept", "run the same command again"} {
		if !strings.Contains(failed.Error(), want) {
			t.Errorf("%q does not say %q", failed, want)
		}
	}
}
