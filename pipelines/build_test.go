package pipelines

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/schema/grammar"
	"github.com/tracemill/tracemill/shard"
)

// quiet is a Progress that only logs.
type quiet struct{ t testing.TB }

func (q quiet) Log(line string)       { q.t.Log(line) }
func (q quiet) Start(int, int)        {}
func (q quiet) Part(string, Counters) {}

// runBuild makes a dataset, or skips the test where there is no engine, which in CI is a failure.
func runBuild(t testing.TB, config, out string, sets ...string) *Report {
	t.Helper()
	c, err := Load(config, append(sets, fmt.Sprintf("output=%q", out))...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), c, quiet{t})
	needEngine(t, err)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func needEngine(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, sandbox.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skipf("docker: no engine answers: %v", err)
	}
}

// small is CruxEval's first rows, in parts small enough that a kill leaves some of them done.
func small(t testing.TB, rows int) []string {
	t.Helper()
	text, err := os.ReadFile("cruxeval/cruxeval.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfterN(string(text), "\n", rows+1)[:rows]
	file := filepath.Join(t.TempDir(), "small.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{"sources.0.path=" + file, "run.part_size=3"}
}

// digests is every file that a build publishes, and its drops, with its SHA-256. The report holds times, and is none of them.
func digests(t testing.TB, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == reportFile {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		if strings.HasPrefix(name, "_build") && path != shard.DropsPath(dir) {
			return err
		}
		sums[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil || len(sums) < 5 {
		t.Fatalf("%d files in %s: %v", len(sums), dir, err)
	}
	return sums
}

// How a build is run must not show in what it makes: by one worker, by four, killed and resumed, interrupted and resumed.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole builds")
	}
	sets := append(small(t, 24), "trace.limits.events=10") // so that some are dropped
	reference := t.TempDir()
	runBuild(t, "cruxeval.yaml", reference, append(sets, "run.workers=1")...)
	want := digests(t, reference)
	if drops, err := os.ReadFile(shard.DropsPath(reference)); err != nil || strings.Count(string(drops), "event_limit") < 3 {
		t.Errorf("the drops do not tell one build from another: %v\n%s", err, drops)
	}
	for _, way := range []struct {
		name string
		run  func(t *testing.T, out string, sets []string)
	}{
		{"four workers", func(t *testing.T, out string, sets []string) {
			runBuild(t, "cruxeval.yaml", out, append(sets, "run.workers=4")...)
		}},
		{"killed", killAndResume},
		{"interrupted", interruptAndResume},
	} {
		t.Run(way.name, func(t *testing.T) {
			out := t.TempDir()
			way.run(t, out, slices.Clone(sets))
			if got := digests(t, out); !reflect.DeepEqual(want, got) {
				t.Errorf("made\n%v\nwant\n%v", got, want)
			}
		})
	}
	t.Run("another config", func(t *testing.T) { refusesAnotherConfig(t, reference, sets) })
}

// killedBuild is set in the environment of a test process that is there to be killed.
const killedBuild = "TRACEMILL_TEST_KILLED_BUILD"

// TestKilledBuild is not a test by itself: it is the process that killAndResume kills.
func TestKilledBuild(t *testing.T) {
	if out := os.Getenv(killedBuild); out != "" {
		runBuild(t, "cruxeval.yaml", out, strings.Split(os.Getenv(killedBuild+"_SETS"), "\n")...)
	}
}

func killAndResume(t *testing.T, out string, sets []string) {
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledBuild$")
	child.Env = append(os.Environ(), killedBuild+"="+out, killedBuild+"_SETS="+strings.Join(sets, "\n"))
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	commits := filepath.Join(out, "_build", "commits", "part-*.json")
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if done, _ := filepath.Glob(commits); len(done) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no part was committed")
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	if _, err := os.Stat(filepath.Join(out, "_SUCCESS")); err == nil {
		t.Fatal("the build ended before it was killed: it wants more parts")
	}
	if r := runBuild(t, "cruxeval.yaml", out, sets...); r.PartsResumed == 0 {
		t.Error("nothing of the killed build was kept")
	}
	if left := containersOf(t, out); left != "" {
		t.Errorf("containers are left: %s", left)
	}
}

func interruptAndResume(t *testing.T, out string, sets []string) {
	c, err := Load("cruxeval.yaml", append(sets, fmt.Sprintf("output=%q", out))...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop := &stopAfter{quiet: quiet{t}, cancel: cancel}
	if _, err = Run(ctx, c, stop); !errors.Is(err, context.Canceled) {
		t.Fatalf("Run: %v, want that it was interrupted", err)
	}
	if left := containersOf(t, out); left != "" {
		t.Errorf("containers are left: %s", left)
	}
	if r := runBuild(t, "cruxeval.yaml", out, sets...); !r.Complete || r.PartsResumed == 0 {
		t.Errorf("the build did not go on: %+v", r)
	}
}

// stopAfter cancels a build once a part of it is done.
type stopAfter struct {
	quiet
	cancel context.CancelFunc
	parts  atomic.Int32
}

func (s *stopAfter) Part(string, Counters) {
	if s.parts.Add(1) == 1 {
		s.cancel()
	}
}

func containersOf(t *testing.T, out string) string {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), "docker", "ps", "-aq", "--filter", "label=tracemill.output="+out).Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("docker: the command that lists containers is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// TestQuickstart runs what a newcomer runs, and holds every row against what it was made of.
func TestQuickstart(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole builds")
	}
	out := t.TempDir()
	r := runBuild(t, "quickstart.yaml", out)
	if err := r.Counters.Check(); err != nil {
		t.Error(err)
	}
	if r.Counters["functions.out"] < 40 || r.Counters["status.exception"] == 0 {
		t.Errorf("sums: %v", r.Counters)
	}
	d, err := shard.OpenDataset(out)
	if err != nil {
		t.Fatal(err)
	}
	functions, traces := load(t, d)
	for id, trace := range traces {
		reproduces(t, trace, functions[trace.FunctionID], id)
	}
	rows := 0
	for row, err := range shard.Rows[schema.TrajectoryRow](d, "") {
		if err != nil {
			t.Fatal(err)
		}
		trajectory, err := schema.RowToTrajectory(row)
		if err != nil {
			t.Fatal(err)
		}
		parsesBack(t, trajectory, traces[row.TraceID], functions[row.FunctionID])
		rows++
	}
	if int64(rows) != r.Counters["trajectories.out"] || rows == 0 {
		t.Errorf("%d trajectories, the report says %d", rows, r.Counters["trajectories.out"])
	}

	again := runBuild(t, "quickstart.yaml", out)
	if !again.AlreadyComplete || again.Executions != 0 {
		t.Errorf("the second run did something: %+v", again)
	}
}

func load(t *testing.T, d *shard.Dataset) (map[string]*schema.Function, map[string]*schema.Trace) {
	t.Helper()
	functions, traces := map[string]*schema.Function{}, map[string]*schema.Trace{}
	for row, err := range shard.Rows[schema.FunctionRow](d, "") {
		if err != nil {
			t.Fatal(err)
		}
		if functions[row.ID], err = schema.RowToFunction(row); err != nil {
			t.Fatal(err)
		}
	}
	for row, err := range shard.Rows[schema.TraceRow](d, "") {
		if err != nil {
			t.Fatal(err)
		}
		if traces[row.ID], err = schema.RowToTrace(row); err != nil {
			t.Fatal(err)
		}
	}
	return functions, traces
}

// reproduces: the policy into, forward, is the recorded event sequence, state by state.
func reproduces(t *testing.T, trace *schema.Trace, function *schema.Function, id string) {
	t.Helper()
	tree, err := actions.New(trace, function)
	if err != nil {
		t.Fatal(err)
	}
	walks, err := tree.Sample(actions.Options{
		Directions: []schema.Direction{schema.Forward}, Policy: "into", MaxStates: len(trace.Events) + 1, Tombstones: true,
	})
	if err != nil || len(walks) != 1 {
		t.Fatalf("trace %s: %d walks, %v", id, len(walks), err)
	}
	var states []int32
	for i := range trace.Events {
		if !tree.Hidden(int32(i)) {
			states = append(states, int32(i))
		}
	}
	if !slices.Equal(walks[0].Events, states) {
		t.Errorf("trace %s: states %v, recorded %v", id, walks[0].Events, states)
	}
}

// parsesBack: a row's text says what the trace and the row's actions say.
func parsesBack(t *testing.T, row *schema.Trajectory, trace *schema.Trace, function *schema.Function) {
	t.Helper()
	format, err := grammar.Lookup(row.Format)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := format.Parse(row.Text)
	if err != nil {
		t.Fatalf("trajectory %s: %v", row.ID, err)
	}
	tree, err := actions.New(trace, function)
	if err != nil {
		t.Fatal(err)
	}
	start := row.EventIndex[0]
	if row.Direction == schema.Inverse {
		start = callOf(trace, start)
	}
	walk, err := tree.Follow(actions.Options{Semantics: row.Semantics, Tombstones: true}, row.Direction, start, row.Actions)
	if err != nil {
		t.Fatalf("trajectory %s: %v", row.ID, err)
	}
	if !slices.Equal(walk.EventIndex(), row.EventIndex) || !slices.Equal(walk.Horizons, row.Horizons) {
		t.Errorf("trajectory %s: its actions lead to %v, the row says %v", row.ID, walk.EventIndex(), row.EventIndex)
	}
	if want := format.Project(walk.Document()); !reflect.DeepEqual(parsed, want) {
		t.Errorf("trajectory %s: its text says\n%+v\nwant\n%+v", row.ID, parsed, want)
	}
}

// TestCruxEval: every case of the data set has a trace, and what it returned is what the data set says.
func TestCruxEval(t *testing.T) {
	if testing.Short() {
		t.Skip("short: 800 executions")
	}
	r := runBuild(t, "cruxeval.yaml", t.TempDir(), "trace.determinism=off", "trace.differential=false", "trajectories.per_trace=1")
	for key, want := range map[string]int64{"items.in": 800, "traces.in": 800, "status.ok": 800, "output_matches.yes": 800} {
		if got := r.Counters[key]; got != want {
			t.Errorf("%s = %d, want %d", key, got, want)
		}
	}
}

// refusesAnotherConfig: what is there is left as it is, and the message names what differs.
func refusesAnotherConfig(t *testing.T, out string, sets []string) {
	before := digests(t, out)
	c, err := Load("cruxeval.yaml", append(sets, "trajectories.policy=uniform", fmt.Sprintf("output=%q", out))...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), c, quiet{t})
	var mismatch *shard.MismatchError
	if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "trajectories.policy") {
		t.Errorf("Run: %v, want that trajectories.policy differs", err)
	}
	if after := digests(t, out); !reflect.DeepEqual(before, after) {
		t.Error("the refused run changed the dataset")
	}
}

