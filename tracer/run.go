package tracer

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/schema"
)

// purpose says what a request's results are for.
type purpose uint8

const (
	purposeTrace        purpose = iota // they become the traces
	purposeRetrace                     // they replace results that the machine may have had a hand in
	purposeDifferential                // they are compared with the traces
	purposeDeterminism                 // likewise
)

// task is a job that is being worked on.
type task struct {
	index   int
	job     Job
	open    int  // requests that are not answered yet
	alone   bool // its cases do not share a process
	results []*result
	found   []finding
	plain   []*result // differential guard; nil where it does not apply
	again   []*result // determinism guard; likewise
	judged  []verdict // once every request is answered
}

// Run executes the cases of all jobs and calls each with the traces of one job after the other, in the order of jobs. Nothing of
// a job is kept after its call. Run ends when each returns an error, when ctx is done, or with an *InfrastructureError.
func (t *Tracer) Run(ctx context.Context, jobs []Job, each func(job int, traces []*schema.Trace) error) error {
	group, inner := errgroup.WithContext(ctx)
	r := &run{Tracer: t, jobs: jobs, window: inFlight}
	guarded := t.options.Determinism != DeterminismOff
	if guarded || t.options.Differential {
		r.window *= 2 // a guard's run waits for its trace; meanwhile the next jobs are traced
	}
	// No more requests than these buffers hold are ever in flight, so that nobody waits for the coordinator.
	r.main, r.check = make(chan *request, 2*r.window), make(chan *request, 2*r.window)
	r.done = make(chan *request, 4*r.window)
	group.Go(func() error { return t.main.work(inner, r.main, r.done) })
	if guarded {
		group.Go(func() error { return t.check.work(inner, r.check, r.done) })
	}
	group.Go(func() error {
		defer close(r.main)
		defer close(r.check)
		return r.coordinate(inner, each)
	})
	err := group.Wait()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	// What the servers are in the middle of is nobody's any more. That closing them may fail says nothing new.
	_ = t.Close()
	return err
}

// run is one call of Run.
type run struct {
	*Tracer
	jobs   []Job
	next   int     // job to begin
	tasks  []*task // begun and not handed over, in order
	window int     // how many of them there may be
	main   chan *request
	check  chan *request
	done   chan *request
}

