package grammar

import "github.com/tracemill/tracemill/schema"

// Parse implements Format.
func (f NeuralDebugger) Parse(text string) (*schema.Document, error) {
	s, err := newScanner(f.Name(), text)
	if err != nil {
		return nil, err
	}
	d := &schema.Document{Exit: schema.ExitCut}
	if err := s.expect(beginOfText, traceContext); err != nil {
		return nil, err
	}
	d.Code = s.raw()
	for {
		if err := s.expect(frameSep); err != nil {
			return nil, err
		}
		if exit, ok := debuggerExits[s.peek()]; ok && len(d.States) > 0 {
			if err := f.parseExit(s, d, exit); err != nil {
				return nil, err
			}
			return d, nil
		}
		if err := f.parseState(s, d); err != nil {
			return nil, err
		}
		if s.atEnd() {
			return d, nil
		}
		if err := f.parseAction(s, d); err != nil {
			return nil, err
		}
	}
}

func (f NeuralDebugger) parseExit(s *scanner, d *schema.Document, exit schema.Exit) error {
	if (exit == schema.ExitEntry) != (d.Direction == schema.Inverse) {
		return s.fail("%s in a trajectory that began %s", s.peek(), d.Direction)
	}
	d.Exit = exit
	if err := s.expect(s.peek(), traceEnd, endOfText); err != nil {
		return err
	}
	if !s.atEnd() {
		return s.fail("text after %s", endOfText)
	}
	return nil
}

// parseState reads one state; the first one decides the direction.
func (f NeuralDebugger) parseState(s *scanner, d *schema.Document) error {
	event, ok := debuggerEvents[s.peek()]
	if !ok || f.kind(event.kind) != event.kind {
		return s.fail("expected an event, found %s", s.found())
	}
	if d.Direction == "" {
		d.Direction = event.direction
	}
	if event.direction != d.Direction {
		return s.fail("%s in a trajectory that began %s", s.peek(), d.Direction)
	}
	s.accept(s.peek())

	state := schema.State{Kind: event.kind, LineCall: event.lineCall}
	first, second := f.parseSource, f.parseShown
	if event.direction == schema.Forward && event.kind == schema.KindLine {
		first, second = second, first
	}
	if err := first(s, &state); err != nil {
		return err
	}
	if err := second(s, &state); err != nil {
		return err
	}
	d.States = append(d.States, state)
	return nil
}

func (f NeuralDebugger) parseSource(s *scanner, state *schema.State) (err error) {
	if err := s.expect(srcSep); err != nil {
		return err
	}
	state.Source, err = s.line()
	return err
}

func (f NeuralDebugger) parseShown(s *scanner, state *schema.State) error {
	if err := s.expect(argSep); err != nil {
		return err
	}
	if !state.HasLocals() {
		return s.value(state)
	}
	err := s.object(func(name string) error {
		local := schema.Local{Name: name}
		switch {
		case name == elision:
			if state.Elided || state.Locals != nil || !s.accept(`".."`) {
				return s.fail(`the entry "..": ".." must be the first, and the only one of its name`)
			}
			state.Elided = true
			return nil
		case s.null():
			if f.HideUnbound {
				return s.fail("%q is null, which this format does not show", name)
			}
			local.State = schema.LocalUnbound
		default:
			var err error
			if local.Value, err = s.quoted(); err != nil {
				return err
			}
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

func (f NeuralDebugger) parseAction(s *scanner, d *schema.Document) (err error) {
	if err := s.expect(actionSep); err != nil {
		return err
	}
	token := s.peek()
	kind, ok := debuggerActions[token]
	if !ok || isInverse[kind] != (d.Direction == schema.Inverse) {
		return s.fail("expected an action of the %s direction, found %s", d.Direction, s.found())
	}
	s.accept(token)
	action := schema.Action{Kind: kind}
	if kind == schema.Breakpoint {
		if action.Arg, err = s.line(); err != nil {
			return err
		}
	}
	d.Actions = append(d.Actions, action)
	return nil
}
