package actions

import (
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracemill/tracemill/schema"
)

var everything = shape{generators: true, foreign: true, truncated: true}

func drawOptions(t *rapid.T) Options {
	opts := DefaultOptions()
	opts.Policy = rapid.SampledFrom([]string{"paper", "into", "uniform"}).Draw(t, "policy")
	opts.Semantics = rapid.SampledFrom([]string{SemanticsTree, SemanticsPDB}).Draw(t, "semantics")
	opts.Entry = rapid.SampledFrom([]string{EntryRoot, EntryAnyCall}).Draw(t, "entry")
	opts.PerTrace = rapid.IntRange(1, 4).Draw(t, "per trace")
	opts.MaxStates = rapid.IntRange(1, 120).Draw(t, "max states")
	opts.Seed = rapid.Uint64().Draw(t, "seed")
	opts.Statuses = schema.Statuses
	return opts
}

func sampleAll(t *rapid.T, tree *Tree, opts Options) []*Walk {
	walks, err := tree.Sample(opts)
	if err != nil {
		t.Fatal(err)
	}
	return walks
}

// Stepping into gives every node of the tree once, in order.
func TestIntoReproducesTheTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, everything)
		opts := DefaultOptions()
		opts.Policy, opts.Directions, opts.MaxStates, opts.Statuses = "into", []schema.Direction{schema.Forward}, 1<<20, schema.Statuses
		walks := sampleAll(t, tree, opts)
		var want []int32
		for i, hidden := range tree.hidden {
			if !hidden {
				want = append(want, int32(i))
			}
			if tree.ended() && int32(i) == tree.closing[0] {
				break
			}
		}
		if len(walks) != 1 || !slices.Equal(walks[0].Events, want) {
			t.Fatalf("into visits %v, want %v", walks[0].Events, want)
		}
		if cut := walks[0].Exit == schema.ExitCut; cut == tree.ended() {
			t.Fatalf("exit %s, though the trace has ended: %v", walks[0].Exit, tree.ended())
		}
	})
}

// Stepping back into gives every node once, in reverse, and before it the duplicate of each line that made calls.
func TestInverseIntoVisitsEveryNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, shape{generators: true, foreign: true})
		opts := DefaultOptions()
		opts.Policy, opts.Directions, opts.MaxStates = "into", []schema.Direction{schema.Inverse}, 1<<20
		w := sampleAll(t, tree, opts)[0]
		var plain, calls []int32
		open := map[int32]bool{}
		for n, i := range w.Events {
			if got := tree.number(place{i, w.LineCalls[n]}); int(got) != n+int(tree.number(place{event: w.Events[0]})) {
				t.Fatalf("place %d has number %d", n, got)
			}
			if w.LineCalls[n] {
				calls, open[i] = append(calls, i), true
				continue
			}
			plain = append(plain, i)
			for p := tree.parent(i); p >= 0; p = tree.parent(p) {
				if tree.kind(p) == schema.KindLine && !open[p] {
					t.Fatalf("event %d comes before the duplicate of its ancestor %d", i, p)
				}
			}
		}
		var want []int32
		made := 0
		for i := tree.closing[0]; i >= 0; i-- {
			if !tree.hidden[i] {
				want = append(want, i)
				if tree.duplicated(i) {
					made++
				}
			}
		}
		if !slices.Equal(plain, want) || len(calls) != made || len(open) != made {
			t.Fatalf("visits %v with %d duplicates, want %v with %d", plain, len(calls), want, made)
		}
	})
}

// Every transition of a walk is what Next or NextInverse says, and its horizon is what it skipped.
func TestWalksAreTransitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, opts := drawTree(t, everything), drawOptions(t)
		for _, w := range sampleAll(t, tree, opts) {
			checkWalk(t, tree, opts, w)
		}
	})
}

