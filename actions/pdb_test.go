package actions

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tracemill/tracemill/schema"
)

// scan is bdb's rule as the reference states it, by looking forward from event i: the sweep must find the same.
func scan(t *Tree, i int32, kind schema.ActionKind) int32 {
	back, backGen := t.callers()
	e := &t.trace.Events[i]
	frame, generator, caller := e.Frame, t.generator(e.Frame), back[i]
	if e.Kind.Closes() && kind == schema.StepOver {
		kind = schema.StepInto
	}
	for j := i + 1; int(j) < len(t.trace.Events); j++ {
		x := &t.trace.Events[j]
		internal := t.internalStop(int(j))
		end := x.Kind == schema.KindException && x.Flags&(schema.FlagStopIteration|schema.FlagGeneratorExit) != 0
		stop := x.Kind == schema.KindLine || x.Kind == schema.KindException && !internal
		switch kind {
		case schema.StepInto:
			if !internal {
				return j
			}
		case schema.StepOver:
			if x.Frame == frame {
				if x.Line == 0 && !x.Kind.Opens() {
					return none
				}
				if stop || x.Kind.Closes() && !generator {
					return j
				}
			} else if generator && end {
				return j
			}
		case schema.StepReturn:
			switch {
			case generator:
				if x.Frame != frame && end {
					return j
				}
			case x.Frame == frame && x.Kind.Closes():
				return j
			case x.Frame == caller:
				if x.Line == 0 && !x.Kind.Opens() {
					return none
				}
				if stop || x.Kind.Closes() && !t.generator(caller) {
					return j
				}
			case backGen[i] && end:
				return j
			}
		}
	}
	return none
}

func TestSweepIsTheScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, shape{generators: true, foreign: true, truncated: true})
		for i := range tree.trace.Events {
			if rapid.IntRange(0, 19).Draw(t, "lineless") == 0 && !tree.trace.Events[i].Kind.Opens() {
				tree.trace.Events[i].Line = 0
			}
		}
		v := tree.pdbView()
		for i := int32(0); int(i) < len(tree.trace.Events); i++ {
			for kind, got := range map[schema.ActionKind]int32{
				schema.StepInto: v.into[i], schema.StepOver: v.over[i], schema.StepReturn: v.out[i],
			} {
				if want := scan(tree, i, kind); got != want {
					t.Fatalf("event %d, %s: %d, want %d", i, kind, got, want)
				}
			}
		}
	})
}

// Without generators, and without callers out of scope, the paper's tree and the real debugger are the same.
func TestTreeIsPDBWithoutGenerators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, shape{})
		v := tree.pdb()
		for i := int32(0); int(i) < len(tree.trace.Events); i++ {
			if tree.tree.into[i] != v.into[i] || tree.tree.over[i] != v.over[i] || tree.tree.out[i] != v.out[i] {
				t.Fatalf("event %d, %s: tree leads to %d %d %d, pdb to %d %d %d", i, tree.kind(i), tree.tree.into[i],
					tree.tree.over[i], tree.tree.out[i], v.into[i], v.over[i], v.out[i])
			}
		}
		for text := range tree.tree.stops {
			for i := int32(0); int(i) < len(tree.trace.Events); i++ {
				if a, b := tree.tree.hit(i, int32(text)), v.hit(i, int32(text)); a != b {
					t.Fatalf("event %d, text %d: tree stops at %d, pdb at %d", i, text, a, b)
				}
			}
		}
	})
}
