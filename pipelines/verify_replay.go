package pipelines

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// Sessions are sent in batches: of whole traces, whose sessions can share a process, until there are enough of them for all
// sandboxes to be busy. Their reports are held until they are compared, so that there is an upper bound.
const (
	replayBatch = 256
	replayMost  = 1024
)

// prover compares walks with real debuggers, in batches.
type prover struct {
	tracers []*tracer.Tracer // each has a sandbox of its own
	report  *ReplayReport
	alone   bool // sessions never share a process
	masked  bool // secrets in values are
	open    []*proof
	trace   string          // id of the trace of the last proof
	seen    map[string]bool // of its proofs
	causes  map[string]*unwatched
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
		if len(v.open) >= replayBatch {
			if err := v.flush(ctx); err != nil {
				return err
			}
		}
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
	if len(v.open) < replayMost {
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

// flush replays what was added, and compares. What does not agree where sessions share a process is replayed once more, alone:
// only what is seen then is judged.
func (v *prover) flush(ctx context.Context) error {
	sessions := make([]tracer.Session, len(v.open))
	for i, p := range v.open {
		sessions[i] = p.session(false)
		// One that is to be killed would take the others along.
		sessions[i].Alone = v.alone || !p.trace.Status.Usable()
	}
	replayed, err := v.sessions(ctx, sessions)
	if err != nil {
		return err
	}
	var doubtful []int
	var again []tracer.Session
	for i, p := range v.open {
		if replayed[i].Shared && p.compare(&replayed[i]) != nil {
			sessions[i].Alone = true
			doubtful, again = append(doubtful, i), append(again, sessions[i])
		}
	}
	alone, err := v.sessions(ctx, again)
	if err != nil {
		return err
	}
	for k, i := range doubtful {
		replayed[i] = alone[k]
	}
	for i, p := range v.open {
		if err := v.judge(ctx, p, &replayed[i]); err != nil {
			return err
		}
		if replayed[i].Shared {
			v.report.Shared++
		}
	}
	v.open, v.causes = v.open[:0], nil
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
	err := group.Wait()
	for i := range replayed {
		if v.masked {
			maskReplayed(&replayed[i])
		}
	}
	return replayed, err
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
	cause := ofThreads(p.trace, d)
	if cause == "" && v.report.Disagreed < blamesMost {
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

// ofThreads is the cause of a stop that is the recorded one but for what it shows, where the program has threads: they run on while a
// debugger holds it.
func ofThreads(trace *schema.Trace, d *difference) string {
	if slices.Contains(trace.Notes, tracer.NoteThreads) && (d.field == "locals" || d.field == "value") {
		return "its threads run on while the debugger holds it"
	}
	return ""
}

// blame finds out whether it is the debugger, by what it holds and reads, that made the program another one. It is, when
//   - how the program ends or what it prints under the debugger is not what it is without any; or
//   - the interpreter gives the debugger other events than a trace function that holds and reads nothing, and gives that one
//     the events of the recording.
//
// Otherwise the program ran as it was recorded, and the disagreement is about where to stop: nobody's but ours.
func (v *prover) blame(ctx context.Context, p *proof) (string, error) {
	u, err := v.unwatched(ctx, p)
	if err != nil || !u.recorded {
		return "", err // the recording itself is in doubt
	}
	r, err := v.tracers[0].Replay(ctx, []tracer.Session{p.session(true)})
	if err != nil {
		return "", err
	}
	if n := commonPrefix(r[0].Raw, u.raw); n < len(r[0].Raw) {
		return fmt.Sprintf("event %d comes otherwise under the debugger", n), nil
	}
	if what := differentOutcome(&r[0], &u.none); what != "" {
		return what + " differs under the debugger", nil
	}
	return "", nil
}

// unwatched is what a case does without a debugger.
type unwatched struct {
	raw      []string // recorded events
	recorded bool     // a trace function that holds and reads nothing gets exactly these
	none     tracer.Replayed
}

func (v *prover) unwatched(ctx context.Context, p *proof) (*unwatched, error) {
	if u := v.causes[p.trace.ID]; u != nil {
		return u, nil
	}
	bare := p.session(true)
	bare.Debugger, bare.Actions = tracer.DebuggerBare, nil
	none := bare
	none.Debugger = tracer.DebuggerNone
	bare.Alone, none.Alone = true, true
	r, err := v.tracers[0].Replay(ctx, []tracer.Session{bare, none})
	if err != nil {
		return nil, err
	}
	u := &unwatched{raw: rawEvents(p.trace), none: r[1]}
	u.recorded = slices.Equal(r[0].Raw, u.raw)
	if v.causes == nil {
		v.causes = map[string]*unwatched{}
	}
	v.causes[p.trace.ID] = u
	return u, nil
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
