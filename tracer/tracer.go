// Package tracer runs cases in a sandbox and records what they do.
//
// Jobs go in, each a function and some calls of it, and traces come out, one per case, in the order of the jobs. An
// execution that fails is a trace with a status that says how; an error means that executions could not be made.
//
// A Tracer is one worker. It owns up to two sandboxed servers (shim/server.py): one that traces, and, when
// determinism is checked, one where everything that must not matter is different. It starts them when they are needed,
// replaces them when they break, and owns the goroutines that feed them; both end with Close. When a context is cancelled,
// Run returns its error, and what was in flight is dropped: it is never taken for an outcome of a program.
//
// Nothing that a server says is trusted further than docs/wire.md: the programs that run in it are hostile.
package tracer

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// Job is a function and the cases of it to run.
type Job struct {
	Function *schema.Function
	Cases    []schema.Case
}

// Tracer is one worker. Its methods but Stats are for one goroutine at a time.
type Tracer struct {
	environment
	main  lane
	check lane
}

// environment is what the lanes of a Tracer share.
type environment struct {
	runtime sandbox.Runtime
	options Options
	digest  string // of the options
	stats   counters
	grace   time.Duration             // what a server may take on top of its cases' limits
	backoff func(n int) time.Duration // before the nth retry in a row
}

// Stats are counts since a Tracer was made.
type Stats struct {
	Executions int64 // traced ones that became traces
	Guards     int64 // further executions, for the guards
	Events     int64 // of the traces
	Bytes      int64 // of the traces, as sent
	Separated  int64 // functions whose cases were run again one by one, as they depend on each other
	Restarts   int64 // servers that were replaced
	Retries    int64 // failures of the infrastructure that were tried again
}

type counters struct {
	executions, guards, events, bytes, separated, restarts, retries atomic.Int64
}

// serverGrace is what a server may take beyond its cases' limits: to compile the program, to kill and reap what
// is left of a case, on a busy machine.
const serverGrace = 10 * time.Second

// New makes a worker. It starts nothing: the first Run does. The name is for messages, labels and sandboxes.
func New(_ context.Context, rt sandbox.Runtime, name string, opts Options) (*Tracer, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("tracer %s: %w", name, err)
	}
	opts, _ = opts.WithDefaults()
	files, err := shim()
	if err != nil {
		return nil, err
	}
	digest, err := opts.digest()
	if err != nil {
		return nil, err
	}
	t := &Tracer{environment: environment{
		runtime: rt, options: opts, digest: digest, grace: serverGrace, backoff: sandbox.Backoff,
	}}
	for _, l := range []struct {
		lane  *lane
		name  string
		check bool
	}{{&t.main, name, false}, {&t.check, name + "-check", true}} {
		configure, err := configureFrame(opts, l.check)
		if err != nil {
			return nil, err
		}
		*l.lane = lane{environment: &t.environment, spec: spec(l.name, rt.Image(), files, opts.Limits, l.check), configure: configure}
	}
	return t, nil
}

// Close ends the servers. It is safe to call twice.
func (t *Tracer) Close() error { return errors.Join(t.main.reset(), t.check.reset()) }

// Stats may be called at any time.
func (t *Tracer) Stats() Stats {
	c := &t.stats
	return Stats{
		Executions: c.executions.Load(), Guards: c.guards.Load(), Events: c.events.Load(), Bytes: c.bytes.Load(),
		Separated: c.separated.Load(),
		Restarts:  c.restarts.Load(), Retries: c.retries.Load(),
	}
}
