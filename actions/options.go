package actions

import (
	"fmt"
	"slices"

	"github.com/tracemill/tracemill/schema"
)

// Where trajectories start.
const (
	EntryRoot    = "root"     // at the entry's call
	EntryAnyCall = "any_call" // at calls drawn from the whole trace: how a long trace is cut into usable pieces
)

// Options say which trajectories are sampled from a trace. The zero value works; DefaultOptions is what a config
// starts from, as it has the one default that is not a zero value.
type Options struct {
	Directions []schema.Direction `yaml:"directions"`
	Policy     string             `yaml:"policy"`
	Weights    map[string]float64 `yaml:"weights"`    // of policy "weights": per action
	Semantics  string             `yaml:"semantics"`  // of the forward actions: tree or pdb
	Entry      string             `yaml:"entry"`      // root or any_call
	PerTrace   int                `yaml:"per_trace"`  // trajectories per direction; equal ones are written once
	MaxStates  int                `yaml:"max_states"` // a trajectory that gets longer ends in a cut
	Seed       uint64             `yaml:"seed"`
	Tombstones bool               `yaml:"tombstones"` // variables without a value are shown as such
	Statuses   []schema.Status    `yaml:"statuses"`   // of the traces that are used
}

// DefaultOptions is every default.
func DefaultOptions() Options {
	return Options{Tombstones: true}.applyDefaults()
}

func (o Options) applyDefaults() Options {
	if len(o.Directions) == 0 {
		// both, since the inverse ones come from the same trace at no cost
		o.Directions = []schema.Direction{schema.Forward, schema.Inverse}
	}
	if o.Policy == "" {
		o.Policy = "paper" // so that results can be compared with the published ones
	}
	if o.Semantics == "" {
		o.Semantics = SemanticsTree // the paper's, and bdb's wherever no generator runs
	}
	if o.Entry == "" {
		o.Entry = EntryRoot // a trajectory then begins with the input that its text shows
	}
	if o.PerTrace == 0 {
		o.PerTrace = 1 // more of one trace repeats its code; a config asks for that
	}
	if o.MaxStates == 0 {
		o.MaxStates = 256 // a state takes some 30 to 60 tokens: 256 stay within the usual 16k context
	}
	if len(o.Statuses) == 0 {
		// the traces that ran to their end, everything seen
		o.Statuses = []schema.Status{schema.StatusOK, schema.StatusException}
	}
	return o
}

// Validate says what is wrong with the options, naming the key and the way out.
func (o Options) Validate() error {
	o = o.applyDefaults()
	for i, d := range o.Directions {
		if d != schema.Forward && d != schema.Inverse {
			return fmt.Errorf("directions: %q is not known: use forward or inverse", d)
		}
		if slices.Contains(o.Directions[:i], d) {
			return fmt.Errorf("directions: %q is named twice", d)
		}
	}
	if o.Semantics != SemanticsTree && o.Semantics != SemanticsPDB {
		return fmt.Errorf("semantics: %q is not known: use tree or pdb", o.Semantics)
	}
	if o.Entry != EntryRoot && o.Entry != EntryAnyCall {
		return fmt.Errorf("entry: %q is not known: use root or any_call", o.Entry)
	}
	if o.PerTrace < 0 {
		return fmt.Errorf("per_trace: %d is less than 1", o.PerTrace)
	}
	if o.MaxStates < 0 {
		return fmt.Errorf("max_states: %d is less than 1", o.MaxStates)
	}
	for _, s := range o.Statuses {
		if !slices.Contains(schema.Statuses, s) {
			return fmt.Errorf("statuses: %q is not known: use one of %v", s, schema.Statuses)
		}
	}
	p, err := newPolicy(o.Policy, o.Weights)
	if err != nil {
		return err
	}
	for _, d := range o.Directions {
		if len(p.rows(d)) == 0 {
			return fmt.Errorf("weights: no action of direction %s has a weight: give one, or drop the direction", d)
		}
	}
	return nil
}

// Accepts says whether traces of a status are used. Sample makes nothing of the others.
func (o Options) Accepts(s schema.Status) bool {
	return slices.Contains(o.applyDefaults().Statuses, s)
}
