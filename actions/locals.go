package actions

import (
	"slices"
	"sort"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// history is every value that every local variable of every frame had, so that the locals at any event can be looked
// up in space linear in the changes.
type history struct {
	vars [][]variable // per frame, in the order in which it bound them first
}

// variable is a local variable of a frame, and the values that it took.
type variable struct {
	name   int32
	points []point
}

// point is a value that a variable has from an event on, -1 for none.
type point struct {
	at, value int32
}

func newHistory(trace *schema.Trace) *history {
	h := &history{vars: make([][]variable, len(trace.Frames))}
	// where a name's variable was found last: it is looked for again only when another frame has had it since
	frames, slots := filled(len(trace.Names), none), make([]int, len(trace.Names))
	for i := range trace.Events {
		frame := trace.Events[i].Frame
		for _, c := range trace.ChangesOf(i) {
			if strings.HasPrefix(trace.Names[c.Name], ".") {
				continue // the iterator of a comprehension or generator expression: the program cannot name it
			}
			vars := h.vars[frame]
			if frames[c.Name] != frame {
				slot := slices.IndexFunc(vars, func(v variable) bool { return v.name == c.Name })
				if slot < 0 {
					if c.Value < 0 {
						continue
					}
					slot = len(vars)
					vars = append(vars, variable{name: c.Name})
					h.vars[frame] = vars
				}
				frames[c.Name], slots[c.Name] = frame, slot
			}
			v := &vars[slots[c.Name]]
			v.points = append(v.points, point{int32(i), c.Value})
		}
	}
	return h
}

// value is the variable's value at event i, -1 when it has none then.
func (v *variable) value(i int32) int32 {
	k := sort.Search(len(v.points), func(k int) bool { return v.points[k].at > i })
	if k == 0 {
		return none
	}
	return v.points[k-1].value
}

// bound says whether the variable had a value at or before event i.
func (v *variable) bound(i int32) bool { return v.points[0].at <= i }

func (v *variable) local(trace *schema.Trace, value int32) schema.Local {
	l := schema.Local{Name: trace.Names[v.name], State: schema.LocalUnbound}
	if value >= 0 {
		l.State, l.Value = schema.LocalSet, trace.Values[value]
	}
	return l
}

// full is every local at event i.
func (h *history) full(trace *schema.Trace, i int32, tombstones bool) []schema.Local {
	vars := h.vars[trace.Events[i].Frame]
	var out []schema.Local
	for k := range vars {
		v := &vars[k]
		if !v.bound(i) {
			break // first bindings are in order
		}
		if value := v.value(i); value >= 0 || tombstones {
			out = append(out, v.local(trace, value))
		}
	}
	return out
}

// leftOut is the state of a local that is as it was: still there, or still not.
func leftOut(s schema.LocalState) schema.LocalState {
	if s == schema.LocalUnbound {
		return schema.LocalAbsent
	}
	return schema.LocalUnchanged
}

// unchanged is every local at event i, none of them shown.
func (h *history) unchanged(trace *schema.Trace, i int32, tombstones bool) (locals []schema.Local, elided bool) {
	locals = h.full(trace, i, tombstones)
	for k := range locals {
		locals[k].State = leftOut(locals[k].State)
	}
	return locals, len(locals) > 0
}

// difference is the locals at event i, those that are as they were at event base left out. base is an event of the
// same frame, before i or (inverse) after it: then a variable that is not bound yet at i is shown as unbound. So is
// one that came and went in between: all that is shown adds up to what full gives.
func (h *history) difference(trace *schema.Trace, i, base int32, tombstones bool) (locals []schema.Local, elided bool) {
	vars := h.vars[trace.Events[i].Frame]
	known := max(i, base)
	for k := range vars {
		v := &vars[k]
		if !v.bound(known) {
			break
		}
		value := v.value(i)
		if value < 0 && !tombstones {
			continue
		}
		l := v.local(trace, value)
		if v.bound(base) && value == v.value(base) {
			l.State, elided = leftOut(l.State), true
		}
		locals = append(locals, l)
	}
	return locals, elided
}
