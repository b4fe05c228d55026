package grammar

import (
	"errors"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// TestRefused has one document for each thing that Render refuses, and what it says.
func TestRefused(t *testing.T) {
	for _, tc := range []struct {
		name, format string
		spoil        func(*schema.Document)
		want         string
	}{
		{"token in code", "neural-debugger", func(d *schema.Document) { d.Code = "x = '<|frame_sep|>'" }, "the code holds the special token <|frame_sep|>"},
		{"other token", "cwm", func(d *schema.Document) { d.Code = "x = '<|im_start|>'" }, "the code holds the special token <|im_start|>"},
		{"token in source", "neural-debugger", func(d *schema.Document) { d.States[2].Source = "<|a|>" }, "the source of state 2 holds the special token <|a|>"},
		{"token in argument", "neural-debugger", func(d *schema.Document) {
			d.Actions[1] = schema.Action{Kind: schema.Breakpoint, Arg: "<|<|src_sep|>"}
		}, "the argument of action 1 holds the special token <|src_sep|>"},
		{"two lines", "neural-debugger", func(d *schema.Document) { d.States[1].Source = "a\nb" }, "the source of state 1 is more than one line"},
		{"bytes in code", "neural-debugger", func(d *schema.Document) { d.Code = "\xff" }, "the code is not valid UTF-8"},
		{"bytes in value", "neural-debugger", func(d *schema.Document) { d.States[10].Value = "\xed\xa0\x80" }, "state 10: the value is not valid UTF-8"},
		{"bytes in local", "neural-debugger", func(d *schema.Document) { d.States[2].Locals[0].Value = "\xff" }, `state 2: local "xs" is not valid UTF-8`},
		{"no states", "neural-debugger", func(d *schema.Document) { d.States = nil }, "no states"},
		{"no kind", "neural-debugger", func(d *schema.Document) { d.States[3].Kind = 0 }, "state 3: invalid kind"},
		{"actions", "neural-debugger", func(d *schema.Document) { d.Exit = schema.ExitCut }, "12 actions, but 12 states"},
		{"exit", "neural-debugger", func(d *schema.Document) { d.Exit = "" }, `unknown exit ""`},
		{"exit of inverse", "neural-debugger", func(d *schema.Document) { d.Exit = schema.ExitEntry }, `exit "entry" of a forward`},
		{"exit of forward", "neural-debugger", func(d *schema.Document) { d.Direction = schema.Inverse }, `exit "normal" of an inverse`},
		{"action of inverse", "neural-debugger", func(d *schema.Document) { d.Actions[3].Kind = schema.InvStepInto }, `action 3: "inv_step_into"`},
		{"unknown action", "neural-debugger", func(d *schema.Document) { d.Actions[3].Kind = "jump" }, `action 3: "jump"`},
		{"argument", "neural-debugger", func(d *schema.Document) { d.Actions[3].Arg = "x" }, "step_into takes no argument"},
		{"line call", "neural-debugger", func(d *schema.Document) { d.States[1].LineCall = true }, "state 1: only a line of an inverse"},
		{"no value", "neural-debugger", func(d *schema.Document) { d.States[10].HasValue = false }, "state 10: return with HasValue false"},
		{"value of unwind", "cwm", func(d *schema.Document) { d.States[10].Kind = schema.KindUnwind }, "state 10: unwind with HasValue true"},
		{"not elided", "neural-debugger", func(d *schema.Document) { d.States[3].Elided = false }, `state 3: local "xs" is left out`},
		{"local state", "neural-debugger", func(d *schema.Document) { d.States[2].Locals[0].State = 9 }, `state 2: local "xs" has unknown state 9`},
		{"twice", "neural-debugger", func(d *schema.Document) { d.States[2].Locals = []schema.Local{set("a", ""), unbound("a")} }, `state 2: local "a" is there twice`},
		{"twice of many", "cwm", func(d *schema.Document) {
			for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyza", "") {
				d.States[2].Locals = append(d.States[2].Locals, set(name, ""))
			}
		}, `state 2: local "a" is there twice`},
		{"name", "neural-debugger", func(d *schema.Document) { d.States[2].Locals[0].Name = ".." }, `state 2: a local is called ".."`},
		{"direction", "cwm", func(d *schema.Document) { d.Direction = schema.Inverse }, `it has no documents of direction "inverse"`},
		{"no direction", "neural-debugger", func(d *schema.Document) { d.Direction = "" }, `it has no documents of direction ""`},
		{"cwm action", "cwm", func(d *schema.Document) { d.Actions[4].Kind = schema.StepOver }, `action 4 is step_over, but the format has no actions`},
		{"cwm mark", "cwm", func(d *schema.Document) { d.Code = "# << START_OF_TRACE" }, `the code holds "<< START_OF_TRACE"`},
		{"cwm entry", "cwm", func(d *schema.Document) { d.EntryLine = 0 }, "does not say which line"},
		{"cwm line", "cwm", func(d *schema.Document) { d.EntryLine = 99 }, "the entry's def is on line 99, but the code has"},
		{"cwm value", "cwm", func(d *schema.Document) { d.States[2].Locals[0].Value = ".." }, `state 2: the value of "xs" is rendered as ".."`},
		{"cwm exit", "cwm", func(d *schema.Document) { d.Exit = schema.ExitError }, `exit "error" cannot be told from the last state, return`},
		{"cwm open exit", "cwm", func(d *schema.Document) { d.States[11].Kind = schema.KindException }, `exit "normal" cannot be told`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := Lookup(tc.format)
			if err != nil {
				t.Fatal(err)
			}
			d := totalForward(t)
			tc.spoil(d)
			text, err := f.Render(d)
			if err == nil || !strings.HasPrefix(err.Error(), tc.format+": ") || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, %v; want an error with %q", text, err, tc.want)
			}
			var token *TokenError
			if errors.As(err, &token) != strings.Contains(tc.want, "special token") {
				t.Fatalf("%v: is it a TokenError?", err)
			}
		})
	}
}