// Whatever is wrong with where the functions come from, its message names it.
func TestBadSources(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := `{"code": "def f(x):\n    return x", "input": "1", "output": "1"}`
	rows := write("rows.jsonl", good+"\nnot json\n"+`{"code": "def f(x):\n    return x", "output": "1"}`+"\n"+
		`{"code": "def f(x:\n", "input": "1", "output": "1"}`+"\n"+`{"code": "def f(x):\n  return '<|line_sep|>'", "input": "1", "output": "1"}`)
	r := runBuild(t, "cruxeval.yaml", filepath.Join(dir, "out"), "sources.0.path="+rows, "trace.determinism=off")
	want := map[string]int64{"bad_json": 1, "missing_column": 1, "syntax_error": 1, "reserved_token": 1}
	if got := r.Counters.Group("items.dropped"); !reflect.DeepEqual(got, want) {
		t.Errorf("dropped %v, want %v", got, want)
	}
	if r.Counters["traces.out"] != 1 {
		t.Errorf("the good row made %d traces", r.Counters["traces.out"])
	}

	c, err := Load("cruxeval.yaml", "sources.0.path="+filepath.Join(dir, "missing.jsonl"), "output="+filepath.Join(dir, "none"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), c, quiet{t})
	var mistake *ConfigError
	if !errors.As(err, &mistake) || !strings.Contains(err.Error(), "missing.jsonl") {
		t.Errorf("Run: %v, want a *ConfigError that names the file", err)
	}
}

func TestNoEngine(t *testing.T) {
	c, err := Load("quickstart.yaml", "sandbox.docker.host=unix:///nonexistent/docker.sock", fmt.Sprintf("output=%q", t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), c, quiet{t})
	if !errors.Is(err, sandbox.ErrUnavailable) || !strings.Contains(err.Error(), "/nonexistent/docker.sock") {
		t.Errorf("Run: %v, want that names the socket", err)
	}
}
