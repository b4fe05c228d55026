package pipelines

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// missing skips a test for want of something that a machine may not have. In CI it has to be there.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("CI needs %s", what)
	}
	t.Skipf("needs %s", what)
}

func openTestRuntime(t testing.TB, python string) sandbox.Runtime {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	rt, err := sandbox.OpenDocker(ctx, sandbox.DockerOptions{
		Image: "host", Python: python, BuildID: "verify-test", Log: func(s string) { t.Log(s) },
	})
	if errors.Is(err, sandbox.ErrUnavailable) {
		missing(t, "a Docker engine: "+err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt
}

// readPrograms makes a job of every program of a directory that has a main and that this interpreter has the syntax for.
func readPrograms(t testing.TB, dir string) (names []string, jobs []tracer.Job) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", dir, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		program := strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
		if !utf8.ValidString(program) {
			t.Logf("%s: not UTF-8, which no stored program is", filepath.Base(file))
			continue
		}
		f := &schema.Function{Program: program, Entry: "main"}
		f.Identify()
		c := schema.Case{Call: "main()"}
		c.Identify(f)
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".py"))
		jobs = append(jobs, tracer.Job{Function: f, Cases: []schema.Case{c}})
	}
	return names, jobs
}

// proveAll traces programs and compares n random sequences of each, for both semantics, with the debuggers.
func proveAll(t *testing.T, rt sandbox.Runtime, names []string, jobs []tracer.Job, wrapper schema.Wrapper, n int) (*ReplayReport, map[string]*schema.Trace) {
	t.Helper()
	options := tracer.Options{Wrapper: wrapper, Differential: true, Determinism: tracer.DeterminismCheck}
	options.Limits.Events = 3000
	options.Limits.Wall = 5 * time.Second
	tr, err := tracer.New(t.Context(), rt, "verify-test", options)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	traces := map[string]*schema.Trace{}
	if err := tr.Run(t.Context(), jobs, func(i int, all []*schema.Trace) error {
		traces[names[i]] = all[0]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	report := newReplayReport()
	for i, job := range jobs {
		trace := traces[names[i]]
		if !trace.Status.Usable() {
			t.Logf("%s: %s: %s", names[i], trace.Status, trace.StatusDetail)
			report.skip("status " + string(trace.Status))
			continue
		}
		s, err := newSubject(job.Function, trace)
		if err != nil {
			t.Fatal(err)
		}
		own := newReplayReport()
		v := prover{tracers: []*tracer.Tracer{tr}, report: own}
		if err := errors.Join(v.sequences(t.Context(), s, n, 1), v.flush(t.Context())); err != nil {
			t.Fatal(err)
		}
		if own.Disagreed > 0 {
			d := own.Smallest
			t.Errorf("%s: %d of %d sessions disagree; %s, %s from event %d: %s\n%s: recorded %s, real %s", names[i], own.Disagreed, own.Sessions,
				d.Debugger, d.What, d.Start, d.Actions, d.Field, d.Recorded, d.Real)
		}
		for _, w := range own.Watched {
			t.Logf("%s: %d of %d sessions: %s (%s: recorded %s, real %s, %s)", names[i], own.ByWatching, own.Sessions, w.Cause, w.Field, w.Recorded, w.Real, w.Debugger)
		}
		report.add(own)
	}
	report.sort()
	return report, traces
}

// TestReplayPrograms proves every walk of the fixtures, on the interpreter that there is.
func TestReplayPrograms(t *testing.T) {
	rt := openTestRuntime(t, os.Getenv("TRACEMILL_TEST_PYTHON"))
	dir, n := filepath.Join("..", "tracer", "testdata", "replay"), 3
	if own := os.Getenv("TRACEMILL_TEST_PROGRAMS"); own != "" {
		dir = own
	}
	if own, err := strconv.Atoi(os.Getenv("TRACEMILL_TEST_SEQUENCES")); err == nil {
		n = own
	}
	names, jobs := readPrograms(t, dir)
	report, traces := proveAll(t, rt, names, jobs, schema.WrapMain, n)
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %s", rt.Image().Version, text)
	if report.Agreed == 0 {
		t.Error("nothing was compared")
	}
	if i := slices.Index(names, "generator_next_runs_past_yield"); i >= 0 {
		testGenerator(t, jobs[i].Function, traces[names[i]])
	}
}

// TestReplayUnwrapped has the call made from outside of the program.
func TestReplayUnwrapped(t *testing.T) {
	rt := openTestRuntime(t, os.Getenv("TRACEMILL_TEST_PYTHON"))
	names, jobs := readPrograms(t, filepath.Join("..", "tracer", "testdata", "replay"))
	var few []tracer.Job
	var called []string
	for i, name := range names {
		if strings.HasPrefix(name, "generator_") || strings.HasPrefix(name, "callback_") || name == "exception_leaves_the_entry" {
			few, called = append(few, jobs[i]), append(called, name)
		}
	}
	// The entry is itself a generator, which code that is not the program's drives.
	f := &schema.Function{Program: "def generate(n):\n    for i in range(n):\n        yield i\n    return\n", Entry: "generate"}
	f.Identify()
	c := schema.Case{Call: "list(generate(2))"}
	c.Identify(f)
	few, called = append(few, tracer.Job{Function: f, Cases: []schema.Case{c}}), append(called, "generate")
	report, _ := proveAll(t, rt, called, few, schema.WrapNone, 2)
	if report.Agreed == 0 || len(report.Skipped) > 0 {
		t.Errorf("%d sessions agreed, skipped %v", report.Agreed, report.Skipped)
	}
}

// testGenerator checks what was just proven of both semantics: in a generator they part.
func testGenerator(t *testing.T, f *schema.Function, trace *schema.Trace) {
	s, err := newSubject(f, trace)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(trace.Events, func(e schema.Event) bool { return e.Kind == schema.KindLine && e.Line == 4 })
	over := schema.Action{Kind: schema.StepOver}
	tree, ok := s.tree.Next(int32(at), over, actions.SemanticsTree)
	if !ok || trace.Events[tree].Kind != schema.KindYield {
		t.Errorf("tree: step_over from the line of a yield leads to event %d, and not to the yield", tree)
	}
	pdb, ok := s.tree.Next(int32(at), over, actions.SemanticsPDB)
	if !ok || trace.Events[pdb].Kind != schema.KindLine || trace.Events[pdb].Line != 5 {
		t.Errorf("pdb: step_over from the line of a yield leads to event %d, and not to the next line", pdb)
	}
}
