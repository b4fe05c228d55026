package pipelines

import (
	"fmt"
	"slices"

	"github.com/tracemill/tracemill/schema"
)

// spot is where an inverse walk can stand: at an event, or at the duplicate of a line that made calls.
type spot struct {
	event    int32
	lineCall bool
}

// backwards is the inverse tree written out: every spot in the order of inv_step_into.
type backwards struct {
	spots  []spot
	level  map[int32]int32 // per event: its activation's opening event
	caller map[int32]int32 // per opening event: the event that it hangs under, -1 at the top
}

// inverseFault derives every step of an inverse row anew from the recorded events, by the order of the whole tree and not by
// links between its nodes, and says what the row has otherwise.
func (s *subject) inverseFault(t *schema.Trajectory) string {
	events, fault := promised(t, s)
	if fault != "" {
		return fault
	}
	b := s.writeBackwards()
	at := slices.Index(b.spots, spot{event: events[0]})
	open := b.level[events[0]]
	for n, a := range t.Actions {
		to := -1
		if at >= 0 && b.spots[at].event != open {
			to = b.step(at, a.Kind)
		}
		if n+1 >= len(events) {
			if at < 0 || b.spots[at].event != open {
				return fmt.Sprintf("action %d, %s: the walk exits at event %d, which is not its call", n, a.Kind, events[n])
			}
			return ""
		}
		if to < 0 {
			return fmt.Sprintf("action %d, %s: nothing comes before event %d", n, a.Kind, events[n])
		}
		if b.spots[to].event != events[n+1] {
			return fmt.Sprintf("action %d, %s: leads from event %d to %d, and not to %d", n, a.Kind, events[n], b.spots[to].event, events[n+1])
		}
		at = to
	}
	return ""
}

// step is the spot that an action leads to, -1 for none.
func (b *backwards) step(at int, kind schema.ActionKind) int {
	here := b.spots[at]
	level := b.level[here.event]
	switch kind {
	case schema.InvStepOver:
		if here.lineCall {
			return b.find(at, spot{event: here.event})
		}
		for to := at + 1; to < len(b.spots); to++ {
			if b.level[b.spots[to].event] == level {
				return to
			}
		}
	case schema.InvStepCall:
		if here.event != level {
			return b.find(at, spot{event: level})
		}
		if caller := b.caller[level]; caller >= 0 {
			return b.find(at, spot{event: caller})
		}
	}
	if at+1 < len(b.spots) {
		return at + 1
	}
	return -1
}

func (b *backwards) find(from int, s spot) int {
	if k := slices.Index(b.spots[from:], s); k >= 0 {
		return from + k
	}
	return -1
}

// writeBackwards goes through the recording once, and puts each event under the one that its caller was at.
func (s *subject) writeBackwards() *backwards {
	b := &backwards{level: map[int32]int32{}, caller: map[int32]int32{}}
	under := map[int32][]int32{} // per event: those whose level hangs under it, in order
	type running struct{ frame, open, latest int32 }
	var stack []running
	for i := range int32(len(s.trace.Events)) {
		e := &s.trace.Events[i]
		if e.Kind.Opens() {
			stack = append(stack, running{e.Frame, -1, -1})
		}
		k := len(stack) - 1
		for k >= 0 && stack[k].frame != e.Frame {
			k--
		}
		if k < 0 {
			continue
		}
		stack = stack[:k+1]
		if !s.tree.Hidden(i) {
			top := &stack[k]
			if top.open < 0 {
				top.open = i
				b.caller[i] = -1
				for c := k - 1; c >= 0 && b.caller[i] < 0; c-- {
					b.caller[i] = stack[c].latest
				}
			}
			top.latest = i
			b.level[i] = top.open
			under[b.caller[top.open]] = append(under[b.caller[top.open]], i)
		}
		if e.Kind.Closes() {
			stack = stack[:k]
		}
	}
	b.write(s.trace, under, -1)
	return b
}

// write appends what hangs under an event, last first. Depth is that of the program's stack.
func (b *backwards) write(trace *schema.Trace, under map[int32][]int32, at int32) {
	for _, i := range slices.Backward(under[at]) {
		if trace.Events[i].Kind == schema.KindLine && len(under[i]) > 0 {
			b.spots = append(b.spots, spot{i, true})
		}
		b.write(trace, under, i)
		b.spots = append(b.spots, spot{event: i})
	}
}
