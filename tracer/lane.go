package tracer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// inFlight is how many jobs a server has at most: so many that it has others to go on with while several answers are read and
// several jobs are sent. A trace of the default limit is 8 MiB, and each may have one.
const inFlight = 8

// request is some cases of one function, to be run in one mode. A lane fills results, one per case, in order.
type request struct {
	task    *task
	purpose purpose
	mode    byte
	cases   []schema.Case
	of      []int // per case: its index in the task's job
	results []*result
	debug   []byte // the message of a debugger's session, instead of a job's; it has one case

	number uint64 // the job number of what was sent last
	first  int    // index in cases of its first case
}

// lane keeps one server busy: it sends requests, reads answers, and mends what breaks. Between runs it keeps the server.
type lane struct {
	*environment
	spec      sandbox.Spec
	configure []byte
	conn      *conn
	number    uint64
	failures  int // of the infrastructure, since the last answer
	started   bool
	version   string // of the interpreter, as the server says
}

// failure is why a server can no longer be used.
type failure struct {
	err            error
	status         schema.Status // of the case that did it, if one did
	infrastructure bool          // no case did
	outside        bool          // likewise, as far as can be seen: somebody ended a server that ran
}

// work serves requests in order until in is closed. On an error, or when ctx is done, the server is left as it is, and has to be
// reset before it is used again.
func (l *lane) work(ctx context.Context, in <-chan *request, done chan<- *request) error {
	var pending []*request
	deadline := time.NewTimer(0)
	defer deadline.Stop()
	for {
		source := in
		if len(pending) == l.atOnce() {
			source = nil
		}
		if in == nil && len(pending) == 0 {
			return nil
		}
		var answers <-chan received
		if l.conn != nil {
			answers = l.conn.in
		}
		var expired <-chan time.Time
		if len(pending) > 0 {
			expired = deadline.C
		}
		var broken *failure
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r, ok := <-source:
			if !ok {
				in = nil
				continue
			}
			if err := l.submit(ctx, r); err != nil {
				return err
			}
			if pending = append(pending, r); len(pending) == 1 {
				deadline.Reset(l.patience(len(r.cases)))
			}
			continue
		case got := <-answers:
			if len(pending) == 0 {
				broken = &failure{infrastructure: true, err: fmt.Errorf("the server ended while it had nothing to do: %w", orUnasked(got.err))}
			} else {
				broken = l.accept(pending[0], got)
			}
		case <-expired:
			broken = l.late(len(pending[0].cases))
		}
		var err error
		if pending, err = l.advance(ctx, pending, broken, done); err != nil {
			return err
		}
		if len(pending) == 0 && l.options.Isolation == PerContainer {
			if err := l.reset(); err != nil {
				return err
			}
		}
		if len(pending) > 0 && (broken != nil || len(pending[0].results) == 0) {
			deadline.Reset(l.patience(len(pending[0].cases)))
		}
	}
}

func (l *lane) atOnce() int {
	if l.options.Isolation == PerContainer {
		return 1
	}
	return inFlight
}

var errUnasked = errors.New("it sent what was not asked for")

func orUnasked(err error) error {
	if err == nil {
		return errUnasked
	}
	return err
}

// advance mends the lane if it broke, and hands over the requests that are answered.
func (l *lane) advance(ctx context.Context, pending []*request, broken *failure, done chan<- *request) ([]*request, error) {
	if broken != nil {
		if err := l.mend(ctx, pending, broken); err != nil {
			return nil, err
		}
	}
	for len(pending) > 0 && len(pending[0].results) == len(pending[0].cases) {
		select {
		case done <- pending[0]:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		pending = pending[1:]
	}
	return pending, nil
}

// mend replaces the server, and finishes the first request one case at a time, so that a case that takes the server down is
// found and named. What else was in flight is sent again.
func (l *lane) mend(ctx context.Context, pending []*request, broken *failure) error {
	if err := l.failed(ctx, broken); err != nil {
		return err
	}
	for i, r := range pending {
		if i > 0 {
			if err := l.submit(ctx, r); err != nil {
				return err
			}
			continue
		}
		for len(r.results) < len(r.cases) {
			x, err := l.alone(ctx, r)
			if err != nil {
				return err
			}
			r.results = append(r.results, x)
		}
	}
	return nil
}

// once runs one case, and says how the server broke if it did.
func (l *lane) once(ctx context.Context, f *schema.Function, c schema.Case, mode byte, debug []byte) (*result, *failure, error) {
	r := &request{task: &task{job: Job{Function: f}}, cases: []schema.Case{c}, mode: mode, debug: debug}
	if err := l.submit(ctx, r); err != nil {
		return nil, nil, err
	}
	deadline := time.NewTimer(l.patience(1))
	defer deadline.Stop()
	select {
	case got := <-l.conn.in:
		if broken := l.accept(r, got); broken != nil {
			return nil, broken, nil
		}
		return r.results[0], nil, nil
	case <-deadline.C:
		return nil, l.late(1), nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// submit sends the cases of a request that have no result yet.
func (l *lane) submit(ctx context.Context, r *request) error {
	if err := l.ensure(ctx); err != nil {
		return err
	}
	l.number++
	r.number, r.first = l.number, len(r.results)
	if r.debug != nil {
		l.conn.out <- debugFrame(l.number, r.debug)
	} else {
		l.conn.out <- jobFrame(l.number, r.mode, r.task.job.Function, r.cases[r.first:], l.options.Wrapper)
	}
	return nil
}

// accept takes an answer to the first request in flight.
func (l *lane) accept(r *request, got received) *failure {
	var exit *sandbox.ExitError
	switch {
	case errors.As(got.err, &exit):
		status := schema.StatusCrashed
		if exit.OOM {
			status = schema.StatusMemoryLimit
		}
		return &failure{err: got.err, status: status, infrastructure: exit.FromOutside(), outside: exit.FromOutside()}
	case got.err != nil:
		return &failure{err: got.err, infrastructure: true}
	}
	x, err := decodeResult(got.frame)
	if err == nil && (x.job != r.number || int(x.index) != len(r.results)-r.first) {
		err = fmt.Errorf("result: of job %d, case %d, where job %d, case %d was due", x.job, x.index, r.number, len(r.results)-r.first)
	}
	if err != nil {
		return &failure{err: err, status: schema.StatusCrashed}
	}
	l.failures = 0
	r.results = append(r.results, x)
	return nil
}

func (l *lane) patience(cases int) time.Duration {
	return time.Duration(cases)*l.options.Limits.Wall + l.grace
}

func (l *lane) late(cases int) *failure {
	return &failure{err: fmt.Errorf("no answer within %v", l.patience(cases)), status: schema.StatusTimeout}
}
