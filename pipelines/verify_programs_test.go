package pipelines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

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

// fixture is a program that is proven.
type fixture struct {
	name   string
	header map[string]string // doc.md of the tracer's programs says what is in it
	job    tracer.Job
	trace  *schema.Trace
}

// readPrograms reads every program of a directory, each with a main or with what is on its standard input, that a CPython 3.minor
// has the syntax for.
func readPrograms(t testing.TB, dir string, minor int) []*fixture {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", dir, err)
	}
	var all []*fixture
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
		f := &fixture{name: strings.TrimSuffix(filepath.Base(file), ".py"), header: map[string]string{}}
		for line := range strings.Lines(program) {
			comment, ok := strings.CutPrefix(line, "#")
			if !ok {
				break
			}
			if key, value, ok := strings.Cut(strings.TrimSpace(comment), ": "); ok {
				f.header[key] = value
			}
		}
		if needs, ok := strings.CutPrefix(f.header["requires"], "3."); ok {
			if n, err := strconv.Atoi(needs); err != nil || n > minor {
				continue
			}
		}
		function, c := &schema.Function{Program: program, Entry: "main"}, schema.Case{Call: "main()"}
		if script, stdin, ok := schema.CutStdin(program); ok {
			function, c = &schema.Function{Program: script, Entry: schema.ModuleEntry}, schema.Case{Stdin: stdin}
		}
		function.Identify()
		c.Identify(function)
		f.job = tracer.Job{Function: function, Cases: []schema.Case{c}}
		all = append(all, f)
	}
	return all
}

// proving is how programs are proven.
type proving struct {
	wrapper   schema.Wrapper
	sequences int // for each semantics
	watched   int // the same, of programs that say that they can notice a debugger: they are replayed alone
}

