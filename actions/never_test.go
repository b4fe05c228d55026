package actions

import (
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// An endless loop is only said to be one when nothing that a trace does not show can end it.
func TestWhatIsNoProof(t *testing.T) {
	proof := loadFixture(t, "never")
	if proof.tree(t).loop() == nil {
		t.Fatal("the loop of the fixture is not found")
	}
	for name, damage := range map[string]func(*fixture){
		"the trace has ended by itself": func(f *fixture) { f.trace.Status = schema.StatusByteLimit },
		"only two visits":               func(f *fixture) { f.trace.Events = f.trace.Events[:9] },
		"a value that was cut": func(f *fixture) {
			f.trace.Cut = make([]bool, len(f.trace.Values))
			f.trace.Cut[0] = true
		},
		"an opaque value":     func(f *fixture) { f.trace.Values[0] = "<list_iterator>" },
		"a for's iterator":    replaced("while True:", "for n in x:"),
		"a global":            replaced("step(n) > 9", "step(n) > limit"),
		"an attribute":        replaced("step(n) > 9", "step(n) > n.limit"),
		"a shadowed builtin":  replaced("n + 1", "abs(n)\nabs = something"),
		"an unknown function": replaced("step(n) > 9", "next(n) > 9"),
		"half a statement":    replaced("n + 1", "n + (1"),
		"a generator": func(f *fixture) {
			f.trace.Codes[1].Flags |= schema.CodeGenerator
		},
		"a local that differs": func(f *fixture) {
			last := len(f.trace.Changes) - 1
			f.trace.Values = append(f.trace.Values, "3")
			f.trace.Changes[last-1].Value = int32(len(f.trace.Values) - 1)
		},
		"another way through": func(f *fixture) { f.trace.Events[12].Value = -1 },
	} {
		f := loadFixture(t, "never")
		damage(f)
		if f.tree(t).loop() != nil {
			t.Errorf("%s: taken for an endless loop", name)
		}
	}
}

func replaced(old, with string) func(*fixture) {
	return func(f *fixture) { f.fn.Program = strings.Replace(f.fn.Program, old, with, 1) }
}

// A call inside the loop that is only not recorded to its end is not one that never ends.
func TestNeverIsOfLiveFrames(t *testing.T) {
	tree := loadFixture(t, "never").tree(t)
	last := int32(len(tree.trace.Events)) - 1
	_, err := tree.Follow(DefaultOptions(), schema.Forward, last, []schema.Action{{Kind: schema.Continue}})
	if err == nil {
		t.Error("the last call of step never ends")
	}
}
