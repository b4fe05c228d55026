package actions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// A fixture is a text file: a program, the trace of a call of it, and walks with the states that they must give. Its
// sections begin with a line of one word; text after " # " is a comment.
//
//	program     lines with "| " before them
//	blocks      START DEF END [NAME]
//	trace       [case EXPR] [stdin QUOTED] [status STATUS], then events: KIND FRAME LINE [FLAG...] [; NAME: VALUE...] [= VALUE]
//	walk        DIRECTION [KEY=VALUE...]: ACTION...; then the expected states, one a line
//
// A frame's label names it from its call on, and a label's part before "." is the code's name. An event's caller is
// the frame that ran before it. Values are texts without ";" and " = ". "NAME: -" unbinds a name.
type fixture struct {
	fn    schema.Function
	trace schema.Trace
	walks []fixtureWalk

	frames   map[string]int32
	stack    []int32
	codes    map[string]int32
	interned map[string]int32
}

type fixtureWalk struct {
	line   int // in the file, from 0
	header string
	want   []string
}

var flagWords = map[string]schema.Flags{
	"si": schema.FlagStopIteration, "ge": schema.FlagGeneratorExit, "tb": schema.FlagTraceback,
	"foreign": schema.FlagForeignCaller, "gencaller": schema.FlagGeneratorCaller, "collector": schema.FlagCollector,
}

func parseFixture(tb testing.TB, text string) *fixture {
	tb.Helper()
	f := &fixture{frames: map[string]int32{}, codes: map[string]int32{}, interned: map[string]int32{}}
	f.trace.ID, f.trace.Status, f.trace.Wrapper = "trace", schema.StatusOK, schema.WrapNone
	section := ""
	for n, raw := range strings.Split(text, "\n") {
		line := raw
		if section != "program" || !strings.HasPrefix(strings.TrimSpace(raw), "|") {
			if k := strings.Index(" "+line, " # "); k >= 0 {
				line = line[:max(k-1, 0)]
			}
			line = strings.TrimSpace(line)
		}
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case line == "program" || line == "blocks" || line == "trace":
			section = line
		case word == "walk":
			section = word
			f.walks = append(f.walks, fixtureWalk{line: n, header: rest})
		case section == "program":
			line = strings.TrimPrefix(strings.TrimLeft(line, " "), "|")
			f.fn.Program += strings.TrimPrefix(line, " ") + "\n"
		case section == "blocks":
			f.block(tb, line)
		case section == "trace":
			f.event(tb, n+1, line)
		case section == "walk":
			w := &f.walks[len(f.walks)-1]
			w.want = append(w.want, line)
		default:
			tb.Fatalf("line %d: %q is in no section", n+1, line)
		}
	}
	return f
}

func (f *fixture) block(tb testing.TB, line string) {
	var b schema.Block
	if n, _ := fmt.Sscan(line, &b.Start, &b.Def, &b.End, &b.Name); n < 3 {
		tb.Fatalf("block %q", line)
	}
	f.fn.Blocks = append(f.fn.Blocks, b)
}

