package pipelines

import (
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// ofLines is a trace of one frame: its lines, and how it ended.
func ofLines(status schema.Status, exception string, lines ...int32) *schema.Trace {
	t := &schema.Trace{Status: status, ExceptionType: exception, Codes: []schema.Code{{Name: "f"}}, Frames: []schema.Frame{{}}, Values: []string{exception + "('x')"}}
	t.Events = append(t.Events, schema.Event{Kind: schema.KindCall, Line: 1, Value: -1})
	for _, n := range lines {
		t.Events = append(t.Events, schema.Event{Kind: schema.KindLine, Line: n, Value: -1})
	}
	if exception != "" {
		t.Events = append(t.Events, schema.Event{Kind: schema.KindException, Line: lines[len(lines)-1]})
	}
	return t
}

func TestObserve(t *testing.T) {
	r := observe(ofLines(schema.StatusOK, "", 2, 3, 2, 9), 8)
	for f, want := range map[feature]bool{
		line(2): true, line(3): true, line(9): false, branch(0, 2): true, branch(2, 3): true, branch(3, 2): true, branch(2, 9): false, branch(3, 4): false,
	} {
		if r.features[f] != want {
			t.Errorf("feature %x: %v, want %v", f, r.features[f], want)
		}
	}
	if !observe(ofLines(schema.StatusException, "KeyError", 2), 8).features[raised(2, "KeyError")] {
		t.Error("the exception is no feature")
	}
	if a, b := observe(ofLines(schema.StatusOK, "", 2, 3), 8), observe(ofLines(schema.StatusOK, "", 2, 3), 8); a.signature != b.signature {
		t.Error("equal traces have two signatures")
	}
	other := ofLines(schema.StatusOK, "", 2, 3)
	other.Names, other.Changes = []string{"x"}, []schema.Change{{Name: 0, Value: 0}}
	other.Events[len(other.Events)-1].Changes = 1
	if observe(other, 8).signature == observe(ofLines(schema.StatusOK, "", 2, 3), 8).signature {
		t.Error("another value has the same signature")
	}
}

// A wrong guess fails before anything happened: no line ran twice, no function of the program returned.
func TestWrongGuess(t *testing.T) {
	returned := ofLines(schema.StatusException, "TypeError", 2, 3)
	returned.Events = append(returned.Events[:2:2], append([]schema.Event{{Kind: schema.KindReturn, Line: 5}}, returned.Events[2:]...)...)
	for name, test := range map[string]struct {
		trace *schema.Trace
		want  bool
	}{
		"at the first use":       {ofLines(schema.StatusException, "TypeError", 2), true},
		"of an attribute":        {ofLines(schema.StatusException, "AttributeError", 2, 3), true},
		"another exception":      {ofLines(schema.StatusException, "ValueError", 2), false},
		"in a loop":              {ofLines(schema.StatusException, "TypeError", 2, 3, 2, 3), false},
		"after another function": {returned, false},
		"that was caught":        {ofLines(schema.StatusOK, "TypeError", 2), false},
	} {
		if got := observe(test.trace, 8).guess; got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
