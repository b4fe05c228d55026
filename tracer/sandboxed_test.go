package tracer

import (
	"strings"
	"testing"
	"time"

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
		steps = append(steps, e.Kind.String()+" "+strings.TrimSpace(schema.Lines(schema.Execute(total, "f([1, 2])", schema.WrapMain).Text)[e.Line-1]))
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

// Every program here tries to get away, to stay, or to deceive. Each has its own status, and what comes after it runs as ever.
func TestHostile(t *testing.T) { eachRuntime(t, testHostile) }

func testHostile(t *testing.T, rt sandbox.Runtime) {
	if testing.Short() {
		t.Skip("short: programs that run into every limit")
	}
	tests := []struct {
		name, body string
		want       schema.Status
		detail     string
	}{
		{"returns", "return 1", schema.StatusOK, ""},
		{"infinite loop", "while True:\n        pass", schema.StatusEventLimit, "raise trace.limits.events"},
		{"loop that swallows exceptions", "while True:\n        try:\n            1 / 0\n        except:\n            pass", schema.StatusEventLimit, ""},
		{"loop in C", "return sum(range(10**11))", schema.StatusTimeout, "raise trace.limits.wall"},
		{"loop in C that swallows exceptions", "while True:\n        try:\n            sum(range(10**11))\n        except:\n            pass", schema.StatusTimeout, ""},
		{"ignored alarms", "import signal\n    signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n    return sum(range(10**11))", schema.StatusTimeout, ""},
		{"sleep", "import select\n    select.select([], [], [], 1000)", schema.StatusTimeout, ""},
		{"doubling string", "s = 'x'\n    while True:\n        s += s", schema.StatusMemoryLimit, "raise trace.limits.memory"},
		{"10 GB of output", "for _ in range(10_000):\n        print('x' * 10**6)", schema.StatusOutputLimit, "raise trace.limits.output"},
		{"output without lines", "import os\n    while os.write(1, b'x' * 65536): pass", schema.StatusOutputLimit, ""},
		{"fork bomb", "import os\n    while True:\n        os.fork()", schema.StatusException, "BlockingIOError"},
		// Without events of its own, as which limit it met first would depend on the machine.
		{"fork bomb that swallows exceptions", "exec('import os\\nwhile True:\\n  try: os.fork()\\n  except OSError: pass')", schema.StatusTimeout, "raise trace.limits.wall"},
		{"os._exit", "import os\n    os._exit(0)", schema.StatusExited, "exit status 0"},
		{"os._exit with a status", "import os\n    os._exit(3)", schema.StatusExited, "exit status 3"},
		{"sys.exit", "import sys\n    sys.exit('x')", schema.StatusExited, "SystemExit: x"},
		{"tracer removed", "import sys\n    sys.settrace(None)\n    return 1", schema.StatusTracerLost, "the tracer was not in place"},
		{"caught RecursionError", "def g(n):\n        return g(n + 1)\n    try:\n        g(0)\n    except RecursionError:\n        return 1", schema.StatusTracerLost, ""},
		{"segmentation fault", "import faulthandler\n    faulthandler._sigsegv()", schema.StatusCrashed, "SIGSEGV"},
		{"abort", "import os\n    os.abort()", schema.StatusCrashed, "SIGABRT"},
		{"terminated", "import signal\n    signal.raise_signal(15)", schema.StatusCrashed, "SIGTERM"},
		{"killed", "import signal\n    signal.raise_signal(9)", schema.StatusCrashed, "died of SIGKILL"},
		{"kills all that it can", "import os\n    os.kill(-1, 9)", schema.StatusException, "ProcessLookupError"},
		{"uncaught exception", "raise KeyError('a')", schema.StatusException, "KeyError: 'a'"},
		{"writes like a result", "import sys\n    sys.stdout.buffer.write(b'R\\x00\\x00' + b'\\xff' * 100)\n    return 1", schema.StatusOK, ""},
		{"closes all descriptors", "import os\n    os.closerange(0, 256)\n    return 1", schema.StatusOK, ""},
		{"leaves a process", "import os\n    if os.fork() == 0:\n        os.setsid()\n        import select\n        select.select([], [], [], 1000)\n    return 1", schema.StatusOK, ""},
	}
	opts := Options{Limits: Limits{Wall: 3 * time.Second, CPU: time.Second, Memory: 64 << 20, Output: 1 << 16}}
	tr := newTracer(t, rt, opts)
	good := program(total, "f([1, 2])")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			got := runAll(t, tr, []Job{program("def f():\n    "+test.body+"\n", "f()")})[0][0]
			took := time.Since(start)
			t.Logf("%v: %s (%s), %d events, notes %v, stderr %q", took.Round(time.Millisecond), got.Status, got.StatusDetail, len(got.Events), got.Notes, got.Stderr)
			if got.Status != test.want || !strings.Contains(got.StatusDetail, test.detail) {
				t.Errorf("status %s (%s), want %s (%s)", got.Status, got.StatusDetail, test.want, test.detail)
			}
			if strings.Contains(got.StatusDetail, "\n") || got.Status != schema.StatusOK && got.StatusDetail == "" {
				t.Errorf("detail %q", got.StatusDetail)
			}
			if took > time.Minute {
				t.Errorf("took %v, with limits of %v: it hung", took, opts.Limits.Wall)
			}
			if left := processesOf(t, rt); len(left) > 1 {
				t.Errorf("processes are left beside the server:\n%s", strings.Join(left, "\n"))
			}
			if next := runAll(t, tr, []Job{good})[0][0]; next.Status != schema.StatusOK || next.Output != "3" {
				t.Errorf("the next program: %s (%s), output %q", next.Status, next.StatusDetail, next.Output)
			}
		})
	}
	t.Logf("%+v", tr.Stats())
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
