package pipelines

import (
	"context"
	"fmt"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/schema/grammar"
	"github.com/tracemill/tracemill/tracer"
)

// worker is what one part needs to be worked on; it belongs to one goroutine.
type worker struct {
	config    *Config
	formats   []grammar.Format
	harvester *harvest.Harvester
	tracer    *tracer.Tracer
	given     *givenInputs
	survey    *survey        // nil where none was asked for
	trials    *tracer.Tracer // of calls that may become cases, and of slices; nil where there is nothing to try
}

// part is the whole flow: items in, rows of the three tables out, and every item, function, case, trace and
// trajectory on the way accounted for.
//
//	items -> harvest -> functions, cases (-> what the survey keeps) (-> grow -> more cases) (-> slices that hold) -> tracer -> traces -> actions -> trajectories -> grammar -> rows
//
// Errors are infrastructure's: a bad sample is data, and never one.
func (w *worker) part(ctx context.Context, t task, out *rows) (Counters, error) {
	sums := Counters{}
	harvested, err := w.harvester.Harvest(ctx, t.items)
	if err != nil {
		return nil, fmt.Errorf("harvest: %w", err)
	}
	if err := w.survey.settle(sums, t.part.ID, harvested); err != nil {
		return nil, err
	}
	if err := w.grow(ctx, sums, harvested); err != nil {
		return nil, fmt.Errorf("make cases: %w", err)
	}
	if err := w.checkSlices(ctx, sums, harvested.Units); err != nil {
		return nil, fmt.Errorf("check slices: %w", err)
	}
	countHarvest(sums, len(t.items), harvested)
	if err := out.harvestDrops(harvested.Drops); err != nil {
		return nil, err
	}

	jobs := make([]tracer.Job, len(harvested.Units))
	for i := range harvested.Units {
		jobs[i] = tracer.Job{Function: &harvested.Units[i].Function, Cases: harvested.Units[i].Cases}
	}
	err = w.tracer.Run(ctx, jobs, func(i int, traces []*schema.Trace) error {
		function := jobs[i].Function
		if err := out.function(function); err != nil {
			return err
		}
		for k, trace := range traces {
			if err := w.compareOutput(ctx, trace, &jobs[i].Cases[k]); err != nil {
				return err
			}
			if !w.hide(sums, trace) {
				if err := out.traceDrop(string(harvest.Secret), trace, function); err != nil {
					return err
				}
				continue
			}
			if err := out.trace(trace, function); err != nil {
				return err
			}
			if err := w.sample(sums, trace, function, out); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return sums, sums.Check()
}

// sample makes the trajectories of one trace and writes them in every format. Formats that carry the same directions
// and actions get the same walks.
func (w *worker) sample(sums Counters, trace *schema.Trace, function *schema.Function, out *rows) error {
	countTrace(sums, trace)
	if !w.config.Trajectories.Accepts(trace.Status) {
		sums.drop("traces", string(trace.Status))
		return out.traceDrop(string(trace.Status), trace, function)
	}
	tree, err := actions.New(trace, function)
	if err != nil {
		return fmt.Errorf("trace %s: %w", trace.ID, err)
	}
	sums.leave("traces", 1)
	for _, format := range w.formats {
		walks, err := w.walks(tree, format)
		if err != nil {
			return fmt.Errorf("trace %s: %w", trace.ID, err)
		}
		for _, walk := range walks {
			sums.enter("trajectories", 1)
			row, reason := w.render(walk, format, trace, function)
			if reason != "" {
				sums.drop("trajectories", reason)
				if err := out.trajectoryDrop(reason, format.Name(), walk.Direction, function); err != nil {
					return err
				}
				continue
			}
			if err := out.trajectory(row, trace, function); err != nil {
				return err
			}
			countTrajectory(sums, row)
		}
	}
	return nil
}
