package actions

import (
	"fmt"
	"sort"

	"github.com/tracemill/tracemill/schema"
)

// Semantics of the forward actions.
const (
	SemanticsTree = "tree" // the paper's: steps follow the tree
	SemanticsPDB  = "pdb"  // the standard library's debugger, also where generators make it differ
)

// view is where the forward actions lead, event by event: an event, none for the end of the program, or unknown.
type view struct {
	hidden          []bool // makes no state
	into, over, out []int32
	count           []int32 // count[i]: states among the first i events
	stops           [][]int32
}

func newView(n int, hidden []bool) *view {
	v := &view{
		hidden: hidden,
		into:   filled(n, none),
		over:   filled(n, none),
		out:    filled(n, none),
		count:  make([]int32, n+1),
	}
	for i, h := range hidden {
		v.count[i+1] = v.count[i]
		if !h {
			v.count[i+1]++
		}
	}
	return v
}

// between is how many states lie strictly between events i and j.
func (v *view) between(i, j int32) int32 { return v.count[j] - v.count[i+1] }

// hit is the first stop after event i on a line with the text of that number.
func (v *view) hit(i, text int32) int32 {
	stops := v.stops[text]
	k := sort.Search(len(stops), func(k int) bool { return stops[k] > i })
	if k == len(stops) {
		return none
	}
	return stops[k]
}

// lineStops lists the line events of each source text, in order.
func (t *Tree) lineStops(hidden []bool) [][]int32 {
	stops := make([][]int32, len(t.code.texts))
	for i := range t.trace.Events {
		if t.trace.Events[i].Kind != schema.KindLine || hidden[i] {
			continue
		}
		if text := t.code.textOf(t.trace.Events[i].Line); text >= 0 {
			stops[text] = append(stops[text], int32(i))
		}
	}
	return stops
}

// treeView is the paper's semantics. At the node that ends a stretch there is no next node of the stretch: a step
// over is then a step into, and a step out goes on to the caller's own next node, as bdb does at a return event.
func (t *Tree) treeView() *view {
	n := len(t.trace.Events)
	v := newView(n, t.hidden)
	v.stops = t.lineStops(t.hidden)
	next := none
	for i := int32(n) - 1; i >= 0; i-- {
		v.into[i] = next
		if t.hidden[i] {
			v.over[i], v.out[i] = unknown, unknown
			continue
		}
		s := &t.stretches[t.stretch[i]]
		closes := t.kind(i).Closes()
		switch {
		case t.nextIn[i] >= 0:
			v.over[i] = t.nextIn[i]
		case closes:
			v.over[i] = next
		default:
			v.over[i] = unknown
		}
		switch {
		case !closes && s.close >= 0:
			v.out[i] = s.close
		case !closes:
			v.out[i] = unknown
		case s.parent < 0:
			v.out[i] = next
		default:
			v.out[i] = t.nextIn[s.parent]
			if v.out[i] < 0 {
				v.out[i] = unknown
			}
		}
		next = i
	}
	return v
}

func (t *Tree) view(semantics string) (*view, error) {
	switch semantics {
	case SemanticsTree, "":
		return t.tree, nil
	case SemanticsPDB:
		return t.pdb(), nil
	}
	return nil, fmt.Errorf("semantics %q is not known: use %q or %q", semantics, SemanticsTree, SemanticsPDB)
}

// Next is the event that a forward action leads to from an event: -1 when it runs to the end of the program. It is
// false when the action is none of the forward ones, when a breakpoint's line is not reached, and when the trace
// ends before the action does.
func (t *Tree) Next(event int32, a schema.Action, semantics string) (int32, bool) {
	v, err := t.view(semantics)
	if err != nil || event < 0 || int(event) >= len(t.trace.Events) {
		return none, false
	}
	to := t.target(v, event, a)
	if to == unknown || to == none && !t.ended() {
		return none, false
	}
	return to, true
}

// target looks an action up: an event, none or unknown.
func (t *Tree) target(v *view, event int32, a schema.Action) int32 {
	switch a.Kind {
	case schema.StepInto:
		return v.into[event]
	case schema.StepOver:
		return v.over[event]
	case schema.StepReturn:
		return v.out[event]
	case schema.Continue:
		return none
	case schema.Breakpoint:
		text, ok := t.code.number[a.Arg]
		if !ok {
			return unknown
		}
		if to := v.hit(event, text); to >= 0 {
			return to
		}
	}
	return unknown
}

// ended says whether the trace shows the end of the entry's frame, and so of the program.
func (t *Tree) ended() bool {
	return len(t.closing) > 0 && t.closing[0] >= 0
}
