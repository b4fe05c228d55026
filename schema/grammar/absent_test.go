package grammar

import (
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// A variable that has had no value since an earlier state is left out by both formats, and never said to be unchanged:
// in cwm that would bring it back to life.
func TestAbsentIsNotUnchanged(t *testing.T) {
	d := &schema.Document{Direction: schema.Forward, Code: "def f():\n    pass\n", Entry: "f", EntryLine: 1, Exit: schema.ExitCut,
		States: []schema.State{{Kind: schema.KindLine, Source: "    pass", Elided: true, Locals: []schema.Local{
			{Name: "gone", State: schema.LocalAbsent}, {Name: "kept", State: schema.LocalUnchanged, Value: "1"},
		}}}}
	for name, want := range map[string]string{"cwm": `{"kept": ".."}`, "neural-debugger": `{"..": ".."}`} {
		format, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := format.Render(d)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.Text, want) || strings.Contains(text.Text, "gone") {
			t.Errorf("%s: %s, want %s in it", name, text.Text, want)
		}
	}
}
