package actions

import (
	"math"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tracemill/tracemill/schema"
)

func all(schema.ActionKind) bool { return true }

// shares draws often enough that each share is within a hundredth of what the policy says, or nearly never.
func shares(t *testing.T, rows []row, possible func(schema.ActionKind) bool) map[schema.ActionKind]float64 {
	t.Helper()
	const n = 40000
	rng, got := newRand(1), map[schema.ActionKind]float64{}
	for range n {
		kind, ok := draw(rng, rows, possible)
		if !ok {
			t.Fatal("nothing was drawn")
		}
		got[kind] += 1.0 / n
	}
	return got
}

func TestPolicyShares(t *testing.T) {
	p, err := newPolicy("paper", nil)
	if err != nil {
		t.Fatal(err)
	}
	notInto := func(k schema.ActionKind) bool { return k != schema.StepInto && k != schema.StepOver }
	for name, c := range map[string]struct {
		rows     []row
		possible func(schema.ActionKind) bool
		want     map[schema.ActionKind]float64
	}{
		"both halves, the first normalised": {p.forward, all, map[schema.ActionKind]float64{
			schema.StepInto: .35/.8/2 + .25, schema.StepOver: .10/.8/2 + .25, schema.StepReturn: .20 / .8 / 2,
			schema.Breakpoint: .10 / .8 / 2, schema.Continue: .05 / .8 / 2,
		}},
		"only what is possible": {p.forward, notInto, map[schema.ActionKind]float64{
			schema.StepReturn: .20 / .35, schema.Breakpoint: .10 / .35, schema.Continue: .05 / .35,
		}},
		"inverse": {p.inverse, all, map[schema.ActionKind]float64{
			schema.InvStepInto: .5, schema.InvStepOver: .35, schema.InvStepCall: .15,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := shares(t, c.rows, c.possible)
			for _, k := range append(forwardKinds, inverseKinds...) {
				if math.Abs(got[k]-c.want[k]) > 0.01 {
					t.Errorf("%s: %.3f, want %.3f", k, got[k], c.want[k])
				}
			}
		})
	}
}

func TestNothingPossible(t *testing.T) {
	if _, ok := draw(newRand(1), uniformPolicy().forward, func(schema.ActionKind) bool { return false }); ok {
		t.Fatal("an impossible action was drawn")
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{``, ``},
		{`{policy: weights, weights: {step_into: 1, inv_step_call: 2}}`, ``},
		{`{policy: weights, weights: {step_into: 1}, directions: [forward]}`, ``},
		{`{directions: [sideways]}`, `directions: "sideways"`},
		{`{directions: [forward, forward]}`, `named twice`},
		{`{policy: papper}`, `policy: "papper" is not known: use one of into, paper, uniform, weights`},
		{`{policy: into, weights: {step_into: 1}}`, `only policy "weights"`},
		{`{policy: weights}`, `needs a weight above 0`},
		{`{policy: weights, weights: {step_into: 1}}`, `no action of direction inverse`},
		{`{policy: weights, weights: {step_in: 1}}`, `"step_in" is no action`},
		{`{policy: weights, weights: {step_into: -1}}`, `step_into: -1`},
		{`{policy: weights, weights: {step_into: .nan}}`, `step_into: NaN`},
		{`{semantics: bdb}`, `semantics: "bdb"`},
		{`{entry: main}`, `entry: "main"`},
		{`{per_trace: -1}`, `per_trace: -1`},
		{`{max_states: -1}`, `max_states: -1`},
		{`{statuses: [fine]}`, `statuses: "fine"`},
	} {
		opts := DefaultOptions()
		if err := yaml.Unmarshal([]byte(c.yaml), &opts); err != nil {
			t.Fatal(err)
		}
		err := opts.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.yaml, err, c.want)
		}
	}
}
