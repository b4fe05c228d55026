package pipelines

import (
	"errors"
	"fmt"
	"time"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/llm"
	"github.com/tracemill/tracemill/tracer"
)

// CasesConfig says which functions are given cases that their source does not have, and how.
type CasesConfig struct {
	Grow        GrowMode         `yaml:"grow" json:"grow" jsonschema:"enum=none,enum=missing,enum=all,description=Functions that are given cases: none; those that the source has none for; or all"`
	Generators  GeneratorsConfig `yaml:"generators" json:"generators"`
	PerFunction int              `yaml:"per_function" json:"per_function" jsonschema:"description=Cases of a function that are kept"`
	Budget      int              `yaml:"budget" json:"budget" jsonschema:"description=Calls of a function that are tried"`
	Rounds      int              `yaml:"rounds" json:"rounds" jsonschema:"description=Times that mutants of what was found are tried"`
	Given       string           `yaml:"given" json:"given" jsonschema:"description=JSONL file of inputs: rows of function (id or qualified name) and either call or input"`
	LLM         llm.Options      `yaml:"llm" json:"llm"`
	Exceptions  float64          `yaml:"exceptions" json:"exceptions" jsonschema:"description=Share of generated cases that may end in an exception"`
}

// GrowMode says which functions are given cases.
type GrowMode string

const (
	GrowNone    GrowMode = "none"
	GrowMissing GrowMode = "missing" // those that the source has no case for
	GrowAll     GrowMode = "all"
)

// GeneratorsConfig weighs generators against each other where there is room for more cases than coverage asks for. One of weight 0 is off.
type GeneratorsConfig struct {
	Found   float64 `yaml:"found" json:"found" jsonschema:"description=Weight of calls in the module and of default arguments"`
	Typed   float64 `yaml:"typed" json:"typed" jsonschema:"description=Weight of calls made from annotations and uses"`
	Mutated float64 `yaml:"mutated" json:"mutated" jsonschema:"description=Weight of mutants that reach something new"`
	Given   float64 `yaml:"given" json:"given" jsonschema:"description=Weight of inputs from a file or an endpoint"`
}

func defaultCases() CasesConfig {
	return CasesConfig{
		Grow: GrowNone, Generators: GeneratorsConfig{Found: 1, Typed: 1, Mutated: 1, Given: 1},
		// Ten inputs show a function's paths; more of them teach a model the function by heart.
		PerFunction: 10,
		// Most of what can be reached is reached by a few dozen calls, and a call is tried in a millisecond.
		Budget: 80, Rounds: 4,
		Exceptions: 0.1,
		LLM:        llm.Options{}.WithDefaults(),
	}
}

// weight is that of a case's generator.
func (g GeneratorsConfig) weight(generator string) float64 {
	switch generator {
	case "typed":
		return g.Typed
	case "mutated":
		return g.Mutated
	case "given":
		return g.Given
	}
	return g.Found
}

func (c *CasesConfig) validate() error {
	switch c.Grow {
	case GrowNone, GrowMissing, GrowAll:
	default:
		return fmt.Errorf("grow: %q is none of %q, %q and %q", c.Grow, GrowNone, GrowMissing, GrowAll)
	}
	g := c.Generators
	for _, weight := range []float64{g.Found, g.Typed, g.Mutated, g.Given} {
		if !(weight >= 0 && weight <= 1e6) { // NaN too
			return fmt.Errorf("generators: %g is not a weight: want 0 (off) to 1000000", weight)
		}
	}
	if err := c.LLM.Validate(); err != nil {
		return fmt.Errorf("llm.%w", err)
	}
	switch {
	case c.Grow != GrowNone && g.Found+g.Typed+g.Given == 0:
		return errors.New("generators: mutants are made of other cases: turn on one of found, typed and given")
	case c.PerFunction < 1 || c.PerFunction > 10_000:
		return fmt.Errorf("per_function: %d is not in the range 1 to 10000", c.PerFunction)
	case c.Budget < 1 || c.Budget > 100_000:
		return fmt.Errorf("budget: %d is not in the range 1 to 100000", c.Budget)
	case c.Rounds < 0 || c.Rounds > 1000:
		return fmt.Errorf("rounds: %d is not in the range 0 to 1000", c.Rounds)
	case !(c.Exceptions >= 0 && c.Exceptions <= 1):
		return fmt.Errorf("exceptions: %g is not a share: want 0 to 1", c.Exceptions)
	}
	return nil
}

// validateFor says whether a source can do with its own cases.
func (c *CasesConfig) validateFor(s harvest.SourceConfig) error {
	if s.Caseless() && c.Grow == GrowNone {
		return errors.New("columns.input: it is empty; name the column that holds the argument list, or have inputs made: cases.grow=missing")
	}
	return nil
}

const (
	triedEvents = 3000            // of a call that is tried: one that does more makes a poor example
	triedCPU    = time.Second     // likewise
	triedWall   = 5 * time.Second // so that a busy machine does not turn work into timeouts
)

// tried is the options by which calls are tried: cheaply, as what is kept is traced again, with all guards.
func tried(o tracer.Options) tracer.Options {
	o, _ = o.WithDefaults()
	o.Determinism, o.Differential = tracer.DeterminismOff, false
	o.Isolation = tracer.PerFunction
	o.Limits.Events = min(o.Limits.Events, triedEvents)
	o.Limits.CPU, o.Limits.Wall = min(o.Limits.CPU, triedCPU), min(o.Limits.Wall, triedWall)
	return o
}
