package actions

import (
	"fmt"
	"sync"

	"github.com/tracemill/tracemill/schema"
)

// none is the absence of an event: no next one, no parent. As the target of an action it is the end of the program.
const none int32 = -1

// unknown is the target of an action whose outcome was not recorded.
const unknown int32 = -2

// Tree is a trace as a tree. Its nodes are the events that are states; each has the index of its event. The nodes of
// a stretch (from a frame's call or resume to its return, yield or unwind) are children of the node that the calling
// frame was at. The order of the events is the tree's pre-order.
type Tree struct {
	trace *schema.Trace
	code  *listing
	vars  *history

	hidden    []bool  // per event: it makes no state
	stretch   []int32 // per event: the stretch it belongs to
	nextIn    []int32 // per node: the next and the previous node of its stretch
	prevIn    []int32
	lastChild []int32 // per node: its last child
	last      []int32 // per node: the last node of its subtree, itself when it has no children

	stretches []stretch
	closing   []int32 // per frame: the return or unwind that ended it

	tree    *view
	pdb     func() *view
	inverse func() *reversal
	loop    func() *loop
}

// stretch is a run of a frame that nothing but its callees interrupts.
type stretch struct {
	open   int32 // first node
	close  int32 // the node that ends it; none when that is not recorded
	parent int32 // the caller's node that it hangs under; none at the top
	before int32 // the last node of the stretch before it under the same parent
}

// New builds the tree of a trace of a case of fn, in time and space linear in the events. It fails on a trace whose
// indices point nowhere; a trace that merely ends too early is no error.
func New(trace *schema.Trace, fn *schema.Function) (*Tree, error) {
	if err := check(trace); err != nil {
		return nil, fmt.Errorf("trace %s of function %s: %w", trace.ID, trace.FunctionID, err)
	}
	n := len(trace.Events)
	t := &Tree{
		trace:     trace,
		code:      newListing(fn, trace),
		vars:      newHistory(trace),
		hidden:    make([]bool, n),
		stretch:   make([]int32, n),
		nextIn:    filled(n, none),
		prevIn:    filled(n, none),
		lastChild: filled(n, none),
		last:      make([]int32, n),
		closing:   filled(len(trace.Frames), none),
	}
	for i := range t.hidden {
		t.hidden[i] = trace.Internal(i) || t.opensCollected(i)
	}
	t.grow()
	t.measure()
	t.tree = t.treeView()
	t.pdb = sync.OnceValue(t.pdbView)
	t.inverse = sync.OnceValue(t.newReversal)
	t.loop = sync.OnceValue(t.findLoop)
	return t, nil
}

func check(trace *schema.Trace) error {
	seen := make([]bool, len(trace.Frames))
	changes := int32(0)
	for i := range trace.Events {
		e := &trace.Events[i]
		switch {
		case !e.Kind.Valid():
			return fmt.Errorf("event %d: kind %d does not exist", i, e.Kind)
		case e.Frame < 0 || int(e.Frame) >= len(trace.Frames):
			return fmt.Errorf("event %d: frame %d does not exist", i, e.Frame)
		case !seen[e.Frame] && e.Kind != schema.KindCall:
			return fmt.Errorf("event %d: frame %d begins with a %s", i, e.Frame, e.Kind)
		case seen[e.Frame] && e.Kind == schema.KindCall:
			return fmt.Errorf("event %d: frame %d is called twice", i, e.Frame)
		case e.Back >= 0 && (int(e.Back) >= len(seen) || !seen[e.Back]):
			return fmt.Errorf("event %d: calling frame %d does not exist", i, e.Back)
		case int(e.Value) >= len(trace.Values):
			return fmt.Errorf("event %d: value %d does not exist", i, e.Value)
		case e.Changes < changes || int(e.Changes) > len(trace.Changes):
			return fmt.Errorf("event %d: its changes end at %d, out of range", i, e.Changes)
		}
		seen[e.Frame] = true
		changes = e.Changes
	}
	for i, c := range trace.Changes {
		if c.Name < 0 || int(c.Name) >= len(trace.Names) || int(c.Value) >= len(trace.Values) {
			return fmt.Errorf("change %d: its name or value does not exist", i)
		}
	}
	for i, f := range trace.Frames {
		if f.Code < 0 || int(f.Code) >= len(trace.Codes) {
			return fmt.Errorf("frame %d: code %d does not exist", i, f.Code)
		}
	}
	return nil
}

