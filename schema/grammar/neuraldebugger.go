package grammar

import (
	"fmt"

	"github.com/tracemill/tracemill/schema"
)

func init() {
	words := []string{
		beginOfText, traceContext, frameSep, actionSep, argSep, srcSep, traceEnd, endOfText,
	}
	for token := range debuggerEvents {
		words = append(words, token)
	}
	for token := range debuggerExits {
		words = append(words, token)
	}
	for token := range debuggerActions {
		words = append(words, token)
	}
	register(words,
		NeuralDebugger{}, NeuralDebugger{PaperTokens: true},
		NeuralDebugger{HideUnbound: true}, NeuralDebugger{PaperTokens: true, HideUnbound: true})
}

// NeuralDebugger is the format of "Towards a Neural Debugger for Python", states and actions in turn, forward and
// inverse. The zero value says all that a trace knows; its options give up what the paper has no words for.
type NeuralDebugger struct {
	PaperTokens bool // write yield and resume as return and call, as the interpreter's raw events have them
	HideUnbound bool // leave out variables that have no value (any more, or yet), rather than show them as null
}

const (
	srcSep   = "<|src_sep|>"
	traceEnd = "<|trace_end|>"
	elision  = ".." // the name, and the value, of the entry that says that locals are left out
)

// debuggerEvent is what an event token says. Unwind has none: it is a return whose value is null.
type debuggerEvent struct {
	direction schema.Direction
	kind      schema.Kind
	lineCall  bool
}

var debuggerEvents = map[string]debuggerEvent{
	callSep:                 {schema.Forward, schema.KindCall, false},
	"<|resume_sep|>":        {schema.Forward, schema.KindResume, false},
	lineSep:                 {schema.Forward, schema.KindLine, false},
	returnSep:               {schema.Forward, schema.KindReturn, false},
	"<|yield_sep|>":         {schema.Forward, schema.KindYield, false},
	exceptionSep:            {schema.Forward, schema.KindException, false},
	"<|inv_call_sep|>":      {schema.Inverse, schema.KindCall, false},
	"<|inv_resume_sep|>":    {schema.Inverse, schema.KindResume, false},
	"<|inv_line_sep|>":      {schema.Inverse, schema.KindLine, false},
	"<|inv_line_call_sep|>": {schema.Inverse, schema.KindLine, true},
	"<|inv_return_sep|>":    {schema.Inverse, schema.KindReturn, false},
	"<|inv_yield_sep|>":     {schema.Inverse, schema.KindYield, false},
	"<|inv_exception_sep|>": {schema.Inverse, schema.KindException, false},
}

var debuggerExits = map[string]schema.Exit{
	"<|exit_normal|>":    schema.ExitNormal,
	"<|exit_error|>":     schema.ExitError,
	"<|exit_never|>":     schema.ExitNever,
	"<|inv_exit_entry|>": schema.ExitEntry,
}

var debuggerActions = map[string]schema.ActionKind{
	"<|step_into|>":     schema.StepInto,
	"<|step_over|>":     schema.StepOver,
	"<|step_return|>":   schema.StepReturn,
	"<|breakpoint|>":    schema.Breakpoint, // followed by the source line
	"<|continue|>":      schema.Continue,
	"<|inv_step_into|>": schema.InvStepInto,
	"<|inv_step_over|>": schema.InvStepOver,
	"<|inv_step_call|>": schema.InvStepCall,
}

var (
	debuggerEventTokens  = inverted(debuggerEvents)
	debuggerExitTokens   = inverted(debuggerExits)
	debuggerActionTokens = inverted(debuggerActions)
)

func inverted[V comparable](table map[string]V) map[V]string {
	out := make(map[V]string, len(table))
	for token, v := range table {
		out[v] = token
	}
	return out
}

// Name implements Format.
func (f NeuralDebugger) Name() string {
	switch {
	case f.PaperTokens && f.HideUnbound:
		return "neural-debugger:paper"
	case f.PaperTokens:
		return "neural-debugger:paper-tokens"
	case f.HideUnbound:
		return "neural-debugger:no-tombstones"
	}
	return "neural-debugger"
}

