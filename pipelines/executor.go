package pipelines

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema/grammar"
	"github.com/tracemill/tracemill/shard"
	"github.com/tracemill/tracemill/tracer"
)

// executor works on the parts of a plan on this machine. It decides only where a part is worked on: what comes out
// does not depend on it.
type executor struct {
	config   *Config
	sources  *sourceSet
	given    *givenInputs
	runtime  sandbox.Runtime
	build    *shard.Build
	plan     shard.Plan
	progress Progress
	first    *worker // one that has been started, or nil
	survey   *survey // nil where none was asked for

	mu     sync.Mutex
	report *Report
	inARow int // parts that failed since one was done
}

// task is a part and its items.
type task struct {
	part  shard.PartPlan
	items []harvest.Item
}

// run works on every part that is not committed. A part that fails is in the report; an error ends the run.
func (e *executor) run(ctx context.Context) error {
	var todo []shard.PartPlan
	for _, part := range e.plan.Parts {
		if _, done := e.build.Committed(part.ID); !done {
			todo = append(todo, part)
		}
	}
	e.report.PartsResumed = len(e.plan.Parts) - len(todo)
	e.progress.Start(len(e.plan.Parts), e.report.PartsResumed)
	tasks := make(chan task)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(tasks)
		return e.sources.read(ctx, todo, tasks)
	})
	for i := range min(e.config.Run.Workers, len(todo)) {
		g.Go(func() error { return e.work(ctx, i, tasks) })
	}
	return g.Wait()
}

// read gives each part its items. One goroutine reads all of them, front to back: compressed sources cannot be entered
// in the middle.
func (s *sourceSet) read(ctx context.Context, todo []shard.PartPlan, tasks chan<- task) error {
	for _, part := range todo {
		items, err := s.items(ctx, part)
		if err != nil {
			return err
		}
		select {
		case tasks <- task{part: part, items: items}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// work is one worker: it owns a harvester and a tracer, and their sandboxes, for as long as there are tasks.
func (e *executor) work(ctx context.Context, n int, tasks <-chan task) (err error) {
	w := e.first
	if n > 0 || w == nil {
		if w, err = newWorker(ctx, e.config, e.runtime, e.given, n); err != nil {
			return err
		}
	}
	w.survey = e.survey
	defer func() {
		// A sandbox that cannot be removed says nothing of the parts. The runtime tries again at its end, and so does the next run.
		if err := w.close(); err != nil && ctx.Err() == nil {
			e.progress.Log(fmt.Sprintf("a sandbox is left for now: %v", err))
		}
	}()
	for t := range tasks {
		sums, err := e.attempt(ctx, w, t)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case fatal(err):
			return err
		case err != nil:
			if err := e.failed(t.part, err); err != nil {
				return err
			}
		default:
			e.succeeded(t.part, sums)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range []*tracer.Tracer{w.tracer, w.trials} {
		if t != nil {
			stats := t.Stats()
			e.report.Executions += stats.Executions
			e.report.Retries += stats.Retries
		}
	}
	return nil
}

// attempt works on one part and commits it, or leaves nothing of it.
func (e *executor) attempt(ctx context.Context, w *worker, t task) (Counters, error) {
	out, err := e.build.Begin(t.part.ID)
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	sums, err := w.part(ctx, t, &rows{part: out, build: e.build, copies: e.config.Harvest.Duplicates})
	if err != nil {
		return nil, err
	}
	sums.fact(sandboxFact, e.report.Runtime, 1)
	_, err = out.Commit(sums)
	return sums, err
}

// failuresInARow is how many parts may fail one after the other before the run ends: what they met is not theirs alone.
const failuresInARow = 3

// failed notes that a part is not done. It is an error when that says something of all parts.
func (e *executor) failed(part shard.PartPlan, err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.report.PartsFailed = append(e.report.PartsFailed, fmt.Sprintf("%s: %v", part.ID, err))
	e.progress.Log(fmt.Sprintf("%s failed: %v", part.ID, err))
	if e.inARow++; e.inARow >= failuresInARow {
		return fmt.Errorf("%d parts failed in a row, so the run ends here; what is done is kept. The last: %s: %w", e.inARow, part.ID, err)
	}
	return nil
}

func (e *executor) succeeded(part shard.PartPlan, sums Counters) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inARow = 0
	e.progress.Part(part.ID, sums)
}

// fatal says whether an error would meet every other part too: then the run ends with it at once.
func fatal(err error) bool {
	for _, everywhere := range []error{sandbox.ErrUnavailable, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS} {
		if errors.Is(err, everywhere) {
			return true
		}
	}
	return false
}

func newWorker(ctx context.Context, c *Config, rt sandbox.Runtime, given *givenInputs, n int) (*worker, error) {
	w := &worker{config: c, given: given}
	for _, name := range c.Trajectories.Formats {
		format, err := grammar.Lookup(name)
		if err != nil {
			return nil, err
		}
		w.formats = append(w.formats, format)
	}
	var err error
	if w.harvester, err = harvest.New(ctx, rt, fmt.Sprintf("harvest-%d", n), c.Harvest); err != nil {
		return nil, err
	}
	if w.tracer, err = tracer.New(ctx, rt, fmt.Sprintf("tracer-%d", n), c.Trace); err != nil {
		return nil, errors.Join(err, w.harvester.Close())
	}
	if c.Cases.Grow != GrowNone || c.Harvest.SliceCheck && c.Harvest.Slice == harvest.SliceMinimal {
		if w.trials, err = tracer.New(ctx, rt, fmt.Sprintf("trials-%d", n), tried(c.Trace)); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	return w, nil
}

func (w *worker) close() error {
	err := errors.Join(w.harvester.Close(), w.tracer.Close())
	if w.trials != nil {
		err = errors.Join(err, w.trials.Close())
	}
	return err
}
