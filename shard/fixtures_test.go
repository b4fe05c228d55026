package shard

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/parquet-go/parquet-go"

	"github.com/tracemill/tracemill/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update when that is meant):\n%s", path, got)
	}
}

// strange are strings that formats and readers trip over.
var strange = []string{"", "x", " ", "a\nb\r\n", "\x00", "é", "日本語", "🐍🐍", "\u2028", `"quoted" \n`, "null", strings.Repeat("long é ", 2_000)}

func pick(n int) string { return strange[n%len(strange)] }

func functionRow(n int, split string) *schema.FunctionRow {
	row := &schema.FunctionRow{
		ID: schema.ID("function", fmt.Sprint(n)), Split: split, Program: "def f():\n    return 1\n" + pick(n), EntryPoint: "f", Qualname: "f",
		StartLine: 1, EndLine: 2, Doc: pick(n + 1), IsAsync: n%2 == 1, IsGenerator: n%3 == 1,
		Origin: "tests", Repo: pick(n + 2), Revision: "abc", Path: pick(n + 3), OriginRow: int64(n) << 40,
		License: []string{"MIT", "", "Apache-2.0"}[n%3], URL: pick(n + 4),
	}
	if n%2 == 0 {
		row.Lines, row.SourceStartLine, row.SourceEndLine = []int32{7, 8}, 7, 8
		row.Program = "def f():\n    return 1\n"
	}
	for i := range n % 3 {
		row.Blocks = append(row.Blocks, schema.BlockRow{Start: 1, Def: 1, End: int32(i%2 + 1), Name: pick(n + i)})
	}
	return row
}

func traceRow(n int, split string) *schema.TraceRow {
	trace := &schema.Trace{
		ID: schema.ID("trace", fmt.Sprint(n)), FunctionID: schema.ID("function", fmt.Sprint(n)), CaseID: schema.ID("case", fmt.Sprint(n)),
		Call: "f()", Generator: "typed", Wrapper: schema.WrapMain, PythonVersion: "3.11.7", Image: "sha256:0", Status: schema.Statuses[n%2],
		Output: pick(n), Stdout: pick(n + 1), Stderr: pick(n + 2), Deterministic: "checked", Truncated: n%2 == 0,
	}
	for i := range n % 5 {
		trace.Notes = append(trace.Notes, pick(n+i))
		trace.Names = append(trace.Names, pick(n+i+1))
		trace.Values = append(trace.Values, pick(n+i+2))
		trace.Cut = append(trace.Cut, i%2 == 0)
	}
	trace.Codes = []schema.Code{{Name: "f", FirstLine: 1}, {Name: "g", FirstLine: 4, Flags: schema.CodeGenerator}}
	trace.Frames = []schema.Frame{{Code: 0}, {Code: 1}}
	for i := range n % 9 {
		event := schema.Event{Kind: schema.Kinds[i%len(schema.Kinds)], Flags: schema.Flags(i), Frame: int32(i % 2), Line: int32(i), Depth: 1, Back: -1, Value: -1}
		if len(trace.Names) > 0 && i%2 == 0 {
			trace.Changes = append(trace.Changes, schema.Change{Name: 0, Value: int32(i%2) - 1})
		}
		event.Changes = int32(len(trace.Changes))
		trace.Events = append(trace.Events, event)
	}
	row, err := schema.TraceToRow(trace, split)
	if err != nil {
		panic(err)
	}
	return row
}

