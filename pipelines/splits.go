package pipelines

import (
	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
)

// splitKey is what decides a function's split: its repository. Where copies of functions are kept, one that has some goes with them
// wherever they are from, and where exact ones are not even looked for, every function is on its own: a copy of it has its id.
func splitKey(f *schema.Function, exact, near harvest.Treatment) string {
	switch {
	case exact == harvest.TreatKeep:
		return "function:" + f.ID
	case f.Cluster != "" && (exact == harvest.TreatMark || near == harvest.TreatMark):
		return "cluster:" + f.Cluster
	}
	return shard.SplitKey(f)
}
