package pipelines

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// replayBatch is how many sessions are sent at once: their reports are held until they are compared.
const replayBatch = 64

// prover compares walks with real debuggers, in batches.
type prover struct {
	tracers []*tracer.Tracer // each has a sandbox of its own
	report  *ReplayReport
	open    []*proof
	trace   string          // id of the trace of the last proof
	seen    map[string]bool // of its proofs
}

// blamesMost bounds the looking for causes, which costs three sessions each: where so many differences are ours, the rest is
// not somebody else's fault.
const blamesMost = 20

// add takes a proof, to be compared with the next batch.
func (v *prover) add(ctx context.Context, p *proof) error {
	if p.walk.Exit == schema.ExitNever {
		v.report.skip("endless")
		return nil
	}
	if p.trace.ID != v.trace {
		v.trace, v.seen = p.trace.ID, map[string]bool{}
	}
	// The formats of a build have walks in common, and every trace is stepped through.
	key := fmt.Sprint(p.debugger, p.walk.Events, p.walk.Actions, p.walk.Exit)
	if v.seen[key] {
		v.report.Repeated++
		return nil
	}
	v.seen[key] = true
	v.open = append(v.open, p)
	if len(v.open) < replayBatch {
		return nil
	}
	return v.flush(ctx)
}

// walk adds a walk under the debuggers that have to make it: that of its semantics and, where tree and pdb must agree, bdb too.
func (v *prover) walk(ctx context.Context, s *subject, name string, w *actions.Walk) error {
	debugger := tracer.DebuggerTree
	if w.Semantics == actions.SemanticsPDB {
		debugger = tracer.DebuggerPDB
	}
	if err := v.add(ctx, &proof{subject: s, name: name, debugger: debugger, walk: w}); err != nil {
		return err
	}
	if debugger == tracer.DebuggerTree && s.plain {
		return v.add(ctx, &proof{subject: s, name: name, debugger: tracer.DebuggerPDB, walk: w})
	}
	return nil
}

// sequenceWeights make sequences of some length: with equal ones, every fifth action would run to the end.
var sequenceWeights = map[string]float64{
	string(schema.StepInto): 1, string(schema.StepOver): 1, string(schema.StepReturn): 1, string(schema.Breakpoint): 1,
	string(schema.Continue): 0.2,
}

const sequenceStates = 64

// sequences adds n random sequences for each semantics, each from a call of its own, and the stepping through all of the trace.
func (v *prover) sequences(ctx context.Context, s *subject, n int, seed uint64) error {
	for _, semantics := range []string{actions.SemanticsTree, actions.SemanticsPDB} {
		if n > 0 {
			options := actions.Options{
				Directions: []schema.Direction{schema.Forward}, Policy: "weights", Weights: sequenceWeights, Semantics: semantics,
				Entry: actions.EntryAnyCall, PerTrace: n, MaxStates: sequenceStates, Seed: seed, Tombstones: true, Statuses: schema.Statuses,
			}
			walks, err := s.tree.Sample(options)
			if err != nil {
				return err
			}
			for i, w := range walks {
				if err := v.walk(ctx, s, fmt.Sprintf("sequence %d, %s", i, semantics), w); err != nil {
					return err
				}
			}
		}
		options := actions.Options{
			Directions: []schema.Direction{schema.Forward}, Policy: "into", Semantics: semantics, PerTrace: 1,
			MaxStates: len(s.trace.Events) + 1, Tombstones: true, Statuses: schema.Statuses,
		}
		walks, err := s.tree.Sample(options)
		if err != nil {
			return err
		}
		for _, w := range walks {
			if err := v.walk(ctx, s, "stepping, "+semantics, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush replays what was added, and compares.
func (v *prover) flush(ctx context.Context) error {
	if len(v.open) == 0 {
		return nil
	}
	sessions := make([]tracer.Session, len(v.open))
	for i, p := range v.open {
		sessions[i] = p.session(false)
	}
	replayed, err := v.sessions(ctx, sessions)
	if err != nil {
		return err
	}
	for i, p := range v.open {
		if err := v.judge(ctx, p, &replayed[i]); err != nil {
			return err
		}
	}
	v.open = v.open[:0]
	return nil
}

// sessions runs sessions on all tracers at once, and gives their reports in order.
func (v *prover) sessions(ctx context.Context, all []tracer.Session) ([]tracer.Replayed, error) {
	replayed := make([]tracer.Replayed, len(all))
	group, ctx := errgroup.WithContext(ctx)
	for k, t := range v.tracers {
		from, to := k*len(all)/len(v.tracers), (k+1)*len(all)/len(v.tracers)
		if from == to {
			continue
		}
		group.Go(func() error {
			own, err := t.Replay(ctx, all[from:to])
			copy(replayed[from:to], own)
			return err
		})
	}
	return replayed, group.Wait()
}

func (v *prover) judge(ctx context.Context, p *proof, r *tracer.Replayed) error {
	if r.End == tracer.EndLimit {
		v.report.skip("report_too_long")
		return nil
	}
	d := p.compare(r)
	if d == nil {
		v.report.count(p, len(p.walk.Actions), false)
		return nil
	}
	cause := ""
	if v.report.Disagreed < blamesMost {
		var err error
		if cause, err = v.blame(ctx, p); err != nil {
			return err
		}
	}
	if cause != "" {
		v.report.flag(p, d, cause)
		return nil
	}
	v.report.count(p, d.at, true)
	v.report.disagree(p, d)
	return nil
}

// blame finds out whether it is the debugger, by what it holds and reads, that made the program another one. It is, when
//   - how the program ends or what it prints under the debugger is not what it is without any; or
//   - the interpreter gives the debugger other events than a trace function that holds and reads nothing, and gives that one
//     the events of the recording.
//
// Otherwise the program ran as it was recorded, and the disagreement is about where to stop: nobody's but ours.
func (v *prover) blame(ctx context.Context, p *proof) (string, error) {
	watched := p.session(true)
	bare, none := watched, watched
	bare.Debugger, bare.Actions = tracer.DebuggerBare, nil
	none.Debugger, none.Actions = tracer.DebuggerNone, nil
	r, err := v.tracers[0].Replay(ctx, []tracer.Session{watched, bare, none})
	if err != nil {
		return "", err
	}
	recorded := rawEvents(p.trace)
	if n := commonPrefix(r[1].Raw, recorded); n < len(recorded) || n < len(r[1].Raw) {
		return "", nil // the recording itself is in doubt
	}
	if n := commonPrefix(r[0].Raw, recorded); n < len(r[0].Raw) {
		return fmt.Sprintf("event %d comes otherwise under the debugger", n), nil
	}
	if what := differentOutcome(&r[0], &r[2]); what != "" {
		return what + " differs under the debugger", nil
	}
	return "", nil
}

func differentOutcome(a, b *tracer.Replayed) string {
	switch {
	case a.End != b.End:
		return "the end"
	case a.Output != b.Output:
		return "the output"
	case a.ExceptionType != b.ExceptionType || a.ExceptionMessage != b.ExceptionMessage:
		return "the exception"
	case a.Stdout != b.Stdout:
		return "stdout"
	}
	return ""
}
