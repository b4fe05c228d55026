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
	Wrapper  schema.Wrapper
	Debugger string
	Start    int             // the calls and resumes before the one that the session begins with
	Actions  []schema.Action // forward ones
	Finish   bool            // go on to the program's end after the last action, and list all events
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
	Stops            []Stop
	End              string
	Detail           string
	Output           string // EndReturned: the rendering of the value
	ExceptionType    string // EndRaised
	ExceptionMessage string
	Stdout           string
	Raw              []string // with Finish: the events, a letter and a line
}

// Replay runs sessions and gives their reports, in order. What a program does is in its report; an error is ctx's, or an
// *InfrastructureError.
func (t *Tracer) Replay(ctx context.Context, sessions []Session) ([]Replayed, error) {
	requests := make([]*request, len(sessions))
	for i := range sessions {
		r, err := sessions[i].request()
		if err != nil {
			return nil, err
		}
		requests[i] = r
	}
	group, inner := errgroup.WithContext(ctx)
	in, done := make(chan *request), make(chan *request, len(sessions))
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
	replayed := make([]Replayed, len(sessions))
	for i, r := range requests {
		replayed[i] = t.decodeSession(r.results[0])
	}
	return replayed, nil
}

// wireSession is the JSON object of a session's message.
type wireSession struct {
	Semantics string      `json:"semantics"`
	Start     int         `json:"start"`
	Actions   [][2]string `json:"actions"`
	Finish    bool        `json:"finish"`
}

func (s *Session) request() (*request, error) {
	w := wireSession{Semantics: s.Debugger, Start: s.Start, Actions: make([][2]string, len(s.Actions)), Finish: s.Finish}
	for i, a := range s.Actions {
		w.Actions[i] = [2]string{string(a.Kind), a.Arg}
	}
	body, err := json.Marshal(w)
	if err != nil {
		return nil, fmt.Errorf("session of function %s: %w", s.Function.ID, err)
	}
	x := schema.Execute(s.Function.Program, s.Call, s.Wrapper)
	text := s.Call
	if x.Entry != "" {
		text = schema.WrapperSource(x.Entry, text)
	}
	b := appendString(nil, s.Function.Program)
	b = appendString(b, text)
	b = binary.AppendUvarint(b, uint64(x.Line))
	b = appendString(b, x.Entry)
	b = appendString(b, string(body))
	return &request{task: &task{job: Job{Function: s.Function}}, cases: []schema.Case{{Call: s.Call}}, debug: b}, nil
}

// debugFrame asks for a session, whose message is complete but for the job number.
func debugFrame(job uint64, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{msgDebug}, job), body...)
}
