package grammar

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

func init() {
	words := []string{beginOfText, traceContext, frameSep, actionSep, argSep, endOfText}
	for token := range cwmEvents {
		words = append(words, token)
	}
	register(words, CWM{})
}

// CWM is the prompting format that the Code World Model was published with: every event in turn, forward, without
// actions. It is the format of trajectories by step_into alone.
type CWM struct{}

const (
	cwmMark   = "  # << START_OF_TRACE" // ends the line of the entry's def in the code
	cwmNotice = "<< START_OF_TRACE"     // the part of it that readers look for
	unchanged = ".."                    // the value of a variable that is as before
)

var cwmEvents = map[string]schema.Kind{
	callSep:      schema.KindCall,
	lineSep:      schema.KindLine,
	returnSep:    schema.KindReturn,
	exceptionSep: schema.KindException,
}

var cwmEventTokens = inverted(cwmEvents)

// StepsOnly is true: a frame of CWM is an event, and nothing says what led to it.
func (CWM) StepsOnly() bool { return true }

// Name implements Format.
func (CWM) Name() string { return "cwm" }

// Supports implements Format.
func (CWM) Supports(d schema.Direction) bool { return d == schema.Forward }

// Project implements Format. Yield and resume are written as return and call; a variable without a value is not
// shown; an endless run is a cut; the entry's place is carried, its name is not.
func (f CWM) Project(d *schema.Document) *schema.Document {
	p := &schema.Document{Direction: d.Direction, Code: d.Code, EntryLine: d.EntryLine, Exit: d.Exit}
	p.Actions = append(p.Actions, d.Actions...)
	if d.Exit == schema.ExitNever {
		p.Exit = schema.ExitCut
		p.Actions = append([]schema.Action(nil), d.Actions[:max(0, len(d.Actions)-1)]...)
	}
	for i := range d.States {
		p.States = append(p.States, f.projectState(&d.States[i]))
	}
	return p
}

func (f CWM) projectState(s *schema.State) schema.State {
	to := schema.State{Kind: f.kind(s.Kind), Source: s.Source}
	if !s.HasLocals() {
		if s.HasValue {
			to.Value, to.HasValue = s.Value, true
		}
		return to
	}
	for _, l := range s.Locals {
		switch l.State {
		case schema.LocalSet:
			to.Locals = append(to.Locals, l)
		case schema.LocalUnchanged:
			to.Locals = append(to.Locals, schema.Local{Name: l.Name, State: l.State})
			to.Elided = true
		}
	}
	return to
}

// kind is the kind that a state is read back as.
func (CWM) kind(k schema.Kind) schema.Kind {
	switch k {
	case schema.KindYield:
		return schema.KindReturn
	case schema.KindResume:
		return schema.KindCall
	}
	return k
}

// Render implements Format.
func (f CWM) Render(d *schema.Document) (*Text, error) {
	if err := f.check(d); err != nil {
		return nil, fmt.Errorf("cwm: %w", err)
	}
	w := newWriter(d)
	w.token(beginOfText + traceContext)
	if err := f.renderCode(w, d); err != nil {
		return nil, fmt.Errorf("cwm: %w", err)
	}
	w.token(frameSep)
	for i := range d.States {
		if err := f.renderState(w, &d.States[i]); err != nil {
			return nil, fmt.Errorf("cwm: state %d: %w", i, err)
		}
		w.token(frameSep)
		w.endState()
	}
	if d.Exit == schema.ExitNormal || d.Exit == schema.ExitError {
		w.exit(endOfText)
	}
	return w.text()
}

func (f CWM) check(d *schema.Document) error {
	if err := checkDocument(f, d); err != nil {
		return err
	}
	for i, a := range d.Actions {
		if a.Kind != schema.StepInto {
			return fmt.Errorf("action %d is %s, but the format has no actions: use the policy \"into\"", i, a.Kind)
		}
	}
	last := d.States[len(d.States)-1].Kind
	if exit, ok := f.exitAfter(last); (d.Exit == schema.ExitNormal || d.Exit == schema.ExitError) && (!ok || exit != d.Exit) {
		return fmt.Errorf("exit %q cannot be told from the last state, %s", d.Exit, last)
	}
	return nil
}

// exitAfter is the exit that a text ends with whose last state is of this kind: the format has one token for both.
func (f CWM) exitAfter(last schema.Kind) (schema.Exit, bool) {
	switch f.kind(last) {
	case schema.KindReturn:
		return schema.ExitNormal, true
	case schema.KindUnwind:
		return schema.ExitError, true
	}
	return "", false
}

func (f CWM) renderCode(w *writer, d *schema.Document) error {
	if strings.Contains(d.Code, cwmNotice) {
		return fmt.Errorf("the code holds %q, which marks the entry: drop the program", cwmNotice)
	}
	if d.EntryLine < 1 {
		return errors.New("the document does not say which line of the code is the entry's def")
	}
	end := -1
	for line := int32(0); line < d.EntryLine; line++ {
		if end == len(d.Code) {
			return fmt.Errorf("the entry's def is on line %d, but the code has %d lines", d.EntryLine, line)
		}
		if n := strings.IndexByte(d.Code[end+1:], '\n'); n >= 0 {
			end += 1 + n
		} else {
			end = len(d.Code)
		}
	}
	w.raw(d.Code[:end])
	w.token(cwmMark)
	w.raw(d.Code[end:])
	return nil
}

func (f CWM) renderState(w *writer, s *schema.State) error {
	kind := f.kind(s.Kind)
	if kind == schema.KindUnwind {
		kind = schema.KindReturn
	}
	w.event(cwmEventTokens[kind])
	if s.HasLocals() {
		if err := f.renderLocals(w, s); err != nil {
			return err
		}
	}
	w.token(actionSep)
	w.source(s.Source)
	w.token("\n")
	if !s.HasLocals() {
		w.token(argSep)
		w.value(s)
	}
	return nil
}

func (CWM) renderLocals(w *writer, s *schema.State) error {
	from := w.chars
	separator := ""
	w.token("{")
	for _, l := range s.Locals {
		value := l.Value
		switch {
		case l.State == schema.LocalUnbound || l.State == schema.LocalAbsent:
			continue
		case l.State == schema.LocalUnchanged:
			value = unchanged
		case value == unchanged:
			return fmt.Errorf("the value of %q is rendered as %q, which says that it is unchanged", l.Name, value)
		}
		w.token(separator)
		w.quoted(l.Name)
		w.token(": ")
		w.quoted(value)
		separator = ", "
	}
	w.token("}")
	w.target(schema.TargetLocals, from)
	return nil
}