// Supports implements Format: it has both directions.
func (f NeuralDebugger) Supports(d schema.Direction) bool {
	return d == schema.Forward || d == schema.Inverse
}

// Project implements Format: the entry's name and place, values of unchanged variables, and what the options give up
// are not carried.
func (f NeuralDebugger) Project(d *schema.Document) *schema.Document {
	p := &schema.Document{Direction: d.Direction, Code: d.Code, Exit: d.Exit}
	p.Actions = append(p.Actions, d.Actions...)
	for i := range d.States {
		s := &d.States[i]
		to := schema.State{Kind: f.kind(s.Kind), LineCall: s.LineCall, Source: s.Source}
		if s.HasLocals() {
			to.Elided = s.Elided
			for _, l := range s.Locals {
				if f.shows(l) {
					to.Locals = append(to.Locals, l)
				}
			}
		} else if s.HasValue {
			to.Value, to.HasValue = s.Value, true
		}
		p.States = append(p.States, to)
	}
	return p
}

// kind is the kind that a state is written as.
func (f NeuralDebugger) kind(k schema.Kind) schema.Kind {
	switch {
	case f.PaperTokens && k == schema.KindYield:
		return schema.KindReturn
	case f.PaperTokens && k == schema.KindResume:
		return schema.KindCall
	}
	return k
}

func (f NeuralDebugger) shows(l schema.Local) bool {
	return l.State == schema.LocalSet || l.State == schema.LocalUnbound && !f.HideUnbound
}

// Render implements Format.
func (f NeuralDebugger) Render(d *schema.Document) (*Text, error) {
	if err := checkDocument(f, d); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	w := newWriter(d)
	w.token(beginOfText + traceContext)
	w.raw(d.Code)
	for i := range d.States {
		w.token(frameSep)
		if err := f.renderState(w, d.Direction, &d.States[i]); err != nil {
			return nil, fmt.Errorf("%s: state %d: %w", f.Name(), i, err)
		}
		w.endState()
		if i < len(d.Actions) {
			w.token(actionSep)
			w.token(debuggerActionTokens[d.Actions[i].Kind])
			w.raw(d.Actions[i].Arg)
		}
	}
	if d.Exit != schema.ExitCut {
		w.token(frameSep)
		w.exit(debuggerExitTokens[d.Exit])
		w.token(traceEnd + endOfText)
	}
	return w.text()
}

// renderState writes the event, the source and what the state shows, in this order but for forward lines, whose source
// comes last: there, the locals are what is seen and the source is what runs next.
func (f NeuralDebugger) renderState(w *writer, direction schema.Direction, s *schema.State) error {
	kind := f.kind(s.Kind)
	if kind == schema.KindUnwind {
		kind = schema.KindReturn
	}
	w.event(debuggerEventTokens[debuggerEvent{direction, kind, s.LineCall}])
	sourceLast := direction == schema.Forward && kind == schema.KindLine
	if !sourceLast {
		w.token(srcSep)
		w.source(s.Source)
	}
	w.token(argSep)
	if !s.HasLocals() {
		w.value(s)
	} else if err := f.renderLocals(w, s); err != nil {
		return err
	}
	if sourceLast {
		w.token(srcSep)
		w.source(s.Source)
	}
	return nil
}

func (f NeuralDebugger) renderLocals(w *writer, s *schema.State) error {
	from := w.chars
	separator := ""
	w.token("{")
	if s.Elided {
		w.token(`"..": ".."`)
		separator = ", "
	}
	for _, l := range s.Locals {
		if l.Name == elision {
			return fmt.Errorf("a local is called %q, which says that locals are left out", l.Name)
		}
		if !f.shows(l) {
			continue
		}
		w.token(separator)
		w.quoted(l.Name)
		w.token(": ")
		if l.State == schema.LocalUnbound {
			w.token("null")
		} else {
			w.quoted(l.Value)
		}
		separator = ", "
	}
	w.token("}")
	w.target(schema.TargetLocals, from)
	return nil
}
