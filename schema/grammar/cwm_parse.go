package grammar

import (
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// Parse implements Format.
func (f CWM) Parse(text string) (*schema.Document, error) {
	s, err := newScanner(f.Name(), text)
	if err != nil {
		return nil, err
	}
	d := &schema.Document{Direction: schema.Forward, Exit: schema.ExitCut}
	if err := s.expect(beginOfText, traceContext); err != nil {
		return nil, err
	}
	if err := f.parseCode(s, d); err != nil {
		return nil, err
	}
	if err := s.expect(frameSep); err != nil {
		return nil, err
	}
	for !s.atEnd() || len(d.States) == 0 {
		if s.peek() == endOfText && len(d.States) > 0 {
			if err := f.parseEnd(s, d); err != nil {
				return nil, err
			}
			return d, nil
		}
		if err := f.parseState(s, d); err != nil {
			return nil, err
		}
		if len(d.States) > 1 {
			d.Actions = append(d.Actions, schema.Action{Kind: schema.StepInto})
		}
	}
	return d, nil
}

// parseCode takes the mark out of the code again.
func (f CWM) parseCode(s *scanner, d *schema.Document) error {
	start := s.pos
	code := s.raw()
	before, after, ok := strings.Cut(code, cwmMark)
	if !ok || strings.Count(code, cwmNotice) != 1 || after != "" && after[0] != '\n' {
		s.pos = start
		return s.fail("the code must have exactly one %q, and at the end of a line", cwmMark)
	}
	d.Code = before + after
	d.EntryLine = int32(strings.Count(before, "\n")) + 1
	return nil
}

func (f CWM) parseState(s *scanner, d *schema.Document) (err error) {
	token := s.peek()
	kind, ok := cwmEvents[token]
	if !ok {
		return s.fail("expected an event, found %s", s.found())
	}
	s.accept(token)
	state := schema.State{Kind: kind}
	if state.HasLocals() {
		if err := f.parseLocals(s, &state); err != nil {
			return err
		}
	}
	if err := s.expect(actionSep); err != nil {
		return err
	}
	line, ended := strings.CutSuffix(s.raw(), "\n")
	if !ended || strings.Contains(line, "\n") {
		return s.fail("expected one source line and its end before this")
	}
	state.Source = line
	if !state.HasLocals() {
		if err := s.expect(argSep); err != nil {
			return err
		}
		if err := s.value(&state); err != nil {
			return err
		}
	}
	d.States = append(d.States, state)
	return s.expect(frameSep)
}

func (f CWM) parseLocals(s *scanner, state *schema.State) error {
	err := s.object(func(name string) error {
		value, err := s.quoted()
		if err != nil {
			return err
		}
		local := schema.Local{Name: name, Value: value}
		if value == unchanged {
			local.State, local.Value = schema.LocalUnchanged, ""
			state.Elided = true
		}
		state.Locals = append(state.Locals, local)
		return nil
	})
	if err != nil {
		return err
	}
	if name, ok := repeated(state.Locals); ok {
		return s.fail("the name %q is there twice", name)
	}
	return nil
}

// parseEnd reads the end, which leads out of the entry by the last state.
func (f CWM) parseEnd(s *scanner, d *schema.Document) error {
	exit, ok := f.exitAfter(d.States[len(d.States)-1].Kind)
	if !ok {
		return s.fail("%s after a state that does not leave its frame", endOfText)
	}
	d.Exit = exit
	d.Actions = append(d.Actions, schema.Action{Kind: schema.StepInto})
	if err := s.expect(endOfText); err != nil {
		return err
	}
	if !s.atEnd() {
		return s.fail("text after %s", endOfText)
	}
	return nil
}
