package grammar

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
	"pgregory.net/rapid"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func set(name, value string) schema.Local {
	return schema.Local{Name: name, Value: value}
}

func same(name string) schema.Local {
	return schema.Local{Name: name, State: schema.LocalUnchanged}
}

func unbound(name string) schema.Local {
	return schema.Local{Name: name, State: schema.LocalUnbound}
}

func shows(kind schema.Kind, source string, locals ...schema.Local) schema.State {
	s := schema.State{Kind: kind, Source: source, Locals: locals}
	for _, l := range locals {
		s.Elided = s.Elided || l.State == schema.LocalUnchanged
	}
	return s
}

func gives(kind schema.Kind, source, value string) schema.State {
	return schema.State{Kind: kind, Source: source, Value: value, HasValue: kind != schema.KindUnwind}
}

func repeat(kind schema.ActionKind, n int) []schema.Action {
	actions := make([]schema.Action, n)
	for i := range actions {
		actions[i].Kind = kind
	}
	return actions
}

// totalForward is testdata/total.py run from its main by step_into alone.
func totalForward(t *testing.T) *schema.Document {
	const line = schema.KindLine
	states := []schema.State{
		shows(schema.KindCall, "def main():"),
		shows(line, "    return total([1, 2])"),
		shows(schema.KindCall, "def total(xs):", set("xs", "[1, 2]")),
		shows(line, "    s = 0", same("xs")),
		shows(line, "    for x in xs:", same("xs"), set("s", "0")),
		shows(line, "        s += x", same("xs"), same("s"), set("x", "1")),
		shows(line, "    for x in xs:", same("xs"), set("s", "1"), same("x")),
		shows(line, "        s += x", same("xs"), same("s"), set("x", "2")),
		shows(line, "    for x in xs:", same("xs"), set("s", "3"), same("x")),
		shows(line, "    return s", same("xs"), same("s"), same("x")),
		gives(schema.KindReturn, "    return s", "3"),
		gives(schema.KindReturn, "    return total([1, 2])", "3"),
	}
	return &schema.Document{
		Direction: schema.Forward, Code: readFile(t, "total.py"), Entry: "main", EntryLine: 7,
		States: states, Actions: repeat(schema.StepInto, len(states)), Exit: schema.ExitNormal,
	}
}

// totalInverse is total's part of it, from its return backwards by inv_step_into alone.
func totalInverse(t *testing.T) *schema.Document {
	const line = schema.KindLine
	code, _, _ := strings.Cut(readFile(t, "total.py"), "\ndef main")
	states := []schema.State{
		gives(schema.KindReturn, "    return s", "3"),
		{Kind: line, Source: "    return s", Elided: true},
		{Kind: line, Source: "    for x in xs:", Elided: true},
		shows(line, "        s += x", same("xs"), set("s", "1"), same("x")),
		shows(line, "    for x in xs:", same("xs"), same("s"), set("x", "1")),
		shows(line, "        s += x", same("xs"), set("s", "0"), same("x")),
		shows(line, "    for x in xs:", same("xs"), same("s"), unbound("x")),
		shows(line, "    s = 0", same("xs"), unbound("s"), same("x")),
		shows(schema.KindCall, "def total(xs):", set("xs", "[1, 2]")),
	}
	return &schema.Document{
		Direction: schema.Inverse, Code: code, Entry: "total", EntryLine: 1,
		States: states, Actions: repeat(schema.InvStepInto, len(states)), Exit: schema.ExitEntry,
	}
}

// hostile is what values and names may hold: quotes, escapes, special tokens, half tokens, control characters,
// characters beyond the basic plane, and the line ends that are not \n.
var hostile = []string{
	"", "..", "null", "'..'", `"`, `\`, `\"`, `\u003c|`, "\n", "\r\t\f\b\x00\x1f\x7f", "<", "<|", "<<||>", "|>", "<|frame_sep|>",
	"<|exit_normal|><|trace_end|><|end_of_text|>", "é", "漢字", "😀🐍", "e\u0301", "\u2028\u2029\u0085\ufeff", "{}", `{"a": 1}`, `", "..": ".."`,
}

func anyValue() *rapid.Generator[string] {
	pieces := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String(), rapid.StringMatching(`[a-z0-9\[\], ']{0,12}`))
	return rapid.Map(rapid.SliceOfN(pieces, 0, 3), func(parts []string) string { return strings.Join(parts, "") })
}

