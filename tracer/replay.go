package tracer

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/schema"
)

// Debuggers that a Session can ask for.
const (
	DebuggerPDB  = "pdb"  // the standard library's bdb, every frame of the program traced
	DebuggerTree = "tree" // one that stops by the tree's rule while the program runs
	DebuggerBare = "bare" // not one: a trace function that lists the events and holds nothing
	DebuggerNone = "none" // not one either: the program runs untraced
)

// Session is a run of a case under a real debugger.
type Session struct {
	Function *schema.Function
	Call     string
	Stdin    string // of a program, which has no call
	Wrapper  schema.Wrapper
	Debugger string
	Start    int             // the calls and resumes before the one that the session begins with
	Actions  []schema.Action // forward ones
	Finish   bool            // go on to the program's end after the last action, and list all events
	Alone    bool            // in a process of its own
}

// Stop is where a debugger stood.
type Stop struct {
	Event    string // pdb: call, line, return, exception. tree: a kind of schema.Kind
	Line     int32  // 0: the interpreter has none
	Function string
	Depth    int32
	Locals   map[string]string
	Value    string
	HasValue bool
	Closed   bool // the session's first activation had ended
}

// Ends of a session.
const (
	EndExhausted    = "exhausted"    // the actions ended first
	EndReturned     = "returned"     // the call returned
	EndRaised       = "raised"       // an exception left it
	EndUnimportable = "unimportable" // there was nothing to call
	EndLimit        = "limit"        // the answer would have been too long
	EndKilled       = "killed"       // the process ended before the session did; Detail says more
)

// Replayed is what a debugger reported.
type Replayed struct {
	Shared           bool // other sessions ran in the same process; Stdout is not told apart then
	Stops            []Stop
	End              string
	Detail           string
	Output           string // EndReturned: the rendering of the value
	ExceptionType    string // EndRaised
	ExceptionMessage string
	Stdout           string
	Raw              []string // with Finish: the events, a letter and a line
}

// Replay runs sessions and gives their reports, in order: adjacent ones of a case in one process, as many as its limits let it
// run, unless they are to be alone. What one of them leaves in the process the next one finds, but for the program's own module
// and what tracer/shim/world.py puts back. So reports of sessions that were not alone say so, and what they show of the program is to
// be believed only where it is what was expected. A session that did not come to its end there, and those after it,
// are run again alone.
//
// What a program does is in its report; an error is ctx's, or an *InfrastructureError.
func (t *Tracer) Replay(ctx context.Context, sessions []Session) ([]Replayed, error) {
	replayed := make([]Replayed, len(sessions))
	for open := together(sessions); len(open) > 0; {
		results, err := t.debug(ctx, sessions, open)
		if err != nil {
			return nil, err
		}
		var left []span
		for k, x := range results {
			g := open[k]
			reports, more := t.decodeSessions(x, g.to-g.from)
			for i := range reports {
				reports[i].Shared = g.to-g.from > 1
			}
			g.from += copy(replayed[g.from:g.to], reports)
			if more {
				left = append(left, g)
				continue
			}
			for ; g.from < g.to; g.from++ {
				left = append(left, span{g.from, g.from + 1})
			}
		}
		open = left
	}
	return replayed, nil
}

// span is some adjacent sessions.
type span struct{ from, to int }

// together are the spans of sessions that can share a process.
func together(sessions []Session) []span {
	var all []span
	for i := range sessions {
		s := &sessions[i]
		if i > 0 && s.Function == sessions[i-1].Function && s.Call == sessions[i-1].Call && s.Stdin == sessions[i-1].Stdin && s.Wrapper == sessions[i-1].Wrapper &&
			!s.Alone && !sessions[i-1].Alone {
			all[len(all)-1].to++
			continue
		}
		all = append(all, span{i, i + 1})
	}
	return all
}

// debug runs the sessions of each span in a process.
func (t *Tracer) debug(ctx context.Context, sessions []Session, spans []span) ([]*result, error) {
	requests := make([]*request, len(spans))
	for i, g := range spans {
		r, err := debugRequest(sessions[g.from:g.to])
		if err != nil {
			return nil, err
		}
		requests[i] = r
	}
	group, inner := errgroup.WithContext(ctx)
	in, done := make(chan *request), make(chan *request, len(spans))
	group.Go(func() error { return t.main.work(inner, in, done) })
	group.Go(func() error {
		defer close(in)
		for _, r := range requests {
			select {
			case in <- r:
			case <-inner.Done():
				return inner.Err()
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		_ = t.Close() // what the server is in the middle of is nobody's any more
		return nil, err
	}
	results := make([]*result, len(spans))
	for i, r := range requests {
		results[i] = r.results[0]
	}
	return results, nil
}

// wireSession is a session in the JSON of a message.
type wireSession struct {
	Semantics string      `json:"semantics"`
	Start     int         `json:"start"`
	Actions   [][2]string `json:"actions"`
	Finish    bool        `json:"finish"`
}

// debugRequest asks for sessions of one case.
func debugRequest(sessions []Session) (*request, error) {
	s := &sessions[0]
	all := make([]wireSession, len(sessions))
	for k := range sessions {
		w := wireSession{
			Semantics: sessions[k].Debugger, Start: sessions[k].Start, Finish: sessions[k].Finish,
			Actions: make([][2]string, len(sessions[k].Actions)),
		}
		for i, a := range sessions[k].Actions {
			w.Actions[i] = [2]string{string(a.Kind), a.Arg}
		}
		all[k] = w
	}
	body, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("sessions of function %s: %w", s.Function.ID, err)
	}
	c := schema.Case{Call: s.Call, Stdin: s.Stdin}
	b := appendString(nil, s.Function.Program)
	b = appendCase(b, s.Function, &c, s.Wrapper)
	b = appendString(b, string(body))
	return &request{task: &task{job: Job{Function: s.Function}}, cases: []schema.Case{c}, debug: b}, nil
}

// debugFrame asks for sessions, whose message is complete but for the job number.
func debugFrame(job uint64, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{msgDebug}, job), body...)
}
