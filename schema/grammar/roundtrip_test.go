package grammar

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/tracemill/tracemill/schema"
	"pgregory.net/rapid"
)

// forEach runs a property for each format by its name.
func forEach(t *testing.T, property func(*rapid.T, Format)) {
	for _, name := range Names() {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			f, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			property(t, f)
		}))
	}
}

func mustRender(t interface{ Fatalf(string, ...any) }, f Format, d *schema.Document) *Text {
	text, err := f.Render(d)
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	return text
}

func TestRoundTrip(t *testing.T) {
	forEach(t, func(t *rapid.T, f Format) {
		d := anyDocument(t, f)
		before := fmt.Sprintf("%#v", d)
		text := mustRender(t, f, d)
		got, err := f.Parse(text.Text)
		if err != nil {
			t.Fatalf("parse: %v\n%s", err, text.Text)
		}
		want := f.Project(d)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("parsed\n%#v\nwant\n%#v\nof\n%s", got, want, text.Text)
		}
		if again := f.Project(want); !reflect.DeepEqual(again, want) {
			t.Fatalf("the projection of a projection is\n%#v\nnot\n%#v", again, want)
		}
		if after := fmt.Sprintf("%#v", d); after != before {
			t.Fatalf("the document was changed from\n%s\nto\n%s", before, after)
		}
	})
}

func TestTargetsAreThePieces(t *testing.T) {
	forEach(t, func(t *rapid.T, f Format) {
		d := anyDocument(t, f)
		text := mustRender(t, f, d)
		runes := []rune(text.Text)
		if text.Chars != len(runes) {
			t.Fatalf("%d characters, want %d", text.Chars, len(runes))
		}
		at := map[int]map[schema.TargetKind]string{} // by state; the exit's is len(states)
		last := int32(0)
		for _, span := range text.Targets {
			if span.Start < last || span.End < span.Start || int(span.End) > len(runes) {
				t.Fatalf("%v overlaps the span before it, or ends outside the text", span)
			}
			last = span.End
			state, _ := slices.BinarySearch(text.Ends, span.End)
			if at[state] == nil {
				at[state] = map[schema.TargetKind]string{}
			}
			if _, twice := at[state][span.Kind]; twice {
				t.Fatalf("state %d has two targets of kind %s", state, span.Kind)
			}
			at[state][span.Kind] = string(runes[span.Start:span.End])
		}
		want := f.Project(d)
		if at[0] != nil {
			t.Fatalf("the first state is given, but has targets %v", at[0])
		}
		for i := 1; i < len(want.States); i++ {
			comparePieces(t, i, at[i], &want.States[i])
		}
		exit, ok := at[len(want.States)][schema.TargetExit]
		if ok != (want.Exit != schema.ExitCut) || ok && !slices.Contains(Tokens(), exit) {
			t.Fatalf("exit %q has the target %q", want.Exit, exit)
		}
	})
}

// comparePieces reads the JSON pieces by encoding/json, which knows nothing of the writer.
func comparePieces(t *rapid.T, i int, got map[schema.TargetKind]string, s *schema.State) {
	if len(got) != 3 {
		t.Fatalf("state %d has targets %q, want three", i, got)
	}
	if !slices.Contains(Tokens(), got[schema.TargetEvent]) {
		t.Fatalf("state %d: event %q", i, got[schema.TargetEvent])
	}
	if got[schema.TargetSource] != s.Source {
		t.Fatalf("state %d: source %q, want %q", i, got[schema.TargetSource], s.Source)
	}
	if !s.HasLocals() {
		var value *string
		if err := json.Unmarshal([]byte(got[schema.TargetValue]), &value); err != nil {
			t.Fatalf("state %d: value %q: %v", i, got[schema.TargetValue], err)
		}
		if (value != nil) != s.HasValue || value != nil && *value != s.Value {
			t.Fatalf("state %d: value %q, want %q", i, got[schema.TargetValue], s.Value)
		}
		return
	}
	var object map[string]*string
	if err := json.Unmarshal([]byte(got[schema.TargetLocals]), &object); err != nil {
		t.Fatalf("state %d: locals %q: %v", i, got[schema.TargetLocals], err)
	}
	for _, l := range s.Locals {
		value, ok := object[l.Name]
		switch {
		case !ok:
			t.Fatalf("state %d: %q is missing in %q", i, l.Name, got[schema.TargetLocals])
		case l.State == schema.LocalUnbound && value != nil,
			l.State == schema.LocalUnchanged && (value == nil || *value != ".."),
			l.State == schema.LocalSet && (value == nil || *value != l.Value):
			t.Fatalf("state %d: %q in %q, want %q", i, l.Name, got[schema.TargetLocals], l.Value)
		}
		delete(object, l.Name)
	}
	if _, marked := object[".."]; marked && s.Elided {
		delete(object, "..")
	}
	if len(object) > 0 {
		t.Fatalf("state %d: %q shows more than %v", i, got[schema.TargetLocals], s.Locals)
	}
}

func TestCutIsTheCutDocument(t *testing.T) {
	forEach(t, func(t *rapid.T, f Format) {
		d := anyDocument(t, f)
		text := mustRender(t, f, d)
		for n := 1; n <= len(d.States); n++ {
			cut := *d
			cut.States, cut.Actions, cut.Exit = d.States[:n], d.Actions[:n-1], schema.ExitCut
			want := mustRender(t, f, &cut)
			got := text.Cut(n)
			if got.Text != want.Text || got.Chars != want.Chars || !slices.Equal(got.Targets, want.Targets) || !slices.Equal(got.Ends, want.Ends) {
				t.Fatalf("cut at %d\n%v\nwant\n%v", n, got, want)
			}
		}
	})
}

// FuzzParse: no text makes a parser panic, and what a parser takes is the one text of its document.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"total.forward.golden", "total.inverse.golden", "total.cwm.golden"} {
		f.Add(goldenText(f, name))
	}
	f.Add(`<|begin_of_text|><|trace_context_start|><|frame_sep|><|return_sep|><|src_sep|><|arg_sep|>null<|action_sep|><|breakpoint|>x<|frame_sep|><|exit_error|><|trace_end|><|end_of_text|>`)
	f.Add(`<|begin_of_text|><|trace_context_start|>é<|frame_sep|><|inv_line_call_sep|><|src_sep|>a<|arg_sep|>{"..": "..", "\u003c|": "\u0001😀", "y": null}`)
	f.Add("<|begin_of_text|><|trace_context_start|>  # << START_OF_TRACE\n<|frame_sep|><|exception_sep|><|action_sep|>a\n<|arg_sep|>\"\"<|frame_sep|>")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range Names() {
			format, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			d, err := format.Parse(text)
			if err != nil {
				if syntax, ok := err.(*SyntaxError); !ok || syntax.Offset > utf8.RuneCountInString(text) {
					t.Fatalf("%s: error %v", name, err)
				}
				continue
			}
			if again := mustRender(t, format, d); again.Text != text {
				t.Fatalf("%s: renders back to\n%q\nnot\n%q", name, again.Text, text)
			}
			if p := format.Project(d); !reflect.DeepEqual(p, d) {
				t.Fatalf("%s: parsed\n%#v\nbut carries\n%#v", name, d, p)
			}
		}
	})
}
