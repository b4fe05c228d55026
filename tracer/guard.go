package tracer

import (
	"bytes"
	"fmt"

	"github.com/tracemill/tracemill/schema"
)

const differenceSize = 120 // bytes of a value that is shown in a detail

// differ compares a usable trace with an untraced run of the same case, and finds it perturbed when being watched changed
// anything: how it ended, what it returned or raised, its mutable arguments, what it printed.
func (f *finding) differ(x, plain *result, p finding) {
	if what := f.difference(x, plain, &p); what != "" {
		f.status, f.detail = schema.StatusPerturbed, oneLine("traced and untraced runs differ: "+what)
		return
	}
	if a, b := f.end.arguments, p.end.arguments; a != b {
		f.status, f.detail = schema.StatusPerturbed, "traced and untraced runs differ: arguments after the call"
	}
}

// difference is the first thing outside the events in which two runs differ.
func (f *finding) difference(x, y *result, g *finding) string {
	if f.status != g.status {
		return pair("status", describe(f), describe(g))
	}
	for _, d := range []struct{ name, a, b string }{
		{"output", f.output(), g.output()},
		{"exception type", f.end.exceptionType, g.end.exceptionType},
		{"exception message", f.end.exceptionMessage, g.end.exceptionMessage},
	} {
		if d.a != d.b {
			return pair(d.name, d.a, d.b)
		}
	}
	if x.stdoutTotal != y.stdoutTotal || !bytes.Equal(x.stdout, y.stdout) {
		at := common(x.stdout, y.stdout)
		return pair(fmt.Sprintf("stdout, byte %d", at), fmt.Sprintf("%q", window(x.stdout, at)), fmt.Sprintf("%q", window(y.stdout, at)))
	}
	return ""
}

// repeat compares a usable trace with another traced run of the same case, event by event. It returns what the trace's
// column says of it.
func (f *finding) repeat(x, again *result, g finding, want Determinism) string {
	if again.end == endTime || again.end == endSandbox || again.fromOutside() {
		// It says more of the machine than of the program: the same events took their time before.
		if want == DeterminismRequire {
			f.status, f.detail = schema.StatusNondeterministic, oneLine("the second run could not be made: "+g.detail)
		}
		return "unchecked"
	}
	what := ""
	if len(g.events) == 0 {
		what = f.difference(x, again, &g) // the events that are missing would be the lesser news
	} else if f.whole != g.whole {
		what = f.firstDifference(&g)
	}
	if what == "" {
		what = f.difference(x, again, &g)
	}
	if what != "" {
		f.status, f.detail = schema.StatusNondeterministic, oneLine("two runs differ: "+what)
	}
	return "checked"
}

// firstDifference names the first event in which two recordings differ.
func (f *finding) firstDifference(g *finding) string {
	a, b := f.view(), g.view()
	for i := 0; i < len(f.events) && i < len(g.events); i++ {
		if what := differentEvent(&a, &b, i); what != "" {
			return fmt.Sprintf("event %d line %d: %s", i, f.events[i].Line, what)
		}
	}
	if n, m := len(f.events), len(g.events); n != m {
		return fmt.Sprintf("event %d: %d events / %d events", min(n, m), n, m)
	}
	return ""
}

// view is a recording as a trace, for the methods that traces have.
func (f *finding) view() schema.Trace {
	return schema.Trace{
		Codes: f.codes, Frames: f.frames, Events: f.events, Changes: f.changes, Names: f.names, Values: f.values, Cut: f.cut,
	}
}

func differentEvent(a, b *schema.Trace, i int) string {
	e, g := &a.Events[i], &b.Events[i]
	if e.Kind != g.Kind || e.Line != g.Line {
		return pair("", fmt.Sprintf("%v of line %d", e.Kind, e.Line), fmt.Sprintf("%v of line %d", g.Kind, g.Line))
	}
	if e.Frame != g.Frame || e.Back != g.Back || e.Depth != g.Depth || e.Flags != g.Flags || a.CodeOf(i) != b.CodeOf(i) {
		return pair("frame", place(a, i), place(b, i))
	}
	if v, w := valueOf(a, e.Value), valueOf(b, g.Value); v != w {
		return pair(e.Kind.String(), v, w)
	}
	c, d := a.ChangesOf(i), b.ChangesOf(i)
	for j := 0; j < len(c) && j < len(d); j++ {
		name, other := a.Names[c[j].Name], b.Names[d[j].Name]
		if name != other {
			return pair("changed", name, other)
		}
		if v, w := valueOf(a, c[j].Value), valueOf(b, d[j].Value); v != w {
			return pair(name, v, w)
		}
	}
	if len(c) != len(d) {
		return fmt.Sprintf("%d changed variables / %d", len(c), len(d))
	}
	return ""
}

func place(t *schema.Trace, i int) string {
	e := &t.Events[i]
	return fmt.Sprintf("%s, frame %d at depth %d called by %d, flags %d", t.CodeOf(i).Name, e.Frame, e.Depth, e.Back, e.Flags)
}

func valueOf(t *schema.Trace, value int32) string {
	if value < 0 {
		return "unbound"
	}
	return t.Values[value]
}

// pair shows the two sides of a difference, cut around the place where they begin to differ.
func pair(name, a, b string) string {
	if name != "" {
		name += " = "
	}
	if len(a) > differenceSize || len(b) > differenceSize {
		at := common([]byte(a), []byte(b))
		a, b = string(window([]byte(a), at)), string(window([]byte(b), at))
	}
	return name + validText([]byte(a)) + " / " + validText([]byte(b))
}

func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func window(b []byte, at int) []byte {
	from := max(0, at-differenceSize/4)
	return b[min(from, len(b)):min(from+differenceSize, len(b))]
}

func describe(f *finding) string {
	if f.detail == "" {
		return string(f.status)
	}
	return string(f.status) + " (" + f.detail + ")"
}

func (f *finding) output() string {
	if f.end.output < 0 {
		return ""
	}
	return f.values[f.end.output]
}