func checkWalk(t *rapid.T, tree *Tree, opts Options, w *Walk) {
	actions := len(w.Events)
	if w.Exit == schema.ExitCut {
		actions--
	}
	if len(w.Actions) != actions || len(w.Horizons) != actions || len(w.LineCalls) != len(w.Events) {
		t.Fatalf("%d states, %d actions, %d horizons, exit %s", len(w.Events), len(w.Actions), len(w.Horizons), w.Exit)
	}
	if len(w.Events) > opts.MaxStates {
		t.Fatalf("%d states, more than %d", len(w.Events), opts.MaxStates)
	}
	for n, a := range w.Actions {
		if w.Horizons[n] < 0 {
			t.Fatalf("action %d, %s: horizon %d", n, a.Kind, w.Horizons[n])
		}
		if n+1 == len(w.Events) {
			break // leads to the exit
		}
		from, to := w.Events[n], w.Events[n+1]
		if w.Direction == schema.Inverse {
			next, lineCall, ok := tree.NextInverse(from, w.LineCalls[n], a.Kind)
			if !ok || next != to || lineCall != w.LineCalls[n+1] {
				t.Fatalf("action %d, %s from %d: walk goes to %d, the tree to %d", n, a.Kind, from, to, next)
			}
			continue
		}
		next, ok := tree.Next(from, a, w.Semantics)
		if !ok || next != to || next <= from {
			t.Fatalf("action %d, %s from %d: walk goes to %d, the tree to %d", n, a.Kind, from, to, next)
		}
		states := int32(0)
		for i := from + 1; i < to; i++ {
			if w.Semantics == SemanticsTree && !tree.hidden[i] || w.Semantics == SemanticsPDB && !tree.internalStop(int(i)) {
				states++
			}
		}
		if w.Horizons[n] != states {
			t.Fatalf("action %d, %s from %d to %d: horizon %d, want %d", n, a.Kind, from, to, w.Horizons[n], states)
		}
	}
}

// The same seed gives the same walks, whatever was asked of the tree before, and a cut is a prefix.
func TestWalksAreDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, opts := drawTree(t, everything), drawOptions(t)
		again, err := New(tree.trace, &schema.Function{Program: tree.code.executed.Text, Blocks: tree.code.blocks})
		if err != nil {
			t.Fatal(err)
		}
		walks := sampleAll(t, tree, opts)
		for _, d := range []schema.Direction{schema.Inverse, schema.Forward} {
			one := opts
			one.Directions = []schema.Direction{d}
			for _, w := range sampleAll(t, again, one) {
				k := slices.IndexFunc(walks, func(o *Walk) bool { return o.Seed == w.Seed && o.Direction == d })
				if k < 0 || !walks[k].equal(w) || !reflect.DeepEqual(walks[k].Document(), w.Document()) {
					t.Fatalf("direction %s, seed %d: another walk", d, w.Seed)
				}
			}
		}
		for _, w := range walks {
			checkCut(t, w)
		}
	})
}

func checkCut(t *rapid.T, w *Walk) {
	n := rapid.IntRange(1, len(w.Events)+1).Draw(t, "cut")
	c, whole := w.Cut(n).Document(), w.Document()
	if n > len(w.Events) {
		if !reflect.DeepEqual(c, whole) {
			t.Fatal("a cut beyond the end changed the walk")
		}
		return
	}
	if c.Exit != schema.ExitCut || len(c.States) != n || len(c.Actions) != n-1 {
		t.Fatalf("cut to %d: %d states, %d actions, exit %s", n, len(c.States), len(c.Actions), c.Exit)
	}
	for k := range c.States {
		if !reflect.DeepEqual(c.States[k], whole.States[k]) {
			t.Fatalf("cut to %d: state %d differs", n, k)
		}
	}
}

