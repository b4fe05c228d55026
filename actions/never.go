package actions

import "github.com/tracemill/tracemill/schema"

// loop is the proof that a program that was stopped from outside would never have ended: at three line events of one
// stretch it was in the same state, and did the same between them.
type loop struct {
	live   []bool // per frame: on the stack throughout
	moving int32  // the frame at whose line the state repeats
}

// candidates bounds how many earlier visits of a line are tried as the loop's beginning.
const candidates = 256

// findLoop looks for a proof at the end of the trace. It asks for more than equal locals, as a program's state is more
// than those: nothing in the loop may read or change what a trace does not show (exact says what that is). So a
// loop may be missed; what is found is one.
func (t *Tree) findLoop() *loop {
	limit := t.trace.Status == schema.StatusEventLimit || t.trace.Status == schema.StatusTimeout
	if !limit || t.ended() {
		return nil
	}
	called := t.firstCalls()
	node := t.lastNode()
	for ; node >= 0; node = t.parent(node) {
		anchor := node
		for anchor >= 0 && t.kind(anchor) != schema.KindLine {
			anchor = t.prevIn[anchor]
		}
		if anchor < 0 {
			continue
		}
		tried := 0
		for k := t.prevIn[anchor]; k >= 0 && tried < candidates; k = t.prevIn[k] {
			if t.kind(k) != schema.KindLine || t.trace.Events[k].Line != t.trace.Events[anchor].Line {
				continue
			}
			tried++
			if t.repeats(called, k, anchor) && t.exact(k, anchor) {
				return t.newLoop(anchor)
			}
		}
	}
	return nil
}

func (t *Tree) newLoop(anchor int32) *loop {
	l := &loop{live: make([]bool, len(t.trace.Frames)), moving: t.trace.Events[anchor].Frame}
	for i := anchor; i >= 0; i = t.parent(i) {
		l.live[t.trace.Events[i].Frame] = true
	}
	return l
}

func (t *Tree) lastNode() int32 {
	i := int32(len(t.hidden)) - 1
	for i >= 0 && t.hidden[i] {
		i--
	}
	return i
}

// firstCalls is the call event of each frame.
func (t *Tree) firstCalls() []int32 {
	called := filled(len(t.trace.Frames), none)
	for i := range t.trace.Events {
		if f := t.trace.Events[i].Frame; called[f] < 0 {
			called[f] = int32(i)
		}
	}
	return called
}

// repeats says whether the events after k up to end are the same as those before them, and begin in the same state.
func (t *Tree) repeats(called []int32, k, end int32) bool {
	period := end - k
	begin := k - period
	if begin < 0 || t.stretch[begin] != t.stretch[end] || t.stretch[k] != t.stretch[end] || !t.sameLocals(k, end) ||
		!t.sameLocals(begin, k) {
		return false
	}
	for i := k + 1; i <= end; i++ {
		a, b := &t.trace.Events[i], &t.trace.Events[i-period]
		if a.Kind != b.Kind || a.Line != b.Line || a.Flags != b.Flags || a.Value != b.Value ||
			t.trace.Frames[a.Frame].Code != t.trace.Frames[b.Frame].Code {
			return false
		}
		fresh := called[a.Frame] > k
		if fresh && called[a.Frame]-period != called[b.Frame] || !fresh && a.Frame != b.Frame {
			return false
		}
		if !sameChanges(t.trace.ChangesOf(int(i)), t.trace.ChangesOf(int(i-period))) {
			return false
		}
	}
	return true
}

func sameChanges(a, b []schema.Change) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// sameLocals compares all locals of one frame at two events.
func (t *Tree) sameLocals(i, j int32) bool {
	vars := t.vars.vars[t.trace.Events[i].Frame]
	for k := range vars {
		if vars[k].value(i) != vars[k].value(j) {
			return false
		}
	}
	return true
}

// runsForEver says whether an action, at a node of a trajectory that starts at start, is one that the program's
// loop never lets end. A frame in which the loop runs comes to its next line, though that was not recorded.
func (t *Tree) runsForEver(start, at int32, kind schema.ActionKind) bool {
	l := t.loop()
	if l == nil || !l.live[t.trace.Events[start].Frame] {
		return false
	}
	frame := t.trace.Events[at].Frame
	stays := l.live[frame] && !t.generator(frame) && !t.kind(at).Closes()
	switch kind {
	case schema.Continue:
		return true
	case schema.StepReturn:
		return stays
	case schema.StepOver:
		return stays && frame != l.moving
	}
	return false
}
