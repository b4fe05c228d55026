package tracer

import (
	"strings"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// program makes a job of a program whose entry is f, and calls of it.
func program(text string, calls ...string) Job {
	f := &schema.Function{Program: text, Entry: "f"}
	f.Identify()
	job := Job{Function: f}
	for _, call := range calls {
		c := schema.Case{Call: call}
		c.Identify(f)
		job.Cases = append(job.Cases, c)
	}
	return job
}

func newTracer(t testing.TB, rt sandbox.Runtime, opts Options) *Tracer {
	t.Helper()
	tr, err := New(t.Context(), rt, "tracer-test", opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr
}

// runAll gives all traces, by job.
func runAll(t testing.TB, tr *Tracer, jobs []Job) [][]*schema.Trace {
	t.Helper()
	var all [][]*schema.Trace
	err := tr.Run(t.Context(), jobs, func(job int, traces []*schema.Trace) error {
		if job != len(all) || len(traces) != len(jobs[job].Cases) {
			t.Errorf("job %d with %d traces, after %d jobs", job, len(traces), len(all))
		}
		all = append(all, traces)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const total = `def f(xs):
    s = 0
    for x in xs:
        s += x
    return s
`

func TestTrace(t *testing.T) { eachRuntime(t, testTrace) }

func testTrace(t *testing.T, rt sandbox.Runtime) {
	tr := newTracer(t, rt, Options{Differential: true, Determinism: DeterminismRequire})
	all := runAll(t, tr, []Job{program(total, "f([1, 2])", "f([])", "f(None)", "f(")})
	want := []schema.Status{schema.StatusOK, schema.StatusOK, schema.StatusException, schema.StatusUnimportable}
	for i, trace := range all[0] {
		if trace.Status != want[i] {
			t.Errorf("%s: %s (%s), want %s", trace.Call, trace.Status, trace.StatusDetail, want[i])
		}
	}
	first := all[0][0]
	if first.Output != "3" || first.Deterministic != "checked" || first.Truncated || first.PythonVersion == "" || first.Image == "" {
		t.Errorf("output %q, %s, truncated %v, python %q, image %q", first.Output, first.Deterministic, first.Truncated, first.PythonVersion, first.Image)
	}
	var steps []string
	for i, e := range first.Events {
		steps = append(steps, e.Kind.String()+" "+strings.TrimSpace(schema.Lines(first.Executed(total).Text)[e.Line-1]))
		_ = first.ChangesOf(i)
	}
	got := strings.Join(steps, "\n")
	if golden := strings.TrimSpace(`
call def main():
line return f([1, 2])
call def f(xs):
line s = 0
line for x in xs:
line s += x
line for x in xs:
line s += x
line for x in xs:
line return s
return return s
return return f([1, 2])`); got != golden {
		t.Errorf("events:\n%s\nwant:\n%s", got, golden)
	}
	if again := runAll(t, tr, []Job{program(total, "f([1, 2])")})[0][0]; again.ID != first.ID {
		t.Errorf("the same execution has the ids %s and %s", first.ID, again.ID)
	}
}

// A stored program is text. A coding cookie is about the file that it was in, and must not be obeyed again.
func TestCodingCookie(t *testing.T) { eachRuntime(t, testCodingCookie) }

func testCodingCookie(t *testing.T, rt sandbox.Runtime) {
	const source = "# coding: latin-1\ndef f(x):\n    return x == 'é', 'é\\x80'\n"
	tr := newTracer(t, rt, Options{Differential: true})
	trace := runAll(t, tr, []Job{program(source, "f('é')")})[0][0]
	if want := `(True, 'é\x80')`; trace.Status != schema.StatusOK || trace.Output != want {
		t.Errorf("%s (%s): %s, want %s", trace.Status, trace.StatusDetail, trace.Output, want)
	}
}
