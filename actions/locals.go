package actions

import (
	"sort"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// history is every value that every local variable of every frame had, so that the locals at any event can be looked
// up in space linear in the changes.
type history struct {
	vars [][]variable // per frame, in the order in which it bound them first
}

// variable is a local variable of a frame: from event at[k] on it has value values[k], -1 for none.
type variable struct {
	name   int32
	at     []int32
	values []int32
}

func newHistory(trace *schema.Trace) *history {
	h := &history{vars: make([][]variable, len(trace.Frames))}
	type key struct{ frame, name int32 }
	slots := map[key]int{}
	for i := range trace.Events {
		frame := trace.Events[i].Frame
		for _, c := range trace.ChangesOf(i) {
			if strings.HasPrefix(trace.Names[c.Name], ".") {
				continue // the iterator of a comprehension or generator expression: the program cannot name it
			}
			slot, ok := slots[key{frame, c.Name}]
			if !ok {
				if c.Value < 0 {
					continue
				}
				slot = len(h.vars[frame])
				slots[key{frame, c.Name}] = slot
				h.vars[frame] = append(h.vars[frame], variable{name: c.Name})
			}
			v := &h.vars[frame][slot]
			v.at = append(v.at, int32(i))
			v.values = append(v.values, c.Value)
		}
	}
	return h
}

// value is the variable's value at event i, -1 when it has none then.
func (v *variable) value(i int32) int32 {
	k := sort.Search(len(v.at), func(k int) bool { return v.at[k] > i })
	if k == 0 {
		return none
	}
	return v.values[k-1]
}

// bound says whether the variable had a value at or before event i.
func (v *variable) bound(i int32) bool { return v.at[0] <= i }

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

// unchanged is every local at event i, none of them shown.
func (h *history) unchanged(trace *schema.Trace, i int32, tombstones bool) (locals []schema.Local, elided bool) {
	locals = h.full(trace, i, tombstones)
	for k := range locals {
		locals[k].State = schema.LocalUnchanged
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
			l.State, elided = schema.LocalUnchanged, true
		}
		locals = append(locals, l)
	}
	return locals, elided
}
