package pipelines

import (
	"fmt"
	"slices"
	"strings"
)

// Counters are sums over parts: stage.in, stage.out, stage.dropped.REASON, and facts such as status.ok. They are
// the same for every run of the same plan, but for sandbox.RUNTIME, the parts that a runtime has done.
type Counters map[string]int64

// Add adds another's sums.
func (c Counters) Add(other Counters) {
	for k, n := range other {
		c[k] += n
	}
}

// Stage accounts for what entered one step of the flow: In = Out + the sum of Dropped.
type Stage struct {
	Name    string           `json:"name"`
	In      int64            `json:"in"`
	Out     int64            `json:"out"`
	Dropped map[string]int64 `json:"dropped,omitempty"` // by reason

	Examples map[string]Drop `json:"examples,omitempty"` // likewise, the first of each; in reports only
}

// stageNames are the steps of the flow, in its order.
var stageNames = []string{"items", "functions", "cases", "traces", "trajectories"}

// count is how a stage's sums are written: entered says how many came, dropped why one went no further.
func (c Counters) enter(stage string, n int)      { c[stage+".in"] += int64(n) }
func (c Counters) leave(stage string, n int)      { c[stage+".out"] += int64(n) }
func (c Counters) drop(stage, reason string)      { c[stage+".dropped."+reason]++ }
func (c Counters) fact(kind, value string, n int) { c[kind+"."+value] += int64(n) }

// Stages reads the sums back, in the order of the flow.
func (c Counters) Stages() []Stage {
	stages := make([]Stage, len(stageNames))
	for i, name := range stageNames {
		stages[i] = Stage{Name: name, In: c[name+".in"], Out: c[name+".out"], Dropped: c.Group(name + ".dropped")}
	}
	return stages
}

// Group is the counters whose names begin with prefix and a dot, without them.
func (c Counters) Group(prefix string) map[string]int64 {
	group := map[string]int64{}
	for k, n := range c {
		if rest, ok := strings.CutPrefix(k, prefix+"."); ok {
			group[rest] = n
		}
	}
	return group
}

// Check says which stage lost something without saying why.
func (c Counters) Check() error {
	for _, s := range c.Stages() {
		out := s.Out
		for _, n := range s.Dropped {
			out += n
		}
		if out != s.In {
			return fmt.Errorf("the report does not add up: %d %s came in, %d are accounted for", s.In, s.Name, out)
		}
	}
	return nil
}

// sortedKeys is for whatever is shown or hashed: maps have no order.
func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
