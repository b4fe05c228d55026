package schema_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracemill/tracemill/schema"
)

// text draws strings that formats and readers trip over: empty, wide, with line ends and the odd character.
var text = rapid.OneOf(
	rapid.SampledFrom([]string{"", " ", "a\nb", "\x00", "é", "日本", "🐍🐍", "\u2028", "\"", strings.Repeat("long ", 200)}),
	rapid.String(),
)

func list[T any](t *rapid.T, item *rapid.Generator[T], size int) []T {
	if size == 0 {
		return nil
	}
	return rapid.SliceOfN(item, size, size).Draw(t, "list")
}

func drawTrace(t *rapid.T) *schema.Trace {
	size := func(label string) int { return rapid.IntRange(0, 6).Draw(t, label) }
	tr := &schema.Trace{
		ID: text.Draw(t, "id"), FunctionID: text.Draw(t, "function"), CaseID: text.Draw(t, "case"), Call: text.Draw(t, "call"),
		Generator:     rapid.SampledFrom([]string{"dataset", "typed"}).Draw(t, "generator"),
		Wrapper:       rapid.SampledFrom([]schema.Wrapper{schema.WrapMain, schema.WrapNone}).Draw(t, "wrapper"),
		PythonVersion: text.Draw(t, "version"), Image: text.Draw(t, "image"), Status: rapid.SampledFrom(schema.Statuses).Draw(t, "status"),
		StatusDetail: text.Draw(t, "detail"), Output: text.Draw(t, "output"), ExceptionType: text.Draw(t, "type"),
		ExceptionMessage: text.Draw(t, "message"), Stdout: text.Draw(t, "stdout"), Stderr: text.Draw(t, "stderr"),
		Deterministic: text.Draw(t, "deterministic"), Truncated: rapid.Bool().Draw(t, "truncated"),
		Notes: list(t, text, size("notes")), Expected: text.Draw(t, "expected"), OutputMatches: text.Draw(t, "matches"),
		Names: list(t, text, size("names")), Values: list(t, text, size("values")),
	}
	tr.Cut = list(t, rapid.Bool(), len(tr.Values))
	for range size("codes") {
		tr.Codes = append(tr.Codes, schema.Code{
			Name: text.Draw(t, "code"), FirstLine: rapid.Int32().Draw(t, "first"), Flags: schema.CodeFlags(rapid.Byte().Draw(t, "flags")),
		})
	}
	index := func(label string, low, n int) int32 { return int32(rapid.IntRange(low, n-1).Draw(t, label)) }
	if len(tr.Codes) > 0 {
		for range size("frames") {
			tr.Frames = append(tr.Frames, schema.Frame{Code: index("code", 0, len(tr.Codes))})
		}
	}
	if len(tr.Frames) > 0 {
		for range size("events") {
			for n := size("changes"); n > 0 && len(tr.Names) > 0; n-- {
				tr.Changes = append(tr.Changes, schema.Change{
					Name: index("name", 0, len(tr.Names)), Value: index("value", -1, len(tr.Values)),
				})
			}
			tr.Events = append(tr.Events, schema.Event{
				Kind: rapid.SampledFrom(schema.Kinds).Draw(t, "kind"), Flags: schema.Flags(rapid.Byte().Draw(t, "flags")),
				Frame: index("frame", 0, len(tr.Frames)), Line: rapid.Int32Range(0, 1e6).Draw(t, "line"), Depth: rapid.Int32().Draw(t, "depth"),
				Back: index("back", -1, len(tr.Frames)), Value: index("value", -1, len(tr.Values)), Changes: int32(len(tr.Changes)),
			})
		}
	}
	return tr
}

func TestTraceRowIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTrace(t)
		row, err := schema.TraceToRow(want, "train")
		if err != nil {
			t.Fatal(err)
		}
		got, err := schema.RowToTrace(row)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v\nwant %+v", got, want)
		}
	})
}

