package pipelines

import (
	"container/heap"
	"context"
	"fmt"

	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
)

// sample is the trajectories with the smallest hashes of seed and id, the same whatever their order, or all of them. Its memory
// does not grow with the build.
type sample struct {
	size   int
	seed   uint64
	total  int    // of those offered
	chosen ranked // none, where all are
}

type rankedID struct {
	rank uint64
	id   string
}

// ranked is a heap with the largest rank on top.
type ranked []rankedID

func (r ranked) Len() int           { return len(r) }
func (r ranked) Less(i, j int) bool { return r[i].rank > r[j].rank }
func (r ranked) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ranked) Push(x any)        { *r = append(*r, x.(rankedID)) }
func (r *ranked) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

func (s *sample) offer(id string) {
	s.total++
	if s.size < 0 {
		return
	}
	heap.Push(&s.chosen, rankedID{schema.Seed(s.seed, id, "verify"), id})
	if len(s.chosen) > s.size {
		heap.Pop(&s.chosen)
	}
}

// count is how many trajectories are chosen.
func (s *sample) count() int {
	switch s.size {
	case SampleAll:
		return s.total
	case SampleNone:
		return 0
	}
	return len(s.chosen)
}

// logEvery is some ten seconds of replays.
const logEvery = 1000

// replaySample goes through the trajectories again, in their order, and proves those that were chosen.
func (v *verification) replaySample(ctx context.Context, prover *prover) error {
	r := replays{prover: prover}
	if v.sampled.size != SampleAll {
		r.chosen = make(map[string]bool, len(v.sampled.chosen))
	}
	for _, c := range v.sampled.chosen {
		r.chosen[c.id] = true
	}
	for _, split := range v.dataset.Manifest().Splits {
		if err := v.replaySplit(ctx, &r, split.Name); err != nil {
			return err
		}
	}
	return prover.flush(ctx)
}

// replays is how far the replaying of the sample is.
type replays struct {
	prover *prover
	chosen map[string]bool // ids of trajectories; nil: all
	trace  string          // id of the last one; the rows of a trace are adjacent
	done   int
}

func (v *verification) replaySplit(ctx context.Context, r *replays, split string) error {
	rows := newLookup(v.dataset, split)
	defer rows.close()
	for row, err := range shard.Rows[schema.TrajectoryRow](v.dataset, split) {
		if err != nil {
			return nil // reported with its file
		}
		if r.chosen != nil && !r.chosen[row.ID] {
			continue
		}
		if err := v.replayRow(ctx, r, row, rows); err != nil {
			return err
		}
		if r.done++; r.done%logEvery == 0 {
			v.progress.Log(fmt.Sprintf("%d of %d trajectories", r.done, v.sampled.count()))
		}
	}
	return nil
}

func (v *verification) replayRow(ctx context.Context, sofar *replays, row *schema.TrajectoryRow, rows *lookup) error {
	r, prover := v.report.Replay, sofar.prover
	t, err := schema.RowToTrajectory(row)
	s := rows.subject(row.TraceID)
	if err != nil || s == nil {
		r.skip("damaged_row")
		return nil
	}
	if why := unreplayable(s.trace); why != "" {
		r.skip(why)
		return nil
	}
	if sofar.trace != s.trace.ID {
		sofar.trace = s.trace.ID
		r.Traces++
		if err := prover.sequences(ctx, s, v.options.Sequences, v.sampled.seed); err != nil {
			return err
		}
	}
	if t.Direction == schema.Inverse {
		v.did("inverse walks", row.ID, s.inverseFault(t))
		r.InverseDone++
		return nil
	}
	walk, fault := followRow(t, s, v.sampling.Tombstones)
	if fault != "" {
		r.skip("no_walk") // a fault of the transitions, and reported as one
		return nil
	}
	// The stops that the row promises, which is not what the tree would say if the row is wrong.
	if walk.Events, fault = promised(t, s); fault != "" {
		r.skip("no_walk")
		return nil
	}
	return prover.walk(ctx, s, fmt.Sprintf("trajectory %s", row.ID), walk)
}

// promised is a row's own event_index, without the exit.
func promised(t *schema.Trajectory, s *subject) ([]int32, string) {
	if t.States > len(t.EventIndex) {
		return nil, "event_index: shorter than n_states"
	}
	events := t.EventIndex[:t.States]
	for _, i := range events {
		if i < 0 || int(i) >= len(s.trace.Events) {
			return nil, fmt.Sprintf("event_index: there is no event %d", i)
		}
	}
	return events, ""
}

// unreplayable is why a debugger cannot repeat a trace: what it did depends on more than the program.
func unreplayable(trace *schema.Trace) string {
	switch trace.Status {
	case schema.StatusPerturbed, schema.StatusNondeterministic, schema.StatusTracerLost, schema.StatusTimeout, schema.StatusMemoryLimit:
		return "status_" + string(trace.Status)
	}
	return ""
}