// The locals that a document's reader can put together are those of the trace.
func TestDocumentsTellTheLocals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, opts := drawTree(t, everything), drawOptions(t)
		for _, w := range sampleAll(t, tree, opts) {
			if w.Direction == schema.Inverse {
				continue
			}
			known := map[string]schema.Local{}
			for n, s := range w.Document().States {
				if !s.HasLocals() {
					continue
				}
				if !s.Elided {
					clear(known)
				}
				for _, l := range s.Locals {
					if l.State != schema.LocalUnchanged && l.State != schema.LocalAbsent {
						known[l.Name] = l
					}
				}
				full := tree.Locals(w.Events[n], true)
				if len(full) != len(known) {
					t.Fatalf("state %d: %d locals known, want %d", n, len(known), len(full))
				}
				for _, l := range full {
					if known[l.Name] != l {
						t.Fatalf("state %d: %v is known, want %v", n, known[l.Name], l)
					}
				}
			}
		}
	})
}

// Backwards, what is left out is as it was shown before, and what is shown is so in the trace.
func TestInverseDocumentsTellTheLocals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, opts := drawTree(t, everything), drawOptions(t)
		opts.Directions = []schema.Direction{schema.Inverse}
		for _, w := range sampleAll(t, tree, opts) {
			known := map[int32]map[string]schema.Local{}
			for n, s := range w.Document().States {
				if !s.HasLocals() {
					continue
				}
				frame := tree.trace.Events[w.Events[n]].Frame
				before, full := known[frame], map[string]schema.Local{}
				for _, l := range tree.Locals(w.Events[n], true) {
					full[l.Name] = l
				}
				seen := map[string]schema.Local{}
				for _, l := range s.Locals {
					seen[l.Name] = l
					want, bound := full[l.Name]
					switch {
					case (l.State == schema.LocalUnchanged) != (want.State == schema.LocalSet) && l.State != schema.LocalSet && l.State != schema.LocalUnbound && bound:
						t.Fatalf("state %d: %v is left out, though it is %v", n, l, want)
					case (l.State == schema.LocalUnchanged || l.State == schema.LocalAbsent) && before != nil && bound && before[l.Name] != want:
						t.Fatalf("state %d: %s is left out, though it was %v and is %v", n, l.Name, before[l.Name], want)
					case l.State == schema.LocalSet && l != want, l.State == schema.LocalUnbound && bound && want != l:
						t.Fatalf("state %d: %v is shown, want %v", n, l, want)
					}
				}
				for name := range full {
					if _, ok := seen[name]; !ok {
						t.Fatalf("state %d: %s is neither shown nor left out", n, name)
					}
				}
				known[frame] = full
			}
		}
	})
}

// TestScriptDocuments: what a text shows of a program that is run, forward and of a function that it calls.
func TestScriptDocuments(t *testing.T) {
	text, err := os.ReadFile("testdata/script.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := parseFixture(t, string(text))
	tree := f.tree(t)
	whole := schema.AppendStdin(f.fn.Program, f.trace.Stdin)
	for _, test := range []struct {
		direction schema.Direction
		start     int32
		code      string
		entry     string
		line      int32
	}{
		{schema.Forward, 0, whole, schema.ModuleEntry, 1},
		{schema.Inverse, 0, whole, schema.ModuleEntry, 1},
		{schema.Forward, 4, whole, "f", 1},
		{schema.Inverse, 4, "def f(x):\n    return x + 1\n", "f", 1},
	} {
		kind := schema.StepInto
		if test.direction == schema.Inverse {
			kind = schema.InvStepInto
		}
		w, err := tree.Follow(DefaultOptions(), test.direction, test.start, []schema.Action{{Kind: kind}, {Kind: kind}})
		if err != nil {
			t.Fatal(err)
		}
		d := w.Document()
		if d.Code != test.code || d.Entry != test.entry || d.EntryLine != test.line {
			t.Errorf("%s from %d: code %q, entry %s at line %d", test.direction, test.start, d.Code, d.Entry, d.EntryLine)
		}
	}
}
