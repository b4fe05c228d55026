package actions

import "github.com/tracemill/tracemill/schema"

// place is where a trajectory stands: at a node, or (inverse) at the duplicate of a line that made calls, which has
// its callees' states under it and comes before the line itself.
type place struct {
	event    int32
	lineCall bool
}

var outside = place{event: none}

// reversal numbers the places of the inverse tree in its pre-order, so that skipped states can be counted.
type reversal struct {
	lines []int32 // per node: the lines among its ancestors
	calls []int32 // calls[i]: lines that made calls, among the first i events
}

func (t *Tree) newReversal() *reversal {
	n := len(t.trace.Events)
	r := &reversal{lines: make([]int32, n), calls: make([]int32, n+1)}
	for i := range t.trace.Events {
		r.calls[i+1] = r.calls[i]
		if t.hidden[i] {
			continue
		}
		if t.duplicated(int32(i)) {
			r.calls[i+1]++
		}
		if p := t.parent(int32(i)); p >= 0 {
			r.lines[i] = r.lines[p]
			if t.duplicated(p) {
				r.lines[i]++
			}
		}
	}
	return r
}

// duplicated says whether node i is a line that made calls. Calls also hang under other events (what runs under a
// resume before the next line, an exception's matching): those are not duplicated, their callees only come first.
func (t *Tree) duplicated(i int32) bool {
	return t.kind(i) == schema.KindLine && t.lastChild[i] >= 0
}

// number is a place's number in the inverse pre-order: what comes before it is the nodes after it, the duplicates of
// those, and the duplicates of the lines that it lies under.
func (t *Tree) number(p place) int32 {
	r, i := t.inverse(), p.event
	if p.lineCall {
		i = t.last[i]
	}
	n := int32(len(t.trace.Events))
	before := t.tree.count[n] - t.tree.count[i+1] + r.calls[n] - r.calls[i+1] + r.lines[p.event]
	if !p.lineCall && t.duplicated(i) {
		before++
	}
	return before
}

// arrive is where one stands that comes to node i from after it: at its last callee's states if it has any.
func (t *Tree) arrive(i int32) place {
	for !t.duplicated(i) && t.lastChild[i] >= 0 {
		i = t.lastChild[i]
	}
	return place{i, t.duplicated(i)}
}

// beforeStretch is the node that precedes a stretch's first one in the inverse tree: the last of the stretch before
// it under the same node, or else that node.
func (t *Tree) beforeStretch(i int32) (node int32, up bool) {
	s := &t.stretches[t.stretch[i]]
	if s.before >= 0 {
		return s.before, false
	}
	return s.parent, true
}

// back is where an inverse action leads from a place, outside when the recording begins there.
func (t *Tree) back(p place, kind schema.ActionKind) (place, bool) {
	switch kind {
	case schema.InvStepInto:
		return t.backInto(p), true
	case schema.InvStepOver:
		return t.backOver(p), true
	case schema.InvStepCall:
		return t.backCall(p), true
	}
	return outside, false
}

func (t *Tree) backInto(p place) place {
	if p.lineCall {
		return t.arrive(t.lastChild[p.event])
	}
	if before := t.prevIn[p.event]; before >= 0 {
		return t.arrive(before)
	}
	before, up := t.beforeStretch(p.event)
	if before < 0 || up {
		return place{event: before}
	}
	return t.arrive(before)
}

// backOver skips the states below: from the duplicate to the line itself, from a node to the one before it in the
// stretch. At the stretch's first node it does what backInto does, as a forward step over does at the last.
func (t *Tree) backOver(p place) place {
	if p.lineCall {
		return place{event: p.event}
	}
	if before := t.prevIn[p.event]; before >= 0 {
		return place{before, t.duplicated(before)}
	}
	return t.backInto(p)
}

// backCall goes to the stretch's call or resume, and from there to the caller's node.
func (t *Tree) backCall(p place) place {
	s := &t.stretches[t.stretch[p.event]]
	if s.open != p.event {
		return place{event: s.open}
	}
	if s.parent >= 0 {
		return place{event: s.parent}
	}
	return place{event: s.before}
}

// NextInverse is where an inverse action leads from an event, lineCall saying that it is the duplicate of a line that
// made calls. The event is -1 at the beginning of the trace; false is for an action that is not an inverse one.
func (t *Tree) NextInverse(event int32, lineCall bool, kind schema.ActionKind) (to int32, toLineCall, ok bool) {
	if event < 0 || int(event) >= len(t.hidden) || t.hidden[event] || lineCall && !t.duplicated(event) {
		return none, false, false
	}
	p, ok := t.back(place{event, lineCall}, kind)
	return p.event, p.lineCall, ok
}