// TestDamagedTraceRow changes one number or one length of a good row: the answer is an error or a trace whose
// methods work, and never a panic.
func TestDamagedTraceRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row, err := schema.TraceToRow(drawTrace(t), "train")
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.ValueOf(row).Elem()
		field := v.Field(rapid.IntRange(0, v.NumField()-1).Draw(t, "field"))
		switch {
		case field.Kind() == reflect.Int32:
			field.SetInt(int64(rapid.Int32().Draw(t, "number")))
		case field.Kind() == reflect.Slice && field.Len() > 0:
			i := rapid.IntRange(0, field.Len()-1).Draw(t, "at")
			if field.Type().Elem().Kind() == reflect.Int32 && rapid.Bool().Draw(t, "set") {
				field.Index(i).SetInt(int64(rapid.Int32().Draw(t, "number")))
			} else {
				field.Set(field.Slice(0, i))
			}
		}
		tr, err := schema.RowToTrace(row)
		if err != nil {
			return
		}
		for i := range tr.Events {
			tr.ChangesOf(i)
			tr.CodeOf(i)
			tr.Internal(i)
		}
	})
}

func TestFunctionRowIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.IntRange(1, 9).Draw(t, "lines")
		line := func(from int32) int32 { return rapid.Int32Range(from, int32(lines)).Draw(t, "line") }
		want := &schema.Function{
			ID: text.Draw(t, "id"), Program: strings.Repeat("x\n", lines-1), Entry: text.Draw(t, "entry"), Qualname: text.Draw(t, "qualname"),
			Doc: text.Draw(t, "doc"), Async: rapid.Bool().Draw(t, "async"), Generator: rapid.Bool().Draw(t, "generator"),
			Origin: schema.Origin{
				Source: text.Draw(t, "source"), Repo: text.Draw(t, "repo"), Revision: text.Draw(t, "revision"), Path: text.Draw(t, "path"),
				Row: rapid.IntRange(0, 1e9).Draw(t, "row"), License: text.Draw(t, "license"), URL: text.Draw(t, "url"),
			}, Cluster: text.Draw(t, "cluster"),
		}
		want.StartLine = line(1)
		want.EndLine = line(want.StartLine)
		if lines > 1 && rapid.Bool().Draw(t, "slice") {
			want.Lines = rapid.SliceOfN(rapid.Int32(), lines-1, lines-1).Draw(t, "source lines")
		}
		want.SourceStart, want.SourceEnd = rapid.Int32().Draw(t, "source start"), rapid.Int32().Draw(t, "source end")
		for range rapid.IntRange(0, 4).Draw(t, "blocks") {
			start := line(1)
			def := line(start)
			want.Blocks = append(want.Blocks, schema.Block{Start: start, Def: def, End: line(def), Name: text.Draw(t, "name")})
		}
		row, err := schema.FunctionToRow(want, "train")
		if err != nil {
			t.Fatal(err)
		}
		got, err := schema.RowToFunction(row)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v\nwant %+v", got, want)
		}
	})
}

func TestTrajectoryRowIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTrajectory(t)
		row, err := schema.TrajectoryToRow(want, schema.Origin{Repo: "r", Path: "p", License: "MIT"}, "3.11.7", "train")
		if err != nil {
			t.Fatal(err)
		}
		got, err := schema.RowToTrajectory(row)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v\nwant %+v", got, want)
		}
		if row.Repo != "r" || row.Path != "p" || row.License != "MIT" || row.PythonVersion != "3.11.7" {
			t.Fatalf("origin is lost: %+v", row)
		}
	})
}