// opensCollected says whether event i wakes a frame only for the collector to end it: the interpreter tells that
// with the event after it.
func (t *Tree) opensCollected(i int) bool {
	ev := t.trace.Events
	return ev[i].Kind.Opens() && i+1 < len(ev) && ev[i+1].Frame == ev[i].Frame && ev[i+1].Flags&schema.FlagCollector != 0
}

// level is a stretch that has begun and not ended while the tree grows.
type level struct {
	frame   int32
	stretch int32
	node    int32 // its latest node
}

// grow puts each event into its stretch. Closings can be missing (a trace that ends early, a program that switched
// the tracer off for a while): an event of a frame further down ends what is above it.
func (t *Tree) grow() {
	var stack []level
	place := filled(len(t.trace.Frames), none) // per frame: its place on the stack
	lastTop := none
	cutTo := func(size int) {
		for _, l := range stack[size:] {
			place[l.frame] = none
		}
		stack = stack[:size]
	}
	for i := range t.trace.Events {
		e := &t.trace.Events[i]
		switch {
		case e.Kind.Opens() && e.Back < 0:
			cutTo(0)
		case e.Kind.Opens() && place[e.Back] >= 0:
			cutTo(int(place[e.Back]) + 1)
		case !e.Kind.Opens() && place[e.Frame] >= 0:
			cutTo(int(place[e.Frame]) + 1)
		}
		if place[e.Frame] < 0 || e.Kind.Opens() {
			place[e.Frame] = int32(len(stack))
			stack = append(stack, level{e.Frame, int32(len(t.stretches)), none})
			t.stretches = append(t.stretches, stretch{none, none, none, none})
		}
		top := len(stack) - 1
		t.stretch[i] = stack[top].stretch
		if !t.hidden[i] {
			t.attach(int32(i), stack, &lastTop)
		}
		if e.Kind.Closes() {
			cutTo(top)
		}
	}
}

// attach makes event i the newest node of the stretch on top of the stack.
func (t *Tree) attach(i int32, stack []level, lastTop *int32) {
	top := &stack[len(stack)-1]
	s := &t.stretches[top.stretch]
	if top.node >= 0 {
		t.nextIn[top.node] = i
		t.prevIn[i] = top.node
	} else {
		s.open = i
		for k := len(stack) - 2; k >= 0 && s.parent < 0; k-- {
			s.parent = stack[k].node
		}
		s.before = *lastTop
		if s.parent >= 0 {
			s.before = t.lastChild[s.parent]
		}
	}
	top.node = i
	if s.parent >= 0 {
		t.lastChild[s.parent] = i
	} else {
		*lastTop = i
	}
	if e := &t.trace.Events[i]; e.Kind.Closes() {
		s.close = i
		if e.Kind != schema.KindYield {
			t.closing[e.Frame] = i
		}
	}
}

// measure finds where each subtree ends.
func (t *Tree) measure() {
	for i := range t.last {
		t.last[i] = int32(i)
	}
	for i := len(t.last) - 1; i >= 0; i-- {
		if t.hidden[i] {
			continue
		}
		if p := t.parent(int32(i)); p >= 0 && t.last[p] < t.last[i] {
			t.last[p] = t.last[i]
		}
	}
}

func (t *Tree) kind(i int32) schema.Kind { return t.trace.Events[i].Kind }
func (t *Tree) parent(i int32) int32     { return t.stretches[t.stretch[i]].parent }

// Trace is the trace that the tree was built of.
func (t *Tree) Trace() *schema.Trace { return t.trace }

// Hidden says whether event i makes no state of the tree.
func (t *Tree) Hidden(i int32) bool { return t.hidden[i] }

// Parent is the node that node i hangs under, -1 at the top.
func (t *Tree) Parent(i int32) int32 { return t.parent(i) }

// Source is the physical source line that event i shows.
func (t *Tree) Source(i int32) string { return t.code.source(t.trace, i) }

// Locals is every local variable at event i, in the order in which its frame bound them first. With tombstones the
// names that were bound and no longer are come too, as LocalUnbound.
func (t *Tree) Locals(i int32, tombstones bool) []schema.Local {
	return t.vars.full(t.trace, i, tombstones)
}

func filled(n int, value int32) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = value
	}
	return s
}
