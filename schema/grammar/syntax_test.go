package grammar

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
	"pgregory.net/rapid"
)

// TestSyntaxErrors has a text for each thing that the parsers refuse. A text is given from its first state on; the ‸
// in it is where the error is, and is taken out. The code is one character beyond the basic plane, so that an offset
// in bytes or UTF-16 units is a wrong one.
func TestSyntaxErrors(t *testing.T) {
	const (
		head  = "<|begin_of_text|><|trace_context_start|>😀"
		cwm   = head + cwmMark + frameSep
		state = `<|frame_sep|><|return_sep|><|src_sep|>é<|arg_sep|>"é"`
		exit  = `<|frame_sep|><|exit_normal|><|trace_end|><|end_of_text|>`
	)
	for _, tc := range []struct{ format, text, want string }{
		{"neural-debugger", "‸", `expected "<|begin_of_text|>", found the end`},
		{"neural-debugger", "<|begin_of_text|>‸x", `expected "<|trace_context_start|>", found 'x'`},
		{"neural-debugger", head + "‸", `expected "<|frame_sep|>", found the end`},
		{"neural-debugger", head + "‸<|line_sep|>", `expected "<|frame_sep|>", found <|line_sep|>`},
		{"neural-debugger", head + "‸\xff", "not valid UTF-8"},
		{"neural-debugger", head + "\ufffd‸\xff", "not valid UTF-8"},
		{"neural-debugger", head + "<|frame_sep|>‸<|exit_normal|>", "expected an event, found <|exit_normal|>"},
		{"neural-debugger", head + "<|frame_sep|>‸<|no_sep|>", "expected an event, found <|no_sep|>"},
		{"neural-debugger:paper", head + "<|frame_sep|>‸<|yield_sep|>", "expected an event, found <|yield_sep|>"},
		{"neural-debugger", head + "<|frame_sep|><|line_sep|>‸<|src_sep|>", `expected "<|arg_sep|>", found <|src_sep|>`},
		{"neural-debugger", head + "<|frame_sep|><|call_sep|><|src_sep|>é‸\né<|arg_sep|>{}", "a line end in a source line"},
		{"neural-debugger", head + "<|frame_sep|><|call_sep|><|src_sep|>é<|arg_sep|>‸null", "expected a JSON object"},
		{"neural-debugger", head + "<|frame_sep|><|yield_sep|><|src_sep|>é<|arg_sep|>‸null", "expected a JSON string"},
		{"neural-debugger", head + state + "‸x", `expected "<|action_sep|>", found 'x'`},
		{"neural-debugger", head + state + "<|action_sep|>‸<|inv_step_into|>", "expected an action of the forward direction, found <|inv_step_into|>"},
		{"neural-debugger", head + state + "<|action_sep|><|step_into|>‸x", `expected "<|frame_sep|>", found 'x'`},
		{"neural-debugger", head + state + "<|action_sep|><|breakpoint|>a‸\n<|frame_sep|>", "a line end in a source line"},
		{"neural-debugger", head + state + "<|action_sep|><|step_into|>‸", `expected "<|frame_sep|>", found the end`},
		{"neural-debugger", head + state + "<|action_sep|><|step_into|><|frame_sep|>‸<|inv_line_sep|>", "<|inv_line_sep|> in a trajectory that began forward"},
		{"neural-debugger", head + state + "<|action_sep|><|step_into|><|frame_sep|>‸<|inv_exit_entry|>", "<|inv_exit_entry|> in a trajectory that began forward"},
		{"neural-debugger", head + state + "<|action_sep|><|step_into|>" + exit + "‸\n", "text after <|end_of_text|>"},
		{"neural-debugger", head + state + "<|action_sep|><|step_into|><|frame_sep|><|exit_error|><|trace_end|>‸", `expected "<|end_of_text|>", found the end`},

		{"cwm", "<|begin_of_text|><|trace_context_start|>‸😀\n# << START_OF_TRACE", "must have exactly one"},
		{"cwm", "<|begin_of_text|><|trace_context_start|>‸😀" + cwmMark + "\n<< START_OF_TRACE", "must have exactly one"},
		{"cwm", "<|begin_of_text|><|trace_context_start|>‸😀" + cwmMark + " \n", "must have exactly one"},
		{"cwm", cwm + "‸", "expected an event, found the end"},
		{"cwm", cwm + "‸<|end_of_text|>", "expected an event, found <|end_of_text|>"},
		{"cwm", cwm + "‸<|resume_sep|>", "expected an event, found <|resume_sep|>"},
		{"cwm", cwm + "<|call_sep|>{}<|action_sep|>é‸<|frame_sep|>", "expected one source line"},
		{"cwm", cwm + "<|call_sep|>{}<|action_sep|>é\né\n‸<|frame_sep|>", "expected one source line"},
		{"cwm", cwm + "<|call_sep|>{\"a\": ‸null}<|action_sep|>é\n<|frame_sep|>", "expected a JSON string"},
		{"cwm", cwm + `<|line_sep|>{"a": "b", "a": ".."}‸<|action_sep|>`, `the name "a" is there twice`},
		{"cwm", cwm + "<|call_sep|>{}<|action_sep|>é\n<|frame_sep|>‸<|end_of_text|>", "does not leave its frame"},
		{"cwm", cwm + "<|return_sep|><|action_sep|>é\n<|arg_sep|>null<|frame_sep|><|end_of_text|>‸x", "text after <|end_of_text|>"},
		{"cwm", cwm + "<|exception_sep|><|action_sep|>é\n<|arg_sep|>‸null", "expected a JSON string"},
	} {
		before, after, ok := strings.Cut(tc.text, "‸")
		if !ok {
			t.Fatalf("%q has no mark", tc.text)
		}
		wantError(t, tc.format, before+after, len([]rune(before)), tc.want)
	}
}

