package harvest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// writeParquet writes the rows of a JSONL text with a library that does not read them here: a column for each key, typed by
// its values. Columns that mix types are left out, as no Parquet file can hold them, and so are those of nothing but nulls.
func writeParquet(t testing.TB, path string, text []byte, rowsPerGroup int64) {
	t.Helper()
	var rows []map[string]any
	columns := map[string]arrow.DataType{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row map[string]any
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&row); err != nil {
			continue
		}
		rows = append(rows, row)
		for name, value := range row {
			columns[name] = merge(columns[name], typeOf(value))
		}
	}
	fields := []arrow.Field{}
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if columns[name] == mixed || columns[name] == nil {
			for _, row := range rows {
				delete(row, name)
			}
			continue
		}
		fields = append(fields, arrow.Field{Name: name, Type: columns[name], Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	var batches []arrow.RecordBatch
	for chunk := range slices.Chunk(rows, 100) { // it reads a long document in quadratic time
		document, err := json.Marshal(chunk)
		if err != nil {
			t.Fatal(err)
		}
		batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, bytes.NewReader(document))
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Release()
		batches = append(batches, batch)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	table := array.NewTableFromRecords(schema, batches)
	defer table.Release()
	properties := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithMaxRowGroupLength(rowsPerGroup))
	if err := pqarrow.WriteTable(table, file, rowsPerGroup, properties, pqarrow.DefaultWriterProps()); err != nil {
		t.Fatal(err)
	}
	file.Close()
}

// mixed is the type of values that have no type in common.
var mixed arrow.DataType = &arrow.NullType{}

func typeOf(value any) arrow.DataType {
	switch v := value.(type) {
	case string:
		return arrow.BinaryTypes.String
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return arrow.PrimitiveTypes.Float64
		}
		return arrow.PrimitiveTypes.Int64
	case bool:
		return arrow.FixedWidthTypes.Boolean
	case []any:
		var element arrow.DataType
		for _, item := range v {
			element = merge(element, typeOf(item))
		}
		switch element {
		case nil:
			return arrow.ListOf(arrow.BinaryTypes.String)
		case mixed:
			return mixed
		}
		return arrow.ListOf(element)
	case map[string]any:
		var fields []arrow.Field
		for _, name := range slices.Sorted(maps.Keys(v)) {
			of := typeOf(v[name])
			if of == mixed || of == nil {
				return mixed
			}
			fields = append(fields, arrow.Field{Name: name, Type: of, Nullable: true})
		}
		return arrow.StructOf(fields...)
	}
	return nil
}

func merge(a, b arrow.DataType) arrow.DataType {
	switch {
	case a == nil || a != mixed && b != nil && isEmptyList(a) && b.ID() == arrow.LIST:
		return b
	case b == nil || arrow.TypeEqual(a, b) || a.ID() == arrow.LIST && isEmptyList(b):
		return a
	}
	if x, ok := a.(*arrow.StructType); ok {
		if y, ok := b.(*arrow.StructType); ok && x.NumFields() == y.NumFields() {
			fields := slices.Clone(x.Fields())
			for i, field := range y.Fields() {
				fields[i].Type = merge(fields[i].Type, field.Type)
			}
			return arrow.StructOf(fields...)
		}
	}
	return mixed
}

// isEmptyList says whether a list has no element that says what it is of.
func isEmptyList(of arrow.DataType) bool {
	list, ok := of.(*arrow.ListType)
	return ok && list.Elem().ID() == arrow.STRING
}

// TestParquetIsJSONL: the same rows give the same items in both formats, over row groups, for every preset.
func TestParquetIsJSONL(t *testing.T) {
	for _, name := range []string{"apps", "code_contests", "codesearchnet", "humaneval", "livecodebench_codegen", "livecodebench_execution", "mbpp", "the_stack"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/datasets/" + name + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			var got [2][]Item
			writeParquet(t, filepath.Join(dir, "rows.parquet"), text, 3)
			if err := os.WriteFile(filepath.Join(dir, "rows.jsonl"), text, 0o600); err != nil {
				t.Fatal(err)
			}
			for i, file := range []string{"rows.parquet", "rows.jsonl"} {
				source, err := SourceConfig{Preset: name, Name: "s", Path: filepath.Join(dir, file)}.Open()
				if err != nil {
					t.Fatal(err)
				}
				defer source.Close()
				got[i] = collect(t, source)
			}
			if len(got[0]) != len(got[1]) {
				t.Fatalf("%d items of Parquet, %d of JSONL", len(got[0]), len(got[1]))
			}
			for i, a := range got[0] {
				b := got[1][i]
				a.Path, a.ID = strings.Replace(a.Path, "rows.parquet", "rows.jsonl", 1), strings.Replace(a.ID, "rows.parquet", "rows.jsonl", 1)
				if a.Err != nil && b.Err != nil {
					a.Err, b.Err = nil, nil // a column that is not there is null
				}
				if !reflect.DeepEqual(a, b) {
					t.Errorf("item %d: Parquet has\n%+v %+v\nJSONL\n%+v %+v", i, a, a.Err, b, b.Err)
				}
			}
		})
	}
}

