package actions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// recording is a real trace of testdata/bdb with where bdb's actions lead from each event (-1: the end), as the
// reference that was compared with bdb itself gives it. Its README says how the files were made.
type recording struct {
	Python string
	Codes  [][3]any   // name, first line, 1 for a generator or coroutine
	Frames []int32    // per frame: its code
	Events [][6]int32 // kind, flags, frame, line, depth, back
	Step   []int32
	Next   []int32
	Return []int32
}

func (r *recording) trace() *schema.Trace {
	trace := &schema.Trace{ID: "bdb", Status: schema.StatusOK, Wrapper: schema.WrapNone}
	for _, c := range r.Codes {
		code := schema.Code{Name: c[0].(string), FirstLine: int32(c[1].(float64))}
		if c[2].(float64) != 0 {
			code.Flags = schema.CodeGenerator
		}
		trace.Codes = append(trace.Codes, code)
	}
	for _, f := range r.Frames {
		trace.Frames = append(trace.Frames, schema.Frame{Code: f})
	}
	for _, e := range r.Events {
		trace.Events = append(trace.Events, schema.Event{
			Kind: schema.Kind(e[0]), Flags: schema.Flags(e[1]), Frame: e[2], Line: e[3], Depth: e[4], Back: e[5], Value: -1,
		})
	}
	return trace
}

// plain says whether nothing is in the recording by which tree and pdb differ: frames that are suspended, callers out
// of scope, events without a line.
func (r *recording) plain() bool {
	for _, c := range r.Codes {
		if c[2].(float64) != 0 {
			return false
		}
	}
	for _, e := range r.Events {
		if schema.Flags(e[1])&schema.FlagForeignCaller != 0 || e[3] == 0 {
			return false
		}
	}
	return true
}

func TestRecordedStops(t *testing.T) {
	files, err := filepath.Glob("testdata/bdb/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	plain := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var r recording
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
			tree, err := New(r.trace(), &schema.Function{})
			if err != nil {
				t.Fatal(err)
			}
			compareStops(t, "pdb", tree.pdb(), &r)
			if r.plain() {
				plain++
				compareStops(t, "tree", tree.tree, &r)
			}
		})
	}
	if plain == 0 {
		t.Error("no recording is one on which tree and pdb must agree")
	}
}

func compareStops(t *testing.T, semantics string, v *view, r *recording) {
	for i := range r.Events {
		if v.into[i] != r.Step[i] || v.over[i] != r.Next[i] || v.out[i] != r.Return[i] {
			t.Errorf("%s, event %d: leads to %d %d %d, bdb's step, next, return to %d %d %d", semantics, i,
				v.into[i], v.over[i], v.out[i], r.Step[i], r.Next[i], r.Return[i])
		}
	}
}