// TestLocalsErrors: the same for what stands between the braces.
func TestLocalsErrors(t *testing.T) {
	const head = `<|begin_of_text|><|trace_context_start|>😀<|frame_sep|><|line_sep|><|arg_sep|>`
	for _, tc := range []struct{ format, text, want string }{
		{"neural-debugger", `{‸a: "b"}`, "expected a JSON string"},
		{"neural-debugger", `{"é"‸:"b"}`, `expected ": " after the name "é"`},
		{"neural-debugger", `{"a": "é"‸,"b": "c"}`, `expected ", " or "}"`},
		{"neural-debugger", `{"a": ‸1}`, "expected a JSON string"},
		{"neural-debugger", `{"a": "b", ‸}`, "expected a JSON string"},
		{"neural-debugger", `{"a": "b", "a": null}‸`, `the name "a" is there twice`},
		{"neural-debugger", `{"a": "b", "..": ‸".."}`, "must be the first"},
		{"neural-debugger", `{"..": "..", "..": ‸".."}`, "must be the first"},
		{"neural-debugger", `{"..": ‸"."}`, "must be the first"},
		{"neural-debugger", `{"..": ‸null}`, "must be the first"},
		{"neural-debugger:no-tombstones", `{"a": null‸}`, "is null, which this format does not show"},
		{"neural-debugger", `{"a": "é‸`, "ends inside a JSON string"},
		{"neural-debugger", "{\"a\": \"é‸\n\"}", `unescaped '\n'`},
		{"neural-debugger", `{"a": "é‸<|frame_sep|>"}`, `unescaped '<'`},
		{"neural-debugger", `{"a": "é‸\u003cx"}`, "unknown, or not needed"},
		{"neural-debugger", `{"a": "é‸\u003C|"}`, "unknown, or not needed"},
		{"neural-debugger", `{"a": "é‸\u000a"}`, "unknown, or not needed"},
		{"neural-debugger", `{"a": "é‸\u00e9"}`, "unknown, or not needed"},
		{"neural-debugger", `{"a": "é‸\/"}`, "unknown, or not needed"},
		{"neural-debugger", `{"a": "é‸\`, "unknown, or not needed"},
	} {
		before, after, ok := strings.Cut(tc.text, "‸")
		if !ok {
			t.Fatalf("%q has no mark", tc.text)
		}
		wantError(t, tc.format, head+before+after, len([]rune(head+before)), tc.want)
	}
}

func wantError(t *testing.T, format, text string, offset int, want string) {
	t.Helper()
	f, err := Lookup(format)
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.Parse(text)
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset != offset || syntax.Format != format || !strings.Contains(syntax.Reason, want) {
		t.Errorf("%q:\ngot %v, %v\nwant character %d: %s", text, d, err, offset, want)
	}
}

// TestMutations changes valid texts a little, which reaches further into the parsers than random bytes do.
func TestMutations(t *testing.T) {
	forEach(t, func(t *rapid.T, f Format) {
		text := mustRender(t, f, anyDocument(t, f)).Text
		pieces := append(Tokens(), "", `"`, `\`, `, `, `": "`, "null", "{", "}", "..", `"..": "..", `, "\n", "é", "\xff", cwmMark)
		for range rapid.IntRange(1, 2).Draw(t, "mutations") {
			from := rapid.IntRange(0, len(text)).Draw(t, "from")
			if i := strings.Index(text[from:], "<|"); i >= 0 && rapid.Bool().Draw(t, "at a token") {
				from += i
			}
			to := from
			switch rapid.IntRange(0, 2).Draw(t, "length") {
			case 1:
				to = min(len(text), from+1)
			case 2:
				_, to = findToken(text, from)
			}
			text = text[:from] + rapid.SampledFrom(pieces).Draw(t, "piece") + text[to:]
		}
		d, err := f.Parse(text)
		if err != nil {
			return
		}
		if again := mustRender(t, f, d); again.Text != text {
			t.Fatalf("renders back to\n%q\nnot\n%q", again.Text, text)
		}
		if p := f.Project(d); !reflect.DeepEqual(p, d) {
			t.Fatalf("parsed\n%#v\nbut carries\n%#v", d, p)
		}
	})
}

// TestNeverIsACut: the one thing that cwm says as something else.
func TestNeverIsACut(t *testing.T) {
	d := totalForward(t)
	d.Exit = schema.ExitNever
	never := mustRender(t, CWM{}, d)
	d.Exit, d.Actions = schema.ExitCut, d.Actions[1:]
	if cut := mustRender(t, CWM{}, d); cut.Text != never.Text || strings.Contains(never.Text, endOfText) {
		t.Fatalf("got\n%s\nwant\n%s", never.Text, cut.Text)
	}
}
