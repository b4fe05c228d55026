package actions

import (
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracemill/tracemill/schema"
)

func loadFixture(t *testing.T, name string) *fixture {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return parseFixture(t, string(text))
}

func TestNewRefuses(t *testing.T) {
	for want, damage := range map[string]func(*schema.Trace){
		"event 1: kind 99":            func(t *schema.Trace) { t.Events[1].Kind = 99 },
		"event 1: frame 7":            func(t *schema.Trace) { t.Events[1].Frame = 7 },
		"event 1: frame -1":           func(t *schema.Trace) { t.Events[1].Frame = -1 },
		"event 0: frame 0 begins":     func(t *schema.Trace) { t.Events[0].Kind = schema.KindLine },
		"event 1: frame 0 is called":  func(t *schema.Trace) { t.Events[1].Kind = schema.KindCall },
		"event 2: calling frame 9":    func(t *schema.Trace) { t.Events[2].Back = 9 },
		"event 10: value 99":          func(t *schema.Trace) { t.Events[10].Value = 99 },
		"event 4: its changes end at": func(t *schema.Trace) { t.Events[4].Changes = 0 },
		"event 11: its changes":       func(t *schema.Trace) { t.Events[11].Changes = 99 },
		"change 0: its name":          func(t *schema.Trace) { t.Changes[0].Name = 99 },
		"frame 1: code 9":             func(t *schema.Trace) { t.Frames[1].Code = 9 },
	} {
		f := loadFixture(t, "total")
		damage(&f.trace)
		if _, err := New(&f.trace, &f.fn); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestNothingToSample(t *testing.T) {
	tree, err := New(&schema.Trace{Status: schema.StatusOK, Wrapper: schema.WrapNone}, &schema.Function{})
	if err != nil {
		t.Fatal(err)
	}
	if walks, err := tree.Sample(Options{}); len(walks) != 0 || err != nil {
		t.Errorf("a trace without events gives %d walks, %v", len(walks), err)
	}
	truncated := loadFixture(t, "truncated").tree(t)
	if walks, err := truncated.Sample(Options{}); len(walks) != 0 || err != nil {
		t.Errorf("a status that was not asked for gives %d walks, %v", len(walks), err)
	}
}

// Traces whose calls and closings do not fit together (a program that turned the tracer off and on) give a tree, whose
// walks end.
func TestLooseTraces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trace := &schema.Trace{ID: "loose", Status: schema.StatusOK, Wrapper: schema.WrapNone}
		trace.Codes = []schema.Code{{Name: "f", FirstLine: 1}, {Name: "g", FirstLine: 2, Flags: schema.CodeGenerator}}
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			e := schema.Event{Value: -1, Back: -1, Flags: schema.Flags(rapid.IntRange(0, 63).Draw(t, "flags"))}
			frames := int32(len(trace.Frames))
			e.Line = int32(rapid.IntRange(0, 5).Draw(t, "line"))
			if frames > 0 {
				e.Kind = schema.Kinds[rapid.IntRange(1, 6).Draw(t, "kind")]
				e.Frame = rapid.Int32Range(0, frames-1).Draw(t, "frame")
				e.Back = rapid.Int32Range(-1, frames-1).Draw(t, "back")
			}
			if frames == 0 || rapid.Bool().Draw(t, "call") {
				e.Kind, e.Frame = schema.KindCall, frames
				trace.Frames = append(trace.Frames, schema.Frame{Code: rapid.Int32Range(0, 1).Draw(t, "code")})
			}
			trace.Events = append(trace.Events, e)
		}
		tree, err := New(trace, &schema.Function{Program: "a\nb\nc\n"})
		if err != nil {
			t.Fatal(err)
		}
		opts := drawOptions(t)
		for _, w := range sampleAll(t, tree, opts) {
			checkWalk(t, tree, opts, w)
			if d := w.Document(); len(d.States) != len(w.Events) {
				t.Fatalf("%d states of %d", len(d.States), len(w.Events))
			}
		}
	})
}

func TestInverseCode(t *testing.T) {
	f := loadFixture(t, "definitions")
	tree := f.tree(t)
	whole := strings.Split(f.fn.Program, "\n")
	lines := func(from, to int) string { return strings.Join(whole[from-1:to], "\n") + "\n" }
	into := func(n int) (list []schema.Action) {
		for range n {
			list = append(list, schema.Action{Kind: schema.InvStepInto})
		}
		return list
	}
	for _, c := range []struct {
		start     int32
		actions   int
		want      string
		entryLine int32
	}{
		{14, 4, lines(7, 9), 2},                      // a decorated method
		{12, 1, lines(1, 2), 2},                      // a lambda is shown with the function that it stands in
		{12, 6, lines(1, 2) + "\n" + lines(7, 9), 2}, // and what it calls
		{2, 20, lines(1, 2) + "\n" + lines(5, 9), 4}, // a class body
		{0, 2, lines(1, 2) + "\n" + lines(4, 10), 4}, // a callee and the entry
		{0, 9, lines(1, 2) + "\n" + lines(4, 10), 4}, // what lies in another is not repeated
		{0, 0, lines(4, 10), 1},
	} {
		w, err := tree.Follow(DefaultOptions(), schema.Inverse, c.start, into(min(c.actions, walkLength(t, tree, c.start))))
		if err != nil {
			t.Fatal(err)
		}
		if d := w.Document(); d.Code != c.want || d.EntryLine != c.entryLine {
			t.Errorf("from %d, %d actions: entry line %d of\n%s\nwant %d of\n%s", c.start, c.actions, d.EntryLine, d.Code,
				c.entryLine, c.want)
		}
	}
	d := f.walkForward(t, tree)
	if d.Code != f.fn.Program || d.Entry != "make" || d.EntryLine != 4 {
		t.Errorf("forward: entry %s at line %d of\n%s", d.Entry, d.EntryLine, d.Code)
	}
}

func walkLength(t *testing.T, tree *Tree, start int32) int {
	t.Helper()
	n := 0
	for i := start; i <= tree.closing[tree.trace.Events[start].Frame]; i++ {
		n++
		if tree.duplicated(i) {
			n++
		}
	}
	return n
}

func (f *fixture) walkForward(t *testing.T, tree *Tree) *schema.Document {
	t.Helper()
	w, err := tree.Follow(DefaultOptions(), schema.Forward, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.Document()
}

func TestAnyCall(t *testing.T) {
	tree := loadFixture(t, "definitions").tree(t)
	opts := DefaultOptions()
	opts.Policy, opts.Entry, opts.PerTrace = "into", EntryAnyCall, 50
	walks, err := tree.Sample(opts)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for i := range tree.trace.Events {
		if tree.trace.Events[i].Kind == schema.KindCall {
			calls++
		}
	}
	// each call once per direction, as stepping into gives the same walk again
	if len(walks) != 2*calls {
		t.Errorf("%d walks of %d calls in two directions", len(walks), calls)
	}
	for _, w := range walks {
		first, last := tree.trace.Events[w.Events[0]], tree.trace.Events[w.Events[len(w.Events)-1]]
		if first.Frame != last.Frame || w.Exit != schema.ExitNormal && w.Exit != schema.ExitEntry {
			t.Errorf("%s: from frame %d to frame %d, exit %s", w.Direction, first.Frame, last.Frame, w.Exit)
		}
		if index := w.EventIndex(); index[len(index)-1] != -1 || len(index) != len(w.Events)+1 {
			t.Errorf("event index %v", index)
		}
	}
}