// proveAll traces programs and compares random sequences of each with the debuggers, half of the programs in each of two
// sandboxes. The reports are by program; one without a report has a status that makes no trajectories.
func proveAll(t *testing.T, rt sandbox.Runtime, all []*fixture, how proving) map[string]*ReplayReport {
	t.Helper()
	reports := map[string]*ReplayReport{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(t.Context())
	for k := range 2 {
		var own []*fixture
		for i := k; i < len(all); i += 2 {
			own = append(own, all[i])
		}
		group.Go(func() error {
			return proveSome(ctx, rt, fmt.Sprintf("verify-test-%d", k), own, how, func(f *fixture, r *ReplayReport) {
				mu.Lock()
				defer mu.Unlock()
				reports[f.name] = r
			})
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		r := reports[f.name]
		if r == nil {
			t.Logf("%s: %s: %s", f.name, f.trace.Status, f.trace.StatusDetail)
			continue
		}
		if d := r.Smallest; r.Disagreed > 0 {
			if why := f.header["watched"]; why != "" {
				r.excuse("its header says: " + why)
				continue
			}
			t.Errorf("%s: %d of %d sessions disagree; %s, %s from event %d: %s\n%s: recorded %s, real %s", f.name, r.Disagreed, r.Sessions,
				d.Debugger, d.What, d.Start, d.Actions, d.Field, d.Recorded, d.Real)
		}
		for _, w := range r.Watched {
			t.Logf("%s: %d of %d sessions: %s (%s: recorded %s, real %s, %s)", f.name, r.ByWatching, r.Sessions, w.Cause, w.Field, w.Recorded, w.Real, w.Debugger)
		}
	}
	return reports
}

func proveSome(ctx context.Context, rt sandbox.Runtime, name string, all []*fixture, how proving, done func(*fixture, *ReplayReport)) error {
	options := tracer.Options{Wrapper: how.wrapper, Differential: true, Determinism: tracer.DeterminismCheck}
	options.Limits.Events = 3000
	tr, err := tracer.New(ctx, rt, name, options)
	if err != nil {
		return err
	}
	defer tr.Close()
	jobs := make([]tracer.Job, len(all))
	for i, f := range all {
		jobs[i] = f.job
	}
	if err := tr.Run(ctx, jobs, func(i int, traces []*schema.Trace) error {
		all[i].trace = traces[0]
		return nil
	}); err != nil {
		return err
	}
	for _, f := range all {
		if !f.trace.Status.Usable() {
			continue
		}
		s, err := newSubject(f.job.Function, f.trace)
		if err != nil {
			return err
		}
		v := prover{tracers: []*tracer.Tracer{tr}, report: newReplayReport()}
		n := how.sequences
		if f.header["watched"] != "" {
			n, v.alone = min(n, how.watched), true
		}
		if err := errors.Join(v.sequences(ctx, s, n, 1), v.flush(ctx)); err != nil {
			return err
		}
		done(f, v.report)
	}
	return nil
}

// pythonVersion is of an interpreter, without the micro release or with it.
var pythonVersion = regexp.MustCompile(`^3\.\d+(\.\d+)?$`)

// pythons are the interpreters to test with: the one that there is, or the one that TRACEMILL_TEST_PYTHON names by path, or by version
// among those that are installed, or, where that is "all", all of these.
func pythons(t *testing.T) []string {
	named := os.Getenv("TRACEMILL_TEST_PYTHON")
	if named != "all" && !pythonVersion.MatchString(named) {
		return []string{named}
	}
	root := os.Getenv("PYENV_ROOT")
	if home, err := os.UserHomeDir(); root == "" && err == nil {
		root = filepath.Join(home, ".pyenv")
	}
	paths, _ := filepath.Glob(filepath.Join(root, "versions", "3.*", "bin", "python3")) // the pattern is right
	paths = slices.DeleteFunc(paths, func(path string) bool {
		out, err := exec.CommandContext(t.Context(), path, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3], sys.version_info >= (3, 8))").Output()
		found, supported, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		return err != nil || supported != "True" || named != "all" && !strings.HasPrefix(found+".", named+".")
	})
	if len(paths) == 0 {
		missing(t, fmt.Sprintf("CPython 3.8 or later (TRACEMILL_TEST_PYTHON=%s) among pyenv's versions", named))
	}
	return paths
}

func minorOf(version string) int {
	n, _ := strconv.Atoi(strings.Split(version+".0", ".")[1])
	return n
}

// TestReplayPrograms proves random walks of all programs that there are to test the tracer and the debuggers. How many, where,
// and which others is said by the environment:
//
//	TRACEMILL_TEST_SEQUENCES  sequences per program, half for each semantics
//	TRACEMILL_TEST_PYTHON     an interpreter's path or version, or all
//	TRACEMILL_TEST_PROGRAMS   a directory of other programs
func TestReplayPrograms(t *testing.T) {
	n := 4
	if testing.Short() {
		n = 2
	}
	if own, err := strconv.Atoi(os.Getenv("TRACEMILL_TEST_SEQUENCES")); err == nil {
		n = own
	}
	data := filepath.Join("..", "tracer", "testdata")
	dirs := []string{filepath.Join(data, "programs"), filepath.Join(data, "replay"), filepath.Join(data, "scripts")}
	if own := os.Getenv("TRACEMILL_TEST_PROGRAMS"); own != "" {
		dirs = append(dirs, own)
	} else if testing.Short() {
		dirs = dirs[1:]
	}
	var total table
	for _, python := range pythons(t) {
		rt := openTestRuntime(t, python)
		var all []*fixture
		for _, dir := range dirs {
			all = append(all, readPrograms(t, dir, minorOf(rt.Image().Version))...)
		}
		start := time.Now()
		reports := proveAll(t, rt, all, proving{schema.WrapMain, (n + 1) / 2, 5})
		total.add(rt.Image().Version, all, reports)
		t.Logf("%s: %v", rt.Image().Version, time.Since(start).Round(time.Second))
		for _, f := range all {
			if f.name == "generator_next_runs_past_yield" {
				testGenerator(t, f.job.Function, f.trace)
			}
			if r := reports[f.name]; r != nil && r.ByWatching > 0 && f.header["watched"] == "" {
				t.Logf("%s: notices a debugger, and its header does not say so", f.name)
			}
		}
	}
	t.Logf("\n%s", total.text())
	if total.sum.Agreed == 0 {
		t.Error("nothing was compared")
	}
}

// asScripts is the programs that have a main as scripts that call it.
func asScripts(programs []*fixture) []*fixture {
	var all []*fixture
	for _, p := range programs {
		f := &schema.Function{Program: strings.TrimRight(p.job.Function.Program, "\n") + "\n\n\nif __name__ == \"__main__\":\n    print(main())\n", Entry: schema.ModuleEntry}
		f.Identify()
		c := schema.Case{}
		c.Identify(f)
		all = append(all, &fixture{name: p.name, header: p.header, job: tracer.Job{Function: f, Cases: []schema.Case{c}}})
	}
	return all
}

// TestReplayScripts proves programs that are run with something on their standard input: all of each by stepping through, and random
// walks. With TRACEMILL_TEST_SEQUENCES it runs the other programs as scripts too.
func TestReplayScripts(t *testing.T) {
	data := filepath.Join("..", "tracer", "testdata")
	n, err := strconv.Atoi(os.Getenv("TRACEMILL_TEST_SEQUENCES"))
	others := err == nil
	if !others {
		n = 20
	}
	var total table
	for _, python := range pythons(t) {
		rt := openTestRuntime(t, python)
		minor := minorOf(rt.Image().Version)
		all := readPrograms(t, filepath.Join(data, "scripts"), minor)
		scripts := len(all)
		if others {
			all = append(all, asScripts(readPrograms(t, filepath.Join(data, "programs"), minor))...)
			all = append(all, asScripts(readPrograms(t, filepath.Join(data, "replay"), minor))...)
		}
		reports := proveAll(t, rt, all, proving{schema.WrapMain, (n + 1) / 2, 2})
		for name, r := range reports {
			if r.Agreed+r.ByWatching != r.Sessions {
				t.Errorf("%s: %+v", name, r)
			}
		}
		for _, f := range all[:scripts] {
			if reports[f.name] == nil && f.trace.Status.Usable() {
				t.Errorf("%s: %s was not proven", rt.Image().Version, f.name)
			}
		}
		total.add(rt.Image().Version, all, reports)
	}
	t.Logf("\n%s", total.text())
}

// TestReplayUnwrapped has the call made from outside of the program.
func TestReplayUnwrapped(t *testing.T) {
	rt := openTestRuntime(t, pythons(t)[0])
	few := slices.DeleteFunc(readPrograms(t, filepath.Join("..", "tracer", "testdata", "replay"), minorOf(rt.Image().Version)), func(f *fixture) bool {
		return !strings.HasPrefix(f.name, "generator_") && !strings.HasPrefix(f.name, "callback_") && f.name != "exception_leaves_the_entry"
	})
	// The entry is itself a generator, which code that is not the program's drives.
	f := &schema.Function{Program: "def generate(n):\n    for i in range(n):\n        yield i\n    return\n", Entry: "generate"}
	f.Identify()
	c := schema.Case{Call: "list(generate(2))"}
	c.Identify(f)
	few = append(few, &fixture{name: "generate", job: tracer.Job{Function: f, Cases: []schema.Case{c}}})
	reports := proveAll(t, rt, few, proving{schema.WrapNone, 2, 2})
	for _, f := range few {
		if r := reports[f.name]; r == nil || r.Agreed == 0 || r.Agreed != r.Sessions {
			t.Errorf("%s: %+v", f.name, r)
		}
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