func trajectoryRow(n int, split string) *schema.TrajectoryRow {
	text := pick(n)
	length := int32(len([]rune(text)))
	trajectory := &schema.Trajectory{
		ID: schema.ID("trajectory", fmt.Sprint(n)), FunctionID: schema.ID("function", fmt.Sprint(n)), TraceID: schema.ID("trace", fmt.Sprint(n)),
		Direction: schema.Forward, Format: "neural-debugger", Policy: "paper", Semantics: "tree", Seed: uint64(n) << 60,
		Text: text, Chars: int(length), Exit: schema.ExitCut, States: n % 4, EntryPoint: "f",
	}
	for i := range n % 4 {
		trajectory.EventIndex = append(trajectory.EventIndex, int32(i))
		trajectory.Actions = append(trajectory.Actions, schema.Action{Kind: schema.Breakpoint, Arg: pick(n + i)})
		trajectory.Horizons = append(trajectory.Horizons, int32(i))
		trajectory.Targets = append(trajectory.Targets, schema.Target{Start: 0, End: length, Kind: schema.TargetValue})
	}
	row, err := schema.TrajectoryToRow(trajectory, schema.Origin{Repo: pick(n + 1), Path: "p.py", License: "MIT"}, "3.11.7", split)
	if err != nil {
		panic(err)
	}
	return row
}

// readArrow reads a Parquet file with Arrow's reader, which shares no code with the writer.
func readArrow[T schema.Row](t *testing.T, path string) []T {
	t.Helper()
	reader, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer reader.Close()
	table, err := pqarrow.NewFileReader(reader, pqarrow.ArrowReadProperties{BatchSize: 7}, memory.DefaultAllocator)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	records, err := table.GetRecordReader(context.Background(), nil, nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer records.Release()
	var rows []T
	for records.Next() {
		rows = append(rows, recordRows[T](t, records.RecordBatch())...)
	}
	if err := records.Err(); err != nil && err.Error() != "EOF" {
		t.Fatalf("%s: %v", path, err)
	}
	return rows
}

func recordRows[T schema.Row](t *testing.T, record arrow.RecordBatch) []T {
	t.Helper()
	rows := make([]T, record.NumRows())
	for c, column := range record.Columns() {
		for i := range rows {
			field := reflect.ValueOf(&rows[i]).Elem().Field(c)
			name, _, _ := strings.Cut(reflect.TypeFor[T]().Field(c).Tag.Get("parquet"), ",")
			if name != record.ColumnName(c) {
				t.Fatalf("column %d is %s, want %s", c, record.ColumnName(c), name)
			}
			fromArrow(t, column, i, field)
		}
	}
	return rows
}

func fromArrow(t *testing.T, column arrow.Array, i int, to reflect.Value) {
	t.Helper()
	if column.IsNull(i) {
		t.Fatalf("null in a required column of type %v", column.DataType())
	}
	switch a := column.(type) {
	case *array.String:
		to.SetString(a.Value(i))
	case *array.Boolean:
		to.SetBool(a.Value(i))
	case *array.Int32:
		to.SetInt(int64(a.Value(i)))
	case *array.Int64:
		to.SetInt(a.Value(i))
	case *array.List:
		from, end := a.ValueOffsets(i)
		if from == end {
			return
		}
		to.Set(reflect.MakeSlice(to.Type(), int(end-from), int(end-from)))
		for n := range int(end - from) {
			fromArrow(t, a.ListValues(), int(from)+n, to.Index(n))
		}
	case *array.Struct:
		for n := range a.NumField() {
			fromArrow(t, a.Field(n), i, to.Field(n))
		}
	default:
		t.Fatalf("a column has the type %v", column.DataType())
	}
}

// normal is the row with nil for empty lists: a file does not tell them apart.
func normal[T schema.Row](row T) T {
	v := reflect.ValueOf(&row).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() == 0 {
			f.SetZero()
		}
	}
	return row
}

func sameRows[T schema.Row](t *testing.T, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if g, w := normal(got[i]), normal(want[i]); !reflect.DeepEqual(g, w) {
			t.Fatalf("row %d: got %.2000v\nwant %.2000v", i, fmt.Sprintf("%+v", g), fmt.Sprintf("%+v", w))
		}
	}
}

func writeFile[T schema.Row](t *testing.T, path string, layout Layout, rows []T) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter[T](file, layout, parquet.NewBufferPool())
	for i := range rows {
		if err := w.Write(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func collect[T schema.Row](t *testing.T, rows func(func(*T, error) bool)) []T {
	t.Helper()
	var all []T
	for row, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, *row)
	}
	return all
}
