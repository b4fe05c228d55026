package grammar

import (
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// TestActionsAndExits has every action and every exit of both directions once.
func TestActionsAndExits(t *testing.T) {
	into := schema.Action{Kind: schema.StepInto}
	inverse := schema.Action{Kind: schema.InvStepInto}
	for _, tc := range []struct {
		first, last schema.Action
		exit        schema.Exit
		want        string
	}{
		{into, schema.Action{Kind: schema.StepReturn}, schema.ExitNormal, "<|action_sep|><|step_into|> S <|action_sep|><|step_return|><|frame_sep|><|exit_normal|><|trace_end|><|end_of_text|>"},
		{schema.Action{Kind: schema.StepOver}, into, schema.ExitError, "<|action_sep|><|step_over|> S <|action_sep|><|step_into|><|frame_sep|><|exit_error|><|trace_end|><|end_of_text|>"},
		{schema.Action{Kind: schema.Breakpoint, Arg: "\tif é < b:"}, schema.Action{Kind: schema.Continue}, schema.ExitNever,
			"<|action_sep|><|breakpoint|>\tif é < b: S <|action_sep|><|continue|><|frame_sep|><|exit_never|><|trace_end|><|end_of_text|>"},
		{inverse, schema.Action{Kind: schema.InvStepCall}, schema.ExitEntry, "<|action_sep|><|inv_step_into|> S <|action_sep|><|inv_step_call|><|frame_sep|><|inv_exit_entry|><|trace_end|><|end_of_text|>"},
		{schema.Action{Kind: schema.InvStepOver}, inverse, schema.ExitEntry, "<|action_sep|><|inv_step_over|> S <|action_sep|><|inv_step_into|><|frame_sep|><|inv_exit_entry|><|trace_end|><|end_of_text|>"},
		{into, schema.Action{}, schema.ExitCut, "<|action_sep|><|step_into|> S "},
		{inverse, schema.Action{}, schema.ExitCut, "<|action_sep|><|inv_step_into|> S "},
	} {
		state := gives(schema.KindReturn, "s", "v")
		d := &schema.Document{States: []schema.State{state, state}, Actions: []schema.Action{tc.first}, Exit: tc.exit, Direction: schema.Forward}
		inv := ""
		if isInverse[tc.first.Kind] {
			d.Direction, inv = schema.Inverse, "inv_"
		}
		if tc.exit != schema.ExitCut {
			d.Actions = append(d.Actions, tc.last)
		}
		got := strings.ReplaceAll(mustRender(t, NeuralDebugger{}, d).Text, "<|frame_sep|><|"+inv+`return_sep|><|src_sep|>s<|arg_sep|>"v"`, " S ")
		if want := "<|begin_of_text|><|trace_context_start|> S " + tc.want; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
