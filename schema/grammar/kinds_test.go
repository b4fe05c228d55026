package grammar

import (
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// TestKinds has one state of every kind in every format, after a first state that is not looked at.
func TestKinds(t *testing.T) {
	locals := shows(schema.KindLine, "", same("a"), set("b", `"1"`), unbound("c")).Locals
	with := func(kind schema.Kind, elided bool) schema.State {
		return schema.State{Kind: kind, Source: " x", Locals: locals, Elided: elided}
	}
	lineCall := with(schema.KindLine, true)
	lineCall.LineCall = true
	for _, tc := range []struct {
		name, format string
		state        schema.State
		want         string
	}{
		{"call", "neural-debugger", with(schema.KindCall, true), `<|call_sep|><|src_sep|> x<|arg_sep|>{"..": "..", "b": "\"1\"", "c": null}`},
		{"line", "neural-debugger", with(schema.KindLine, true), `<|line_sep|><|arg_sep|>{"..": "..", "b": "\"1\"", "c": null}<|src_sep|> x`},
		{"resume", "neural-debugger", with(schema.KindResume, true), `<|resume_sep|><|src_sep|> x<|arg_sep|>{"..": "..", "b": "\"1\"", "c": null}`},
		{"yield", "neural-debugger", gives(schema.KindYield, " x", "1"), `<|yield_sep|><|src_sep|> x<|arg_sep|>"1"`},
		{"return", "neural-debugger", gives(schema.KindReturn, " x", "None"), `<|return_sep|><|src_sep|> x<|arg_sep|>"None"`},
		{"unwind", "neural-debugger", gives(schema.KindUnwind, " x", ""), `<|return_sep|><|src_sep|> x<|arg_sep|>null`},
		{"exception", "neural-debugger", gives(schema.KindException, " x", "KeyError('é')"), `<|exception_sep|><|src_sep|> x<|arg_sep|>"KeyError('é')"`},
		{"no locals", "neural-debugger", shows(schema.KindLine, " x"), `<|line_sep|><|arg_sep|>{}<|src_sep|> x`},
		{"only elided", "neural-debugger", shows(schema.KindLine, " x", same("a")), `<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|> x`},
		{"forged", "neural-debugger", gives(schema.KindReturn, " x", "'<|frame_sep|>\n'"), `<|return_sep|><|src_sep|> x<|arg_sep|>"'\u003c|frame_sep|>\n'"`},

		{"line", "neural-debugger:no-tombstones", with(schema.KindLine, true), `<|line_sep|><|arg_sep|>{"..": "..", "b": "\"1\""}<|src_sep|> x`},
		{"resume", "neural-debugger:no-tombstones", shows(schema.KindResume, " x", unbound("c")), `<|resume_sep|><|src_sep|> x<|arg_sep|>{}`},
		{"resume", "neural-debugger:paper-tokens", shows(schema.KindResume, " x", unbound("c")), `<|call_sep|><|src_sep|> x<|arg_sep|>{"c": null}`},
		{"yield", "neural-debugger:paper-tokens", gives(schema.KindYield, " x", "1"), `<|return_sep|><|src_sep|> x<|arg_sep|>"1"`},
		{"resume", "neural-debugger:paper", shows(schema.KindResume, " x", unbound("c")), `<|call_sep|><|src_sep|> x<|arg_sep|>{}`},

		{"call", "inverse", with(schema.KindCall, true), `<|inv_call_sep|><|src_sep|> x<|arg_sep|>{"..": "..", "b": "\"1\"", "c": null}`},
		{"line", "inverse", with(schema.KindLine, true), `<|inv_line_sep|><|src_sep|> x<|arg_sep|>{"..": "..", "b": "\"1\"", "c": null}`},
		{"line call", "inverse", lineCall, `<|inv_line_call_sep|><|src_sep|> x<|arg_sep|>{"..": "..", "b": "\"1\"", "c": null}`},
		{"resume", "inverse", shows(schema.KindResume, " x"), `<|inv_resume_sep|><|src_sep|> x<|arg_sep|>{}`},
		{"yield", "inverse", gives(schema.KindYield, " x", "1"), `<|inv_yield_sep|><|src_sep|> x<|arg_sep|>"1"`},
		{"return", "inverse", gives(schema.KindReturn, " x", "None"), `<|inv_return_sep|><|src_sep|> x<|arg_sep|>"None"`},
		{"unwind", "inverse", gives(schema.KindUnwind, " x", ""), `<|inv_return_sep|><|src_sep|> x<|arg_sep|>null`},
		{"exception", "inverse", gives(schema.KindException, " x", "E"), `<|inv_exception_sep|><|src_sep|> x<|arg_sep|>"E"`},

		{"call", "cwm", with(schema.KindCall, true), `<|call_sep|>{"a": "..", "b": "\"1\""}<|action_sep|> x` + "\n"},
		{"resume", "cwm", shows(schema.KindResume, " x"), "<|call_sep|>{}<|action_sep|> x\n"},
		{"line", "cwm", with(schema.KindLine, true), `<|line_sep|>{"a": "..", "b": "\"1\""}<|action_sep|> x` + "\n"},
		{"return", "cwm", gives(schema.KindReturn, " x", "None"), "<|return_sep|><|action_sep|> x\n" + `<|arg_sep|>"None"`},
		{"yield", "cwm", gives(schema.KindYield, " x", "1"), "<|return_sep|><|action_sep|> x\n" + `<|arg_sep|>"1"`},
		{"unwind", "cwm", gives(schema.KindUnwind, " x", ""), "<|return_sep|><|action_sep|> x\n<|arg_sep|>null"},
		{"exception", "cwm", gives(schema.KindException, " x", "E"), "<|exception_sep|><|action_sep|> x\n" + `<|arg_sep|>"E"`},
	} {
		t.Run(tc.format+"/"+tc.name, func(t *testing.T) {
			d := &schema.Document{Direction: schema.Forward, Code: "c", EntryLine: 1, Exit: schema.ExitCut, Actions: repeat(schema.StepInto, 1)}
			name, after := tc.format, frameSep
			switch name {
			case "inverse":
				name, d.Direction, d.Actions = "neural-debugger", schema.Inverse, repeat(schema.InvStepInto, 1)
			case "cwm":
				after = ""
			}
			f, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			d.States = []schema.State{shows(schema.KindCall, "first"), tc.state}
			text := mustRender(t, f, d)
			got := string([]rune(text.Text)[text.Targets[0].Start:])
			if after == "" {
				got = strings.TrimSuffix(got, frameSep)
			}
			if got != tc.want {
				t.Fatalf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}
