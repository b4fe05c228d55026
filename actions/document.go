package actions

import "github.com/tracemill/tracemill/schema"

// Document is the walk as a text format renders it.
func (w *Walk) Document() *schema.Document {
	t := w.tree
	entry := t.trace.CodeOf(int(w.span.start))
	d := &schema.Document{
		Direction: w.Direction,
		Code:      t.code.executed.Text,
		Entry:     entry.Name,
		EntryLine: t.code.defLine(entry),
		Actions:   append([]schema.Action(nil), w.Actions...),
		Exit:      w.Exit,
	}
	if w.Direction == schema.Inverse {
		d.Code, d.EntryLine = t.code.excerpt(w.visited(), entry)
		d.States = w.inverseStates()
		return d
	}
	d.States = w.forwardStates()
	return d
}

// visited is the code objects of the walk's states.
func (w *Walk) visited() []schema.Code {
	seen := make([]bool, len(w.tree.trace.Codes))
	var codes []schema.Code
	for _, i := range w.Events {
		if c := w.tree.trace.Frames[w.tree.trace.Events[i].Frame].Code; !seen[c] {
			seen[c] = true
			codes = append(codes, w.tree.trace.Codes[c])
		}
	}
	return codes
}

// state is what every direction shows of an event; the locals are added to it.
func (t *Tree) state(i int32, lineCall bool) schema.State {
	e := &t.trace.Events[i]
	s := schema.State{Kind: e.Kind, LineCall: lineCall, Source: t.code.source(t.trace, i)}
	if !s.HasLocals() && e.Kind != schema.KindUnwind && e.Value >= 0 {
		s.Value, s.HasValue = t.trace.Values[e.Value], true
	}
	return s
}

// forwardStates shows all locals at calls and resumes, where a breakpoint led, and where nothing has been shown of
// the frame since a state of another one; else what differs from what was shown of it last.
func (w *Walk) forwardStates() []schema.State {
	t := w.tree
	states := make([]schema.State, 0, len(w.Events))
	frame, shown := none, none
	for n, i := range w.Events {
		s := t.state(i, false)
		e := &t.trace.Events[i]
		if e.Frame != frame || e.Kind.Opens() || w.Actions[n-1].Kind == schema.Breakpoint {
			frame, shown = e.Frame, none
		}
		if s.HasLocals() {
			if shown < 0 {
				s.Locals = t.vars.full(t.trace, i, w.tombstones)
			} else {
				s.Locals, s.Elided = t.vars.difference(t.trace, i, shown, w.tombstones)
			}
			shown = i
		}
		states = append(states, s)
	}
	return states
}

// inverseStates shows all locals at calls and resumes, else what differs from what was shown of the frame last,
// whatever came between: of the first line there is nothing to differ from, and all of it is left out.
func (w *Walk) inverseStates() []schema.State {
	t := w.tree
	states := make([]schema.State, 0, len(w.Events))
	shown := map[int32]int32{}
	for n, i := range w.Events {
		s := t.state(i, w.LineCalls[n])
		e := &t.trace.Events[i]
		if s.HasLocals() {
			last, ok := shown[e.Frame]
			switch {
			case e.Kind.Opens():
				s.Locals = t.vars.full(t.trace, i, w.tombstones)
			case ok:
				s.Locals, s.Elided = t.vars.difference(t.trace, i, last, w.tombstones)
			default:
				s.Locals, s.Elided = t.vars.unchanged(t.trace, i, w.tombstones)
			}
			shown[e.Frame] = i
		}
		states = append(states, s)
	}
	return states
}
