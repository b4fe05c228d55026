package actions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/tracemill/tracemill/schema"
)

// span is the stretch of the trace that a trajectory stays in: one activation, from its call to the event that ended
// it, or to the end of what was recorded.
type span struct {
	start, end int32
	closed     bool
	exit       schema.Exit // of a closed one, forward
	stops      []stop      // line texts by their last stop in the span, latest first
}

// stop is a source text and the last line event on it.
type stop struct {
	text, last int32
}

func (t *Tree) newSpan(start int32, v *view) span {
	s := span{start: start, end: int32(len(t.trace.Events)) - 1}
	if end := t.closing[t.trace.Events[start].Frame]; end >= 0 {
		s.end, s.closed, s.exit = end, true, schema.ExitNormal
		if t.kind(end) == schema.KindUnwind {
			s.exit = schema.ExitError
		}
	}
	for text, stops := range v.stops {
		k := sort.Search(len(stops), func(k int) bool { return stops[k] > s.end })
		if k > 0 && stops[k-1] > start {
			s.stops = append(s.stops, stop{int32(text), stops[k-1]})
		}
	}
	slices.SortFunc(s.stops, func(a, b stop) int { return int(b.last - a.last) })
	return s
}

// later is the texts on which there is a line event after event i.
func (s *span) later(i int32) []stop {
	return s.stops[:sort.Search(len(s.stops), func(k int) bool { return s.stops[k].last <= i })]
}

// forward is where an action leads within a span: outside when it leads to the exit; false when it is not possible.
func (t *Tree) forward(v *view, s *span, at int32, a schema.Action) (to place, exit schema.Exit, ok bool) {
	next := t.target(v, at, a)
	switch {
	case next >= 0 && next <= s.end:
		return place{event: next}, "", true
	case a.Kind == schema.Breakpoint:
		return outside, "", false
	case s.closed && next != unknown:
		return outside, s.exit, true
	case !s.closed && t.runsForEver(s.start, at, a.Kind):
		return outside, schema.ExitNever, true
	}
	return outside, "", false
}

// backward is the same for the inverse actions: the span's call is where they end.
func (t *Tree) backward(s *span, at place, kind schema.ActionKind) (to place, exit schema.Exit, ok bool) {
	if at.event == s.start {
		return outside, schema.ExitEntry, slices.Contains(inverseKinds, kind)
	}
	to, ok = t.back(at, kind)
	return to, "", ok && to.event >= s.start
}

// starts is the calls that trajectories of a direction may start at, in the order in which they are taken. An
// activation that is suspended has parts of others between its own: only the entry may be one.
func (t *Tree) starts(opts Options, d schema.Direction) ([]int32, error) {
	root := none
	var all []int32
	for i := range t.trace.Events {
		e := &t.trace.Events[i]
		if t.hidden[i] {
			continue
		}
		if root < 0 {
			root = int32(i)
		}
		closed := t.closing[e.Frame] >= 0
		if e.Kind != schema.KindCall || d == schema.Inverse && !closed || int32(i) != root && t.generator(e.Frame) {
			continue
		}
		all = append(all, int32(i))
	}
	switch {
	case len(all) == 0:
		return nil, nil
	case opts.Entry == EntryAnyCall:
		rng := newRand(schema.Seed(opts.Seed, t.trace.ID, "entry "+string(d)))
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all, nil
	case opts.Entry == EntryRoot && all[0] == root:
		return all[:1], nil
	case opts.Entry == EntryRoot:
		return nil, nil
	}
	return nil, fmt.Errorf("entry: %q is not known", opts.Entry)
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15)) }
