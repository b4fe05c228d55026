package actions

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tracemill/tracemill/schema"
)

// Walk is a trajectory before it is a text: the states that were visited and the actions between them.
type Walk struct {
	Direction schema.Direction
	Policy    string
	Semantics string
	Seed      uint64          // of this walk's choices
	Events    []int32         // per state: the index of its event in the trace
	LineCalls []bool          // per state: it is the duplicate of a line that made calls (inverse only)
	Actions   []schema.Action // one less than states when Exit is ExitCut, else as many
	Horizons  []int32         // per action: the recorded states that it skipped
	Exit      schema.Exit

	tree       *Tree
	span       span
	tombstones bool
}

// Sample draws the options' trajectories from the trace: none when its status is not one of those asked for. Walks
// that came out equal are given once.
func (t *Tree) Sample(opts Options) ([]*Walk, error) {
	opts = opts.applyDefaults()
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	if !opts.Accepts(t.trace.Status) {
		return nil, nil
	}
	var walks []*Walk
	for _, d := range opts.Directions {
		starts, err := t.starts(opts, d)
		if err != nil {
			return nil, err
		}
		first := len(walks)
		for n := 0; n < opts.PerTrace && len(starts) > 0; n++ {
			w, err := t.sample(opts, d, starts[n%len(starts)], n)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(walks[first:], w.equal) {
				walks = append(walks, w)
			}
		}
	}
	return walks, nil
}

func (w *Walk) equal(o *Walk) bool {
	return w.Exit == o.Exit && slices.Equal(w.Events, o.Events) && slices.Equal(w.LineCalls, o.LineCalls) &&
		slices.Equal(w.Actions, o.Actions)
}

// sample draws the n-th walk of a direction.
func (t *Tree) sample(opts Options, d schema.Direction, start int32, n int) (*Walk, error) {
	p, err := newPolicy(opts.Policy, opts.Weights)
	if err != nil {
		return nil, err
	}
	seed := schema.Seed(opts.Seed, t.trace.ID, "walk "+string(d)+" "+opts.Policy+" "+strconv.Itoa(n))
	rng := newRand(seed)
	w, v, err := t.begin(opts, d, start)
	if err != nil {
		return nil, err
	}
	w.Policy, w.Seed = opts.Policy, seed
	for w.Exit == "" {
		at := w.at()
		kind, ok := draw(rng, p.rows(d), func(kind schema.ActionKind) bool { return w.possible(v, at, kind) })
		if !ok {
			w.Exit = schema.ExitCut
			break
		}
		a := schema.Action{Kind: kind}
		if kind == schema.Breakpoint {
			later := w.span.later(at.event)
			a.Arg = t.code.texts[later[rng.IntN(len(later))].text]
		}
		to, exit, _ := w.move(v, at, a)
		if exit == "" && len(w.Events) >= opts.MaxStates {
			exit = schema.ExitCut
		}
		w.take(v, a, to, exit)
	}
	return w, nil
}

// Follow is the walk that given actions make from the call at event start (inverse: from the end of that call's
// activation). It fails at an action that is not possible, and ends in a cut when the actions end before the exit.
func (t *Tree) Follow(opts Options, d schema.Direction, start int32, actions []schema.Action) (*Walk, error) {
	opts = opts.applyDefaults()
	if start < 0 || int(start) >= len(t.trace.Events) || t.hidden[start] || t.kind(start) != schema.KindCall {
		return nil, fmt.Errorf("event %d: a walk starts at a call", start)
	}
	w, v, err := t.begin(opts, d, start)
	if err != nil {
		return nil, err
	}
	for n, a := range actions {
		if w.Exit != "" {
			return nil, fmt.Errorf("action %d, %s: the walk has ended before it", n+1, a.Kind)
		}
		to, exit, ok := w.move(v, w.at(), a)
		if !ok {
			return nil, fmt.Errorf("action %d, %s %q: not possible at event %d", n+1, a.Kind, a.Arg, w.at().event)
		}
		w.take(v, a, to, exit)
	}
	if w.Exit == "" {
		w.Exit = schema.ExitCut
	}
	return w, nil
}

// begin is a walk that stands at its first state.
func (t *Tree) begin(opts Options, d schema.Direction, start int32) (*Walk, *view, error) {
	v, err := t.view(opts.Semantics)
	if err != nil {
		return nil, nil, err
	}
	w := &Walk{
		Direction: d, Semantics: opts.Semantics,
		tree: t, span: t.newSpan(start, v), tombstones: opts.Tombstones,
	}
	first := start
	if d == schema.Inverse {
		if !w.span.closed {
			return nil, nil, fmt.Errorf("event %d: the end of its activation was not recorded, so no inverse walk starts there", start)
		}
		first = w.span.end
	}
	w.Events, w.LineCalls = []int32{first}, []bool{false}
	return w, v, nil
}

func (w *Walk) at() place {
	n := len(w.Events) - 1
	return place{w.Events[n], w.LineCalls[n]}
}

// move is where an action leads, or the exit that it leads to.
func (w *Walk) move(v *view, at place, a schema.Action) (place, schema.Exit, bool) {
	if w.Direction == schema.Inverse {
		return w.tree.backward(&w.span, at, a.Kind)
	}
	return w.tree.forward(v, &w.span, at.event, a)
}

func (w *Walk) possible(v *view, at place, kind schema.ActionKind) bool {
	if kind == schema.Breakpoint {
		return len(w.span.later(at.event)) > 0
	}
	_, _, ok := w.move(v, at, schema.Action{Kind: kind})
	return ok
}

// take adds an action and what it led to. A cut drops the action: nothing is said of where it leads.
func (w *Walk) take(v *view, a schema.Action, to place, exit schema.Exit) {
	w.Exit = exit
	if exit == schema.ExitCut {
		return
	}
	w.Horizons = append(w.Horizons, w.skipped(v, to, exit))
	w.Actions = append(w.Actions, a)
	if exit == "" {
		w.Events, w.LineCalls = append(w.Events, to.event), append(w.LineCalls, to.lineCall)
	}
}

// skipped is how many recorded states lie between the last state and where the walk goes next.
func (w *Walk) skipped(v *view, to place, exit schema.Exit) int32 {
	at := w.at()
	switch {
	case exit == schema.ExitEntry:
		return 0
	case exit != "":
		return v.between(at.event, w.span.end+1)
	case w.Direction == schema.Inverse:
		return w.tree.number(to) - w.tree.number(at) - 1
	}
	return v.between(at.event, to.event)
}

// Cut is the walk's first states, ending there without an exit. A walk that has fewer is given back as it is.
func (w *Walk) Cut(states int) *Walk {
	states = max(states, 1)
	if states > len(w.Events) {
		return w
	}
	c := *w
	c.Events, c.LineCalls = w.Events[:states:states], w.LineCalls[:states:states]
	c.Actions, c.Horizons = w.Actions[:states-1:states-1], w.Horizons[:states-1:states-1]
	c.Exit = schema.ExitCut
	return &c
}

// EventIndex is Events as a trajectory stores them: with -1 for the exit when there is one.
func (w *Walk) EventIndex() []int32 {
	out := slices.Clone(w.Events)
	if w.Exit != schema.ExitCut {
		out = append(out, none)
	}
	return out
}
