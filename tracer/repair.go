package tracer

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// InfrastructureError says that executions could not be made, whatever the programs are. It comes after the retries.
type InfrastructureError struct {
	Name string // of the tracer
	Err  error
}

func (e *InfrastructureError) Error() string {
	return fmt.Sprintf("tracer %s: %v", e.Name, e.Err)
}

func (e *InfrastructureError) Unwrap() error { return e.Err }

// maxFailures bounds how often in a row the infrastructure may fail, with the delays for some fifteen seconds. For an engine that is
// away the runtime waits by itself.
const maxFailures = 6

// firstFailures bounds them before the first server has ever started, which is more often for good.
const firstFailures = 3

const (
	// maxStrikes is how many servers in a row a case has to take down, alone, before that is its outcome: one may be chance.
	maxStrikes = 2
	// maxKills is the same where something outside ended the server. Nothing that runs inside can do that, so it takes more than an
	// engine that is restarted again and again; but a case that the machine cannot bear must not end every build.
	maxKills = 5
)

// alone runs a request's next case with nothing else in flight. A case after which a server is gone is struck, if another server
// then runs a program that does nothing. What a machine does that runs nothing is not the case's.
func (l *lane) alone(ctx context.Context, r *request) (*result, error) {
	for strikes, kills := 0, 0; ; {
		x, broken, err := l.once(ctx, r.task.job.Function, r.cases[len(r.results)], r.mode, r.debug)
		if err != nil || broken == nil {
			return x, err
		}
		if err := l.failed(ctx, broken); err != nil {
			return nil, err
		}
		if broken.infrastructure && !broken.outside {
			continue
		}
		lives, err := l.lives(ctx, r.mode)
		switch {
		case err != nil:
			return nil, err
		case !lives:
			continue
		case broken.outside:
			kills++
		default:
			strikes++
		}
		if strikes == maxStrikes || kills == maxKills {
			return &result{end: endSandbox, status: broken.status, detail: broken.err.Error()}, nil
		}
	}
}

// lives says whether a server runs a program that does nothing.
func (l *lane) lives(ctx context.Context, mode byte) (bool, error) {
	_, broken, err := l.once(ctx, &schema.Function{Program: "def f():\n    pass\n", Entry: "f"}, schema.Case{Call: "f()"}, mode, nil)
	if err != nil || broken == nil {
		return err == nil, err
	}
	broken.infrastructure = true
	return false, l.failed(ctx, broken)
}

// failed removes a server that broke. It returns an error when the infrastructure failed too often.
func (l *lane) failed(ctx context.Context, broken *failure) error {
	if ctx.Err() != nil {
		return ctx.Err() // our own shutdown takes sandboxes down too
	}
	l.stats.restarts.Add(1)
	if err := l.reset(); err != nil && !broken.infrastructure {
		broken = &failure{err: err, infrastructure: true}
	}
	if !broken.infrastructure {
		return nil
	}
	return l.later(ctx, broken.err)
}

// later counts a failure of the infrastructure and waits.
func (l *lane) later(ctx context.Context, err error) error {
	limit := maxFailures
	if !l.started {
		limit = firstFailures
	}
	if l.failures++; l.failures >= limit {
		return &InfrastructureError{Name: l.spec.Name, Err: fmt.Errorf("gave up after %d failures in a row, which `tracemill doctor` may explain: %w", l.failures, err)}
	}
	l.stats.retries.Add(1)
	return sandbox.Pause(ctx, l.backoff(l.failures))
}

// ensure starts the server if there is none.
func (l *lane) ensure(ctx context.Context) error {
	for l.conn == nil {
		conn, err := dial(ctx, l.runtime, l.spec, l.configure)
		if err == nil {
			err = l.admit(conn)
		}
		switch {
		case err == nil:
			l.conn, l.started, l.version = conn, true, conn.hello.Version
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, sandbox.ErrUnavailable):
			// The runtime has waited for itself: more of it would only hide the message that says what to do.
			return &InfrastructureError{Name: l.spec.Name, Err: err}
		default:
			if err := l.later(ctx, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// admit refuses a server of another interpreter than the one that traces are ascribed to.
func (l *lane) admit(c *conn) error {
	want := l.runtime.Image().Version
	if want == "" || c.hello.Version == want {
		return nil
	}
	err := fmt.Errorf("the image says Python %s, its interpreter says %q", want, c.hello.Version)
	return errors.Join(err, c.close())
}

// reset closes the server, if there is one.
func (l *lane) reset() error {
	if l.conn == nil {
		return nil
	}
	err := l.conn.close()
	l.conn = nil
	if err != nil {
		return fmt.Errorf("close sandbox %s: %w", l.spec.Name, err)
	}
	return nil
}