// TestParquetNesting: what is empty, null and deep in lists and structs is told apart.
func TestParquetNesting(t *testing.T) {
	const text = `{"n":1,"l":["a","b"],"d":[["a"],[],["b","c"]],"s":{"a":[1,2],"b":["x"]}}
{"n":2,"l":[],"d":[],"s":{"a":[],"b":[]}}
{"n":null,"l":null,"d":null,"s":null}
{"n":4,"l":[null,"c"],"d":[null,[null]],"s":{"a":[null],"b":[null,""]}}
{"n":5,"l":["<&\u2028\"é"],"d":[[]],"s":{"a":[-9223372036854775808],"b":[]}}
`
	for _, rows := range []int64{1, 2, 100} {
		path := filepath.Join(t.TempDir(), "x.parquet")
		writeParquet(t, path, []byte(text), rows)
		reader, err := openParquet(path, []string{"n", "l", "d", "s"}, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		var want []map[string]any
		for line := range strings.Lines(text) {
			want = append(want, decoded(t, line))
		}
		for i := range want {
			row, err := reader.next(t.Context())
			if err != nil || row.err != nil || row.number != i+1 {
				t.Fatal(row, err)
			}
			got, err := json.Marshal(row.record)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(decoded(t, string(got)), want[i]) {
				t.Errorf("row %d in groups of %d is %s, want %v", i+1, rows, got, want[i])
			}
		}
		reader.close()
		for from := range want {
			reader, err := openParquet(path, []string{"n"}, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if err := reader.skip(t.Context(), from); err != nil {
				t.Fatal(err)
			}
			row, err := reader.next(t.Context())
			if err != nil || fmt.Sprint(decoded(t, string(mustJSON(t, row.record)))["n"]) != fmt.Sprint(want[from]["n"]) {
				t.Errorf("after %d rows comes %s, %v", from, row.record["n"], err)
			}
			reader.close()
		}
	}
}

func mustJSON(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decoded(t testing.TB, text string) (value map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestParquetDamaged: a file of which a byte is another gives an error, or rows; it never panics.
func TestParquetDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	writeParquet(t, path, []byte(strings.Repeat(`{"code":"def f(): pass","input":"1","output":"None","id":"a"}`+"\n", 20)), 5)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for at := 0; at < len(whole); at += 1 + len(whole)/400 {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0xff
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		source, err := SourceConfig{Preset: "cruxeval", Path: path}.Open()
		if err == nil {
			for _, itemErr := range source.Items(t.Context(), 0, 20) {
				err = errors.Join(err, itemErr)
			}
			source.Close()
		}
		if err != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no damage was seen")
	}
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var config *ConfigError
	if _, err := (SourceConfig{Preset: "cruxeval", Path: path}).Open(); !errors.As(err, &config) {
		t.Errorf("a file that is no Parquet: %v", err)
	}
}

// TestParquetTooLong: a row that is longer than it may be costs itself.
func TestParquetTooLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	row := func(n int) string {
		return `{"code":"` + strings.Repeat("x", n) + `","input":"1","output":"2","id":"a"}` + "\n"
	}
	writeParquet(t, path, []byte(row(10)+row(200_000)+row(10)), 100)
	source, err := SourceConfig{Preset: "cruxeval", Path: path, MaxItemBytes: 1000}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	items := collect(t, source)
	if len(items) != 3 || items[0].Err != nil || items[1].Err == nil || items[1].Err.Reason != RowTooLong || items[2].Err != nil {
		t.Errorf("items are %+v", items)
	}
}

// TestDirectory: the files of a directory are one sequence, in the order of their names.
func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	want := []string{}
	for _, shard := range []string{"a/1", "a/2", "b"} {
		var text strings.Builder
		for i := range 10 {
			want = append(want, fmt.Sprint(shard, i))
			fmt.Fprintf(&text, `{"code":"%s%d","input":"","output":"","id":"x"}`+"\n", shard, i)
		}
		path := filepath.Join(dir, shard+".parquet")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		writeParquet(t, path, []byte(text.String()), 4)
	}
	source, err := SourceConfig{Type: "parquet", Preset: "cruxeval", Path: dir}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	for from := range want {
		for to := from; to <= len(want); to += 7 {
			var got []string
			for item, err := range source.Items(t.Context(), from, to) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, item.Text)
			}
			if !slices.Equal(got, want[from:to]) && to > from {
				t.Fatalf("items %d to %d are %v", from, to, got)
			}
		}
	}
}

// TestParquetMemoryIsFlat: what is alive after 50,000 rows is what was alive after 1,000.
func TestParquetMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tens of thousands of rows")
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, `{"code":"%0200d","input":"1","output":"2","id":"s"}`+"\n", i)
	}
	writeParquet(t, path, []byte(text.String()), 1000)
	text.Reset()
	source, err := SourceConfig{Preset: "cruxeval", Path: path}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	alive := func() uint64 {
		runtime.GC()
		runtime.GC() // what is pooled is let go by the second
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early uint64
	n := 0
	for item, err := range source.Items(t.Context(), 0, 50_000) {
		if err != nil || item.Err != nil {
			t.Fatal(err, item.Err)
		}
		if n++; n == 1000 {
			early = alive()
		}
	}
	if late := alive(); late > early+4<<20 {
		t.Errorf("%d bytes are alive after 1,000 rows, and %d after 50,000", early, late)
	}
}