func (r *run) coordinate(ctx context.Context, each func(int, []*schema.Trace) error) error {
	for {
		r.fill()
		for len(r.tasks) > 0 && r.tasks[0].open == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if r.depends(r.tasks[0]) {
				r.separate(r.tasks[0])
				continue
			}
			k := r.tasks[0]
			r.tasks = r.tasks[1:]
			r.fill()
			if err := each(k.index, r.traces(k)); err != nil {
				return err
			}
		}
		if len(r.tasks) == 0 && r.next == len(r.jobs) {
			return nil
		}
		if r.low() {
			continue
		}
		select {
		case q := <-r.done:
			r.answered(q)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// low says whether there are jobs to begin, and room for several: they are sent together, as each time that this process
// wakes for one costs more than the sending.
func (r *run) low() bool { return len(r.tasks) <= r.window/2 && r.next < len(r.jobs) }

func (r *run) fill() {
	if !r.low() {
		return
	}
	for len(r.tasks) < r.window && r.next < len(r.jobs) {
		r.begin()
	}
}

func (r *run) begin() {
	cases := len(r.jobs[r.next].Cases)
	k := &task{index: r.next, job: r.jobs[r.next], results: make([]*result, cases), alone: cases == 1 || r.options.Isolation != PerFunction}
	r.next++
	r.tasks = append(r.tasks, k)
	r.ask(k, purposeTrace, func(int) bool { return true })
}

// depends says whether a guard found that a case's outcome depends on what shared its process: a run in another order, or an
// untraced one, differs.
func (r *run) depends(k *task) bool {
	if k.alone {
		return false
	}
	for i := range k.results {
		if r.verdicts(k)[i].f.status != k.found[i].status {
			return true
		}
	}
	return false
}

// separate runs a task anew, each case in a process of its own.
func (r *run) separate(k *task) {
	k.alone, k.plain, k.again, k.judged = true, nil, nil, nil
	r.stats.separated.Add(1)
	r.ask(k, purposeTrace, func(int) bool { return true })
}

// ask requests a run of the cases that want it. It does nothing when none does.
func (r *run) ask(k *task, p purpose, want func(i int) bool) {
	q := &request{task: k, purpose: p, mode: modeTraced}
	if r.options.Differential {
		q.mode |= modeArguments
	}
	for i := range k.job.Cases {
		if want(i) {
			q.cases = append(q.cases, k.job.Cases[i])
			q.of = append(q.of, i)
		}
	}
	if len(q.cases) == 0 {
		return
	}
	if !k.alone && p != purposeRetrace {
		q.mode |= modeTogether
	}
	k.open++
	lane := r.main
	switch p {
	case purposeDifferential:
		q.mode |= modeUntraced
	case purposeDeterminism:
		lane = r.check
		// The case that came first, in a process that was as new, comes last, and the other way round.
		slices.Reverse(q.cases)
		slices.Reverse(q.of)
	}
	lane <- q
}

func (r *run) answered(q *request) {
	k := q.task
	k.open--
	switch q.purpose {
	case purposeTrace, purposeRetrace:
		r.traced(q)
	case purposeDifferential:
		r.stats.guards.Add(int64(len(q.of)))
		k.plain = spread(q, len(k.results))
	case purposeDeterminism:
		r.stats.guards.Add(int64(len(q.of)))
		k.again = spread(q, len(k.results))
	}
}

// spread puts a request's results where their cases are in the job.
func spread(q *request, n int) []*result {
	results := make([]*result, n)
	for j, i := range q.of {
		results[i] = q.results[j]
	}
	return results
}

// traced takes the results of a traced run, and asks for what they call for: another run where something outside may have
// killed the process, and then the guards' runs of what is usable.
func (r *run) traced(q *request) {
	k := q.task
	for j, i := range q.of {
		k.results[i] = q.results[j]
	}
	if q.purpose == purposeTrace {
		r.ask(k, purposeRetrace, func(i int) bool {
			return k.results[i].fromOutside() || !k.alone && r.mayBeOthers(k.results[i])
		})
		if k.open > 0 {
			r.stats.retries.Add(1)
			return
		}
	}
	k.found = make([]finding, len(k.results))
	for i, x := range k.results {
		k.found[i] = judge(x, &r.options, true)
	}
	usable := func(i int) bool { return k.found[i].status.Usable() }
	if r.options.Differential {
		r.ask(k, purposeDifferential, usable)
	}
	if r.options.Determinism != DeterminismOff {
		r.ask(k, purposeDeterminism, usable)
	}
}

// mayBeOthers says whether the cases that shared a process with one that did not end well may have a part in that.
func (r *run) mayBeOthers(x *result) bool {
	if x.end == endSandbox {
		return false // it was alone in its server
	}
	switch judge(x, &r.options, true).status {
	case schema.StatusOK, schema.StatusException, schema.StatusEventLimit, schema.StatusByteLimit, schema.StatusOutputLimit, schema.StatusExited,
		schema.StatusTimeout:
		return false
	}
	return true
}

// verdict is what the guards make of a case.
type verdict struct {
	f             finding
	deterministic string
}

// verdicts is what the guards make of a finished task's cases. It is found once: each decodes the guards' runs.
func (r *run) verdicts(k *task) []verdict {
	if k.judged == nil {
		k.judged = make([]verdict, len(k.results))
		for i := range k.judged {
			k.judged[i] = r.verdict(k, i)
		}
	}
	return k.judged
}

func (r *run) verdict(k *task, i int) verdict {
	v := verdict{f: k.found[i], deterministic: "unchecked"}
	// A program that differs by itself differs from its untraced run too: what it is comes before what that shows.
	if v.f.status.Usable() && k.again != nil {
		v.deterministic = v.f.repeat(k.results[i], k.again[i], judge(k.again[i], &r.options, true), r.options.Determinism)
	}
	if v.f.status.Usable() && k.plain != nil {
		v.f.differ(k.results[i], k.plain[i], judge(k.plain[i], &r.options, false))
	}
	return v
}

// traces makes a finished job's rows.
func (r *run) traces(k *task) []*schema.Trace {
	traces := make([]*schema.Trace, len(k.results))
	for i, x := range k.results {
		v := &r.verdicts(k)[i]
		traces[i] = r.trace(&k.job, i, x, &v.f, v.deterministic)
		r.stats.executions.Add(1)
		r.stats.events.Add(int64(len(traces[i].Events)))
		r.stats.bytes.Add(int64(len(x.trace)))
	}
	return traces
}