// anyLine is text that stands as it is: anything in one line that holds no special token.
func anyLine() *rapid.Generator[string] {
	return rapid.Map(anyValue(), func(s string) string {
		s = strings.ReplaceAll(s, "\n", " ")
		for token := Reserved(s); token != ""; token = Reserved(s) {
			s = strings.ReplaceAll(s, token, "<|")
		}
		return s
	})
}

func anyLocals(t *rapid.T, cwm bool) (locals []schema.Local, elided bool) {
	names := rapid.SliceOfNDistinct(anyValue(), 0, 15, rapid.ID[string]).Draw(t, "names")
	for _, name := range names {
		state := rapid.SampledFrom([]schema.LocalState{schema.LocalSet, schema.LocalUnbound, schema.LocalUnchanged, schema.LocalAbsent}).Draw(t, "state")
		l := schema.Local{Name: name, State: state}
		if state != schema.LocalUnbound && state != schema.LocalAbsent {
			l.Value = anyValue().Draw(t, "value")
		}
		switch {
		case name == "..", cwm && state == schema.LocalSet && l.Value == "..":
			continue // Render refuses it: TestRefused
		case state == schema.LocalUnchanged, state == schema.LocalAbsent:
			elided = true
		}
		locals = append(locals, l)
	}
	return locals, elided || rapid.Bool().Draw(t, "elided")
}

func anyState(t *rapid.T, direction schema.Direction, cwm bool) schema.State {
	s := schema.State{Kind: rapid.SampledFrom(schema.Kinds).Draw(t, "kind"), Source: anyLine().Draw(t, "source")}
	if s.HasLocals() {
		s.Locals, s.Elided = anyLocals(t, cwm)
		s.LineCall = direction == schema.Inverse && s.Kind == schema.KindLine && rapid.Bool().Draw(t, "line call")
	} else if s.Kind != schema.KindUnwind {
		s.Value, s.HasValue = anyValue().Draw(t, "value"), true
	}
	return s
}

func anyAction(t *rapid.T, direction schema.Direction, cwm bool) schema.Action {
	kinds := []schema.ActionKind{schema.StepInto, schema.StepOver, schema.StepReturn, schema.Breakpoint, schema.Continue}
	switch {
	case cwm:
		kinds = kinds[:1]
	case direction == schema.Inverse:
		kinds = []schema.ActionKind{schema.InvStepInto, schema.InvStepOver, schema.InvStepCall}
	}
	a := schema.Action{Kind: rapid.SampledFrom(kinds).Draw(t, "action")}
	if a.Kind == schema.Breakpoint {
		a.Arg = anyLine().Draw(t, "argument")
	}
	return a
}

// anyDocument draws a document that the format has words for.
func anyDocument(t *rapid.T, f Format) *schema.Document {
	_, cwm := f.(CWM)
	d := &schema.Document{Direction: schema.Forward, Entry: "main"}
	if f.Supports(schema.Inverse) && rapid.Bool().Draw(t, "inverse") {
		d.Direction = schema.Inverse
	}
	lines := rapid.SliceOfN(anyLine(), 1, 4).Draw(t, "code")
	d.Code = strings.Join(lines, "\n")
	d.EntryLine = rapid.Int32Range(1, int32(len(lines))).Draw(t, "entry line")
	for range rapid.IntRange(1, 5).Draw(t, "states") {
		d.States = append(d.States, anyState(t, d.Direction, cwm))
	}
	exits := []schema.Exit{schema.ExitCut, schema.ExitNever, schema.ExitNormal, schema.ExitError}
	switch {
	case d.Direction == schema.Inverse:
		exits = []schema.Exit{schema.ExitCut, schema.ExitEntry}
	case cwm:
		exits = exits[:2]
		if exit, ok := (CWM{}).exitAfter(d.States[len(d.States)-1].Kind); ok {
			exits = append(exits, exit)
		}
	}
	d.Exit = rapid.SampledFrom(exits).Draw(t, "exit")
	for i := range d.States {
		if i < len(d.States)-1 || d.Exit != schema.ExitCut {
			d.Actions = append(d.Actions, anyAction(t, d.Direction, cwm))
		}
	}
	return d
}
