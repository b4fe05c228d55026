package harvest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// TestSlices: the programs that the functions of testdata/slices are cut to, by every interpreter.
func TestSlices(t *testing.T) {
	source, err := SourceConfig{Type: "python", Path: "testdata/slices"}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	items := collect(t, source)
	const golden = "testdata/slices.golden"
	cut := func(t *testing.T, python string) string {
		rt := &localRuntime{python: python, dir: t.TempDir()}
		result, err := newHarvester(t, rt, Options{Slice: SliceMinimal}).Harvest(t.Context(), items)
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, result)
		var b strings.Builder
		for _, u := range result.Units {
			f := &u.Function
			checkSlice(t, f, items)
			fmt.Fprintf(&b, "==== %s %s, lines %d-%d, from %d-%d\n%s", f.Origin, f.Entry, f.StartLine, f.EndLine, f.SourceStart, f.SourceEnd, f.Program)
		}
		return b.String()
	}
	if *update {
		if err := os.WriteFile(golden, []byte(cut(t, interpreter(t))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	for version, python := range interpreters(t) {
		t.Run(version, func(t *testing.T) { compareLines(t, cut(t, python), string(want)) })
	}
}

// checkSlice: every line of a slice is the line of the item that it says it is, and blocks begin and end where their statements do.
func checkSlice(t *testing.T, f *schema.Function, items []Item) {
	t.Helper()
	i := slices.IndexFunc(items, func(item Item) bool { return item.Path == f.Path })
	lines, source := schema.Lines(f.Program), schema.Lines(string(items[i].Source))
	at := func(n int32) int32 { return n }
	if f.Lines != nil {
		at = func(n int32) int32 { return f.Lines[n-1] }
		if len(f.Lines) != len(lines) || !slices.IsSorted(f.Lines) {
			t.Fatalf("%s: %d lines of %d", f.Entry, len(f.Lines), len(lines))
		}
	}
	for n, line := range lines {
		if line != source[at(int32(n+1))-1] {
			t.Errorf("%s: line %d is %q, and line %d of the item is %q", f.Entry, n+1, line, at(int32(n+1)), source[at(int32(n+1))-1])
		}
	}
	if at(f.StartLine) != f.SourceStart || at(f.EndLine) != f.SourceEnd {
		t.Errorf("%s: lines %d-%d are not %d-%d of the item", f.Entry, f.StartLine, f.EndLine, f.SourceStart, f.SourceEnd)
	}
	for _, b := range f.Blocks {
		if b.Name != "" && !strings.Contains(lines[b.Def-1], b.Name) {
			t.Errorf("%s: block %+v begins with %q", f.Entry, b, lines[b.Def-1])
		}
	}
}

func TestSliceRanges(t *testing.T) {
	f := &answerFunction{Name: "f", Start: 3, End: 4}
	for _, test := range []struct {
		ranges []lineRange
		want   string
	}{
		{nil, ""},
		{[]lineRange{{1, 1}, {3, 5}}, ""},
		{[]lineRange{{3, 6}}, "of 5"},
		{[]lineRange{{0, 4}}, "lines 0 to 4"},
		{[]lineRange{{3, 4}, {4, 5}}, "after 4"},
		{[]lineRange{{4, 3}}, "lines 4 to 3"},
		{[]lineRange{{1, 3}, {4, 5}}, "is cut off"},
	} {
		err := checkRanges(test.ranges, f, 5)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.ranges, err, test.want)
		}
	}
}