func (f *fixture) event(tb testing.TB, n int, line string) {
	tb.Helper()
	word, rest, _ := strings.Cut(line, " ")
	if word == "status" {
		f.trace.Status = schema.Status(rest)
		return
	}
	if word == "case" {
		f.trace.Call, f.trace.Wrapper = rest, schema.WrapMain
		return
	}
	if word == "stdin" {
		stdin, err := strconv.Unquote(rest)
		if err != nil {
			tb.Fatalf("line %d: %q is not quoted", n, rest)
		}
		f.trace.Stdin, f.trace.Wrapper = stdin, schema.WrapModule
		return
	}
	e := schema.Event{Back: -1, Value: -1}
	line, value, hasValue := strings.Cut(line, " = ")
	if hasValue {
		e.Value = f.intern(&f.trace.Values, "value ", strings.TrimSpace(value))
	}
	head, changes, _ := strings.Cut(line, ";")
	words := strings.Fields(head)
	if len(words) < 3 {
		tb.Fatalf("line %d: event %q", n, line)
	}
	e.Kind = schema.Kind(slices.IndexFunc(schema.Kinds, func(k schema.Kind) bool { return k.String() == words[0] }) + 1)
	if number, err := strconv.Atoi(words[2]); err == nil && e.Kind.Valid() {
		e.Line = int32(number)
	} else {
		tb.Fatalf("line %d: event %q", n, line)
	}
	generator := false
	for _, word := range words[3:] {
		flag, ok := flagWords[word]
		if !ok && word != "gen" {
			tb.Fatalf("line %d: flag %q", n, word)
		}
		e.Flags |= flag
		generator = generator || word == "gen"
	}
	f.place(tb, n, &e, words[1], generator)
	for _, c := range strings.Split(changes, ";") {
		if name, value, ok := strings.Cut(c, ":"); ok {
			change := schema.Change{Name: f.intern(&f.trace.Names, "name ", strings.TrimSpace(name)), Value: -1}
			if value = strings.TrimSpace(value); value != "-" {
				change.Value = f.intern(&f.trace.Values, "value ", value)
			}
			f.trace.Changes = append(f.trace.Changes, change)
		}
	}
	e.Changes = int32(len(f.trace.Changes))
	f.trace.Events = append(f.trace.Events, e)
}

// place finds an event's frame, making one for a call, and the frame's caller.
func (f *fixture) place(tb testing.TB, n int, e *schema.Event, label string, generator bool) {
	if e.Kind == schema.KindCall {
		name, _, _ := strings.Cut(label, ".")
		key := fmt.Sprint(name, e.Line)
		if _, ok := f.codes[key]; !ok {
			f.codes[key] = int32(len(f.trace.Codes))
			code := schema.Code{Name: name, FirstLine: e.Line}
			if generator {
				code.Flags = schema.CodeGenerator
			}
			f.trace.Codes = append(f.trace.Codes, code)
		}
		f.frames[label] = int32(len(f.trace.Frames))
		f.trace.Frames = append(f.trace.Frames, schema.Frame{Code: f.codes[key]})
	}
	frame, ok := f.frames[label]
	if !ok {
		tb.Fatalf("line %d: frame %q was not called", n, label)
	}
	e.Frame = frame
	if e.Kind.Opens() {
		if len(f.stack) > 0 {
			e.Back = f.stack[len(f.stack)-1]
		}
		f.stack = append(f.stack, frame)
	}
	e.Depth = int32(len(f.stack))
	if e.Kind.Closes() && len(f.stack) > 0 {
		f.stack = f.stack[:len(f.stack)-1]
	}
}

func (f *fixture) intern(table *[]string, kind, text string) int32 {
	n, ok := f.interned[kind+text]
	if !ok {
		n = int32(len(*table))
		f.interned[kind+text] = n
		*table = append(*table, text)
	}
	return n
}

// tree builds the fixture's tree.
func (f *fixture) tree(tb testing.TB) *Tree {
	tb.Helper()
	t, err := New(&f.trace, &f.fn)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

var actionWords = map[string]schema.ActionKind{
	"into": schema.StepInto, "over": schema.StepOver, "out": schema.StepReturn, "break": schema.Breakpoint,
	"continue": schema.Continue,
}

var inverseWords = map[string]schema.ActionKind{
	"into": schema.InvStepInto, "over": schema.InvStepOver, "call": schema.InvStepCall,
}

// formatState is a state as fixtures write it: kind|source|locals or value.
func formatState(s *schema.State) string {
	var b strings.Builder
	b.WriteString(s.Kind.String())
	if s.LineCall {
		b.WriteString("_call")
	}
	b.WriteString(" |" + s.Source + "| ")
	if !s.HasLocals() {
		if !s.HasValue {
			return b.String() + "null"
		}
		return b.String() + "= " + s.Value
	}
	var shown []string
	if s.Elided {
		shown = append(shown, "..")
	}
	for _, l := range s.Locals {
		switch l.State {
		case schema.LocalSet:
			shown = append(shown, l.Name+": "+l.Value)
		case schema.LocalUnbound:
			shown = append(shown, l.Name+": null")
		}
	}
	return b.String() + "{" + strings.Join(shown, "; ") + "}"
}