func drawTrajectory(t *rapid.T) *schema.Trajectory {
	tr := &schema.Trajectory{
		ID: text.Draw(t, "id"), FunctionID: text.Draw(t, "function"), TraceID: text.Draw(t, "trace"),
		Direction: rapid.SampledFrom([]schema.Direction{schema.Forward, schema.Inverse}).Draw(t, "direction"),
		Format:    text.Draw(t, "format"), Policy: text.Draw(t, "policy"), Semantics: text.Draw(t, "semantics"),
		Seed: rapid.Uint64().Draw(t, "seed"), Text: text.Draw(t, "text"), EntryPoint: text.Draw(t, "entry"),
		Exit: rapid.SampledFrom([]schema.Exit{schema.ExitNormal, schema.ExitError, schema.ExitNever, schema.ExitEntry, schema.ExitCut}).Draw(t, "exit"),
	}
	tr.Chars = len([]rune(tr.Text))
	tr.States = rapid.IntRange(0, 5).Draw(t, "states")
	steps := tr.States
	if tr.Exit != schema.ExitCut {
		steps++
	}
	tr.EventIndex = list(t, rapid.Int32Min(-1), steps)
	actions := rapid.IntRange(0, 4).Draw(t, "actions")
	tr.Horizons = list(t, rapid.Int32Min(0), actions)
	for range actions {
		tr.Actions = append(tr.Actions, schema.Action{Kind: schema.Breakpoint, Arg: text.Draw(t, "arg")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "targets") {
		start := rapid.Int32Range(0, int32(tr.Chars)).Draw(t, "start")
		tr.Targets = append(tr.Targets, schema.Target{
			Start: start, End: rapid.Int32Range(start, int32(tr.Chars)).Draw(t, "end"), Kind: schema.TargetLocals,
		})
	}
	return tr
}

func TestRowFaults(t *testing.T) {
	trace := schema.Trace{
		ID: "t1", Codes: []schema.Code{{}}, Frames: []schema.Frame{{}}, Names: []string{"x"}, Values: []string{"1"}, Cut: []bool{false},
		Events:  []schema.Event{{Kind: schema.KindCall, Back: -1, Value: -1, Changes: 1}},
		Changes: []schema.Change{{}},
	}
	for _, test := range []struct {
		column string
		harm   func(*schema.Trace)
	}{
		{"event_kind", func(t *schema.Trace) { t.Events[0].Kind = 99 }},
		{"event_frame", func(t *schema.Trace) { t.Events[0].Frame = 1 }},
		{"event_back", func(t *schema.Trace) { t.Events[0].Back = -2 }},
		{"event_value", func(t *schema.Trace) { t.Events[0].Value = 1 }},
		{"change_count", func(t *schema.Trace) { t.Events[0].Changes = 2 }},
		{"change_count", func(t *schema.Trace) { t.Events[0].Changes = 0 }},
		{"change_name", func(t *schema.Trace) { t.Changes[0].Name = 1 }},
		{"change_value", func(t *schema.Trace) { t.Changes[0].Value = -2 }},
		{"value_cut", func(t *schema.Trace) { t.Cut = nil }},
		{"frame_code", func(t *schema.Trace) { t.Frames[0].Code = 1 }},
	} {
		t.Run(test.column, func(t *testing.T) {
			bad := trace
			bad.Events = append([]schema.Event(nil), trace.Events...)
			bad.Changes = append([]schema.Change(nil), trace.Changes...)
			bad.Frames = append([]schema.Frame(nil), trace.Frames...)
			test.harm(&bad)
			_, err := schema.TraceToRow(&bad, "train")
			var fault *schema.RowError
			if !errors.As(err, &fault) || fault.Column != test.column || fault.ID != "t1" {
				t.Fatalf("got %v, want a fault of column %s of row t1", err, test.column)
			}
		})
	}
}

func TestMeasure(t *testing.T) {
	row := &schema.TraceRow{ID: "abc", Values: []string{"12345", "x"}, EventLine: []int32{1, 2}}
	empty, err := schema.Measure(&schema.TraceRow{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := schema.Measure(row)
	if err != nil {
		t.Fatal(err)
	}
	if want := empty + 3 + (5 + 4) + (1 + 4) + 8; got != want {
		t.Errorf("got %d bytes, want %d", got, want)
	}
	row.Values[1] = "ab\xffc"
	_, err = schema.Measure(row)
	if err == nil || !strings.Contains(err.Error(), "traces row abc: column values: item 1: byte 2 is not valid UTF-8") {
		t.Errorf("got %v", err)
	}
}
