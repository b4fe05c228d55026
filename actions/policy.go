package actions

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// A policy is a mixture: at each step one of its rows is taken, and the action drawn by that row's weights among the
// actions that are possible in the state.
type policy struct {
	forward, inverse []row
}

type row struct {
	share   float64
	weights []weight
}

type weight struct {
	kind  schema.ActionKind
	value float64
}

var (
	forwardKinds = []schema.ActionKind{
		schema.StepInto, schema.StepOver, schema.StepReturn, schema.Breakpoint, schema.Continue,
	}
	inverseKinds = []schema.ActionKind{schema.InvStepInto, schema.InvStepOver, schema.InvStepCall}
)

// policies is the registry: what a name in a config stands for. The weights are the config's, for the policy that
// takes any.
var policies = map[string]func(weights map[string]float64) (policy, error){
	"paper":   fixed(paperPolicy()),
	"into":    fixed(intoPolicy()),
	"uniform": fixed(uniformPolicy()),
	"weights": weightedPolicy,
}

// Policies is the names of the policies, sorted.
func Policies() []string { return slices.Sorted(maps.Keys(policies)) }

func newPolicy(name string, weights map[string]float64) (policy, error) {
	build, ok := policies[name]
	if !ok {
		return policy{}, fmt.Errorf("policy: %q is not known: use one of %s", name, strings.Join(Policies(), ", "))
	}
	return build(weights)
}

func (p policy) rows(d schema.Direction) []row {
	if d == schema.Inverse {
		return p.inverse
	}
	return p.forward
}

func fixed(p policy) func(map[string]float64) (policy, error) {
	return func(weights map[string]float64) (policy, error) {
		if len(weights) > 0 {
			return policy{}, fmt.Errorf("weights: only policy %q takes them", "weights")
		}
		return p, nil
	}
}

// paperPolicy is the paper's Table A.1. Its first row sums to 0.80, and a row is normalised whenever it is drawn from. The
// paper gives no inverse mixture: ours keeps the preference for small steps, and leaves a call seldom enough that
// most of what an activation did is seen.
func paperPolicy() policy {
	return policy{
		forward: []row{
			{0.5, []weight{
				{schema.StepInto, 0.35}, {schema.StepOver, 0.10}, {schema.StepReturn, 0.20},
				{schema.Breakpoint, 0.10}, {schema.Continue, 0.05},
			}},
			{0.5, []weight{{schema.StepInto, 0.5}, {schema.StepOver, 0.5}}},
		},
		inverse: []row{{1, []weight{
			{schema.InvStepInto, 0.5}, {schema.InvStepOver, 0.35}, {schema.InvStepCall, 0.15},
		}}},
	}
}

// intoPolicy reproduces the trace.
func intoPolicy() policy {
	return policy{
		forward: []row{{1, []weight{{schema.StepInto, 1}}}},
		inverse: []row{{1, []weight{{schema.InvStepInto, 1}}}},
	}
}

func uniformPolicy() policy {
	even := func(kinds []schema.ActionKind) []row {
		r := row{share: 1}
		for _, k := range kinds {
			r.weights = append(r.weights, weight{k, 1})
		}
		return []row{r}
	}
	return policy{forward: even(forwardKinds), inverse: even(inverseKinds)}
}

func weightedPolicy(weights map[string]float64) (policy, error) {
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		kind, value := schema.ActionKind(name), weights[name]
		if !slices.Contains(forwardKinds, kind) && !slices.Contains(inverseKinds, kind) {
			return policy{}, fmt.Errorf("weights: %q is no action: use one of %v %v", name, forwardKinds, inverseKinds)
		}
		if value < 0 || math.IsNaN(value) || math.IsInf(value, 0) {
			return policy{}, fmt.Errorf("weights: %s: %v is not a finite number from 0 on", name, value)
		}
	}
	rows := func(kinds []schema.ActionKind) []row {
		r := row{share: 1}
		for _, k := range kinds {
			if value := weights[string(k)]; value > 0 {
				r.weights = append(r.weights, weight{k, value})
			}
		}
		if len(r.weights) == 0 {
			return nil
		}
		return []row{r}
	}
	p := policy{forward: rows(forwardKinds), inverse: rows(inverseKinds)}
	if p.forward == nil && p.inverse == nil {
		return policy{}, fmt.Errorf("weights: policy %q needs a weight above 0 for at least one action", "weights")
	}
	return p, nil
}

// draw takes a row, then an action of it, both only from what is possible; false when nothing is. It is called at every
// step of every walk: the buffers keep what it weighs off the heap.
func draw(rng *rand.Rand, rows []row, possible func(schema.ActionKind) bool) (schema.ActionKind, bool) {
	var openBuffer [4]*row
	var kindBuffer [8]schema.ActionKind
	var weightBuffer [8]float64
	open, weights := openBuffer[:0], weightBuffer[:0]
	for i := range rows {
		r := &rows[i]
		if slices.ContainsFunc(r.weights, func(w weight) bool { return possible(w.kind) }) {
			open, weights = append(open, r), append(weights, r.share)
		}
	}
	if len(open) == 0 {
		return "", false
	}
	r := open[pick(rng, weights)]
	kinds, weights := kindBuffer[:0], weightBuffer[:0]
	for _, w := range r.weights {
		if possible(w.kind) {
			kinds, weights = append(kinds, w.kind), append(weights, w.value)
		}
	}
	return kinds[pick(rng, weights)], true
}

// pick draws an index by weight. It takes one number from rng, however many weights there are.
func pick(rng *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	at := rng.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}
