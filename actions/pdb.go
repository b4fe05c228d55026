package actions

import "github.com/tracemill/tracemill/schema"

// foreign is the caller of a frame that a frame out of scope called.
const foreign int32 = -2

// callers is, per event, the frame that its frame was last called or resumed by (none for the runner, foreign for a
// frame out of scope), and whether that is a generator's frame.
func (t *Tree) callers() (back []int32, generator []bool) {
	n := len(t.trace.Events)
	back, generator = make([]int32, n), make([]bool, n)
	now := filled(len(t.trace.Frames), none)
	nowGenerator := make([]bool, len(t.trace.Frames))
	for i := range t.trace.Events {
		e := &t.trace.Events[i]
		if e.Kind.Opens() {
			now[e.Frame] = e.Back
			if e.Flags&schema.FlagForeignCaller != 0 {
				now[e.Frame] = foreign
			}
			nowGenerator[e.Frame] = e.Flags&schema.FlagGeneratorCaller != 0
		}
		back[i], generator[i] = now[e.Frame], nowGenerator[e.Frame]
	}
	return back, generator
}

// ends keeps the nearest StopIteration or GeneratorExit event, and the nearest one of another frame than that.
type ends struct {
	at, frame, other int32
}

func (s *ends) see(i, frame int32) {
	if s.frame != frame {
		s.other, s.frame = s.at, frame
	}
	s.at = i
}

// outside is the nearest such event of another frame.
func (s *ends) outside(frame int32) int32 {
	if s.frame == frame {
		return s.other
	}
	return s.at
}

// sweep is what the backward sweep has seen of the events after the one it is at. Its "no such event" is the number
// of events, so that the nearest of several is their minimum.
type sweep struct {
	t        *Tree
	far      int32
	step     int32   // next stop of a step
	own      []int32 // per frame: nearest stop of its own
	left     []int32 // per frame: nearest event that leaves it
	ends     ends
	back     []int32
	backGen  []bool
	hidden   []bool
	over     []int32
	out      []int32
	intoStep []int32
}

// pdbView is where bdb stops when every frame of the program is traced, the memoryless rules of docs/semantics.md, in
// one backward sweep. It hides less than the tree: bdb knows nothing of the collector.
func (t *Tree) pdbView() *view {
	n := len(t.trace.Events)
	hidden := make([]bool, n)
	for i := range hidden {
		hidden[i] = t.internalStop(i)
	}
	v := newView(n, hidden)
	v.stops = t.lineStops(hidden)
	far := int32(n)
	back, backGen := t.callers()
	s := &sweep{
		t: t, far: far, step: far,
		own:  filled(len(t.trace.Frames), far),
		left: filled(len(t.trace.Frames), far),
		ends: ends{far, none, far},
		back: back, backGen: backGen, hidden: hidden,
		over: v.over, out: v.out, intoStep: v.into,
	}
	for i := far - 1; i >= 0; i-- {
		s.stopsFrom(i)
		s.add(i)
	}
	for _, table := range [][]int32{v.into, v.over, v.out} {
		for i, j := range table {
			if j >= far {
				table[i] = none
			}
		}
	}
	return v
}

// stopsFrom fills in where the actions lead from event i.
func (s *sweep) stopsFrom(i int32) {
	e := &s.t.trace.Events[i]
	generator := s.t.generator(e.Frame)
	ends := s.far
	if generator {
		ends = s.ends.outside(e.Frame)
	}
	s.intoStep[i] = s.step
	next := s.own[e.Frame]
	if e.Kind.Closes() {
		s.over[i] = s.step
	} else {
		s.over[i] = s.wall(min(next, ends), next)
	}
	if generator {
		s.out[i] = ends
		return
	}
	caller, callerEnds := s.far, s.far
	if p := s.back[i]; p >= 0 {
		caller = s.own[p]
	}
	if s.backGen[i] {
		callerEnds = s.ends.outside(s.back[i])
	}
	s.out[i] = s.wall(min(s.left[e.Frame], caller, callerEnds), caller)
}

// add makes event i visible to the events before it.
func (s *sweep) add(i int32) {
	e := &s.t.trace.Events[i]
	if !s.hidden[i] {
		s.step = i
	}
	switch {
	case e.Kind == schema.KindLine,
		e.Kind == schema.KindException && !s.hidden[i],
		e.Kind.Closes() && !s.t.generator(e.Frame),
		e.Line == 0 && !e.Kind.Opens():
		s.own[e.Frame] = i
	}
	if e.Kind.Closes() {
		s.left[e.Frame] = i
	}
	if e.Kind == schema.KindException && e.Flags&(schema.FlagStopIteration|schema.FlagGeneratorExit) != 0 {
		s.ends.see(i, e.Frame)
	}
}

// wall is j, unless j is an event whose line bdb compares and which has none: bdb dies of that, and the program runs
// to its end without it.
func (s *sweep) wall(j, compared int32) int32 {
	if j < s.far && j == compared && s.t.trace.Events[j].Line == 0 {
		return s.far
	}
	return j
}

func (t *Tree) generator(frame int32) bool {
	return t.trace.Codes[t.trace.Frames[frame].Code].Flags&schema.CodeGenerator != 0
}

// internalStop is what pdb calls an internal StopIteration: in a generator's frame, without a traceback.
func (t *Tree) internalStop(i int) bool {
	e := &t.trace.Events[i]
	return e.Kind == schema.KindException && e.Flags&schema.FlagStopIteration != 0 &&
		e.Flags&schema.FlagTraceback == 0 && t.generator(e.Frame)
}
