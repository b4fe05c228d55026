package pipelines

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// subject is a trace that is compared with debuggers.
type subject struct {
	function *schema.Function
	trace    *schema.Trace
	tree     *actions.Tree
	plain    bool // nothing is in it by which tree and pdb differ
}

func newSubject(function *schema.Function, trace *schema.Trace) (*subject, error) {
	tree, err := actions.New(trace, function)
	if err != nil {
		return nil, err
	}
	return &subject{function: function, trace: trace, tree: tree, plain: isPlain(trace)}, nil
}

// isPlain says whether nothing is in a trace by which the two semantics differ: frames that are suspended, callers out of
// scope, events without a line, which the call of a program is no matter for.
func isPlain(trace *schema.Trace) bool {
	for _, code := range trace.Codes {
		if code.Flags&schema.CodeGenerator != 0 {
			return false
		}
	}
	for i := range trace.Events {
		if e := &trace.Events[i]; e.Flags&schema.FlagForeignCaller != 0 || e.Line == 0 && e.Kind != schema.KindCall {
			return false
		}
	}
	return true
}

// proof is a walk whose every stop a debugger has to make.
type proof struct {
	*subject
	name     string // of what is proven: "trajectory ID", "sequence 1", "stepping"
	debugger string
	walk     *actions.Walk
	locals   map[int32]map[string]string // at the walk's events, filled in when it is compared
}

func (p *proof) session(finish bool) tracer.Session {
	start := 0
	for i := range p.walk.Events[0] {
		if p.trace.Events[i].Kind.Opens() {
			start++
		}
	}
	return tracer.Session{
		Function: p.function, Call: p.trace.Call, Stdin: p.trace.Stdin, Wrapper: p.trace.Wrapper, Debugger: p.debugger, Start: start,
		Actions: p.walk.Actions, Finish: finish,
	}
}

// difference is the first transition of a proof in which the debugger and the trace disagree.
type difference struct {
	at       int // number of the action that led there; -1: the first state
	field    string
	recorded string
	real     string
}

// compare finds the first difference; nil when there is none.
func (p *proof) compare(r *tracer.Replayed) *difference {
	p.locals = localsAt(p.trace, p.walk.Events)
	for n, i := range p.walk.Events {
		if n >= len(r.Stops) {
			return &difference{n - 1, "stop", p.describe(i), "no stop: " + describeEnd(r)}
		}
		if d := p.compareStop(i, &r.Stops[n]); d != nil {
			d.at = n - 1
			return d
		}
	}
	return p.compareEnd(r)
}

func (p *proof) compareStop(i int32, stop *tracer.Stop) *difference {
	e := &p.trace.Events[i]
	event := e.Kind.String()
	if p.debugger == tracer.DebuggerPDB {
		event = rawKind(e.Kind)
	}
	if got, want := describeStop(stop), fmt.Sprintf("%s:%d in %s, depth %d", event, e.Line, p.trace.CodeOf(int(i)).Name, e.Depth); got != want {
		return &difference{field: "place", recorded: want, real: got}
	}
	if stop.Closed {
		return &difference{field: "place", recorded: p.describe(i), real: describeStop(stop) + ", after the end of the first activation"}
	}
	if e.Value >= 0 && e.Kind != schema.KindUnwind {
		if want := p.trace.Values[e.Value]; !stop.HasValue || stop.Value != want {
			return &difference{field: "value", recorded: want, real: stop.Value}
		}
	} else if stop.HasValue && p.debugger == tracer.DebuggerTree {
		return &difference{field: "value", recorded: "none", real: stop.Value}
	}
	if want := p.locals[i]; !maps.Equal(want, stop.Locals) {
		return differentLocals(want, stop.Locals)
	}
	return nil
}

// compareEnd compares what follows the last state: nothing, where the walk was cut, else an exit. A debugger makes an exit
// when it stops outside of the first activation, or not at all.
func (p *proof) compareEnd(r *tracer.Replayed) *difference {
	n := len(p.walk.Events)
	last := len(p.walk.Actions) - 1
	switch {
	case p.walk.Exit == schema.ExitCut && len(r.Stops) == n && r.End == tracer.EndExhausted:
		return nil
	case p.walk.Exit == schema.ExitCut:
		return &difference{last, "end", "the actions end here", describeEnd(r)}
	case len(r.Stops) > n:
		if stop := &r.Stops[n]; !stop.Closed {
			return &difference{last, "exit", "exit " + string(p.walk.Exit), describeStop(stop)}
		}
		return nil
	case r.End == tracer.EndReturned || r.End == tracer.EndRaised:
		return nil
	}
	return &difference{last, "exit", "exit " + string(p.walk.Exit), describeEnd(r)}
}

// rawKind is a kind as the interpreter, and bdb, names it.
func rawKind(k schema.Kind) string {
	switch {
	case k.Opens():
		return "call"
	case k.Closes():
		return "return"
	}
	return k.String()
}

func (p *proof) describe(i int32) string {
	e := &p.trace.Events[i]
	return fmt.Sprintf("%s:%d in %s, depth %d (event %d)", e.Kind, e.Line, p.trace.CodeOf(int(i)).Name, e.Depth, i)
}

func describeStop(s *tracer.Stop) string {
	return fmt.Sprintf("%s:%d in %s, depth %d", s.Event, s.Line, s.Function, s.Depth)
}

func describeEnd(r *tracer.Replayed) string {
	text := r.End
	if r.Detail != "" {
		text += ": " + r.Detail
	}
	if r.ExceptionType != "" {
		text += " " + r.ExceptionType + ": " + r.ExceptionMessage
	}
	return text
}

// differentLocals names the first variable, in the order of names, that differs.
func differentLocals(want, got map[string]string) *difference {
	names := slices.Sorted(maps.Keys(want))
	for name := range got {
		if _, ok := want[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	show := func(m map[string]string, name string) string {
		if value, ok := m[name]; ok {
			return name + " = " + value
		}
		return name + " is unbound"
	}
	for _, name := range names {
		if a, b := show(want, name), show(got, name); a != b {
			return &difference{field: "locals", recorded: a, real: b}
		}
	}
	return &difference{field: "locals"}
}

// localsAt adds a trace's changes up, and keeps what they come to at some events.
func localsAt(trace *schema.Trace, events []int32) map[int32]map[string]string {
	wanted := make(map[int32]map[string]string, len(events))
	last := int32(-1)
	for _, i := range events {
		wanted[i] = nil
		last = max(last, i)
	}
	frames := map[int32]map[string]string{}
	for i := range last + 1 {
		frame := trace.Events[i].Frame
		if frames[frame] == nil {
			frames[frame] = map[string]string{}
		}
		for _, c := range trace.ChangesOf(int(i)) {
			if name := trace.Names[c.Name]; c.Value < 0 {
				delete(frames[frame], name)
			} else {
				frames[frame][name] = trace.Values[c.Value]
			}
		}
		if _, ok := wanted[i]; ok {
			wanted[i] = maps.Clone(frames[frame])
		}
	}
	return wanted
}

// rawEvents is a trace as the interpreter gave its events: letters and lines.
func rawEvents(trace *schema.Trace) []string {
	raw := make([]string, len(trace.Events))
	for i := range trace.Events {
		e := &trace.Events[i]
		raw[i] = fmt.Sprintf("%c%d", rawKind(e.Kind)[0], e.Line)
	}
	return raw
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func actionNames(all []schema.Action) string {
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = string(a.Kind)
		if a.Arg != "" {
			names[i] += fmt.Sprintf(" %q", a.Arg)
		}
	}
	return strings.Join(names, ", ")
}
