package pipelines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
)

const surveyed = `def f(values):
    total = 0
    for value in values:
        if value > 1:
            total += value * 3 - len(values)
    return total
`

// surveyRows are a function, copies of it among others in later parts, a benchmark's function, and one with secrets.
func surveyRows(t *testing.T) []string {
	t.Helper()
	renamed := strings.NewReplacer("total", "result", "value", "x").Replace(surveyed)
	commented := "import os\n" + strings.Replace(renamed, "    result = 0", "    '''Adds.'''\n    result = 0  # nothing yet", 1)
	other := func(n int) string {
		return fmt.Sprintf("def f(values):\n    return [%d * value for value in values if value %% %d]\n", n, n+2)
	}
	secret := "def f(values):\n    mail = 'ann@firm.com'\n    name, _, host = mail.partition('@')\n    print(mail)\n    return name + '@' + 'corp.com'\n"
	programs := []string{other(1), surveyed, other(2), other(3), renamed, surveyed, other(4), commented, "def f(values):\n    return sorted(set(values), key=lambda v: -v)[:3]\n", secret}
	var lines []string
	for i, program := range programs {
		line, err := json.Marshal(map[string]string{"id": fmt.Sprint("row-", i), "code": program, "input": "[1, 2, 3]"})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return lines
}

func surveyConfig(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("rows.jsonl", strings.Join(surveyRows(t), "\n")+"\n")
	write("benchmark.py", "def top_three(numbers):\n    # of each only one\n    return sorted(set(numbers), key=lambda n: -n)[:3]\n")
	write("config.yaml", `output: out
sources:
  - {type: jsonl, path: rows.jsonl, columns: {code: code, input: input, id: id}, entry: f}
harvest:
  decontaminate: [{path: benchmark.py}]
run: {part_size: 2}
`)
	return filepath.Join(dir, "config.yaml")
}

func rowsOf[R schema.Row](t *testing.T, dir string) []*R {
	t.Helper()
	dataset, err := shard.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []*R
	for _, split := range dataset.Manifest().Splits {
		for row, err := range shard.Rows[R](dataset, split.Name) {
			if err != nil {
				t.Fatal(err)
			}
			copied := *row
			all = append(all, &copied)
		}
	}
	return all
}

func TestSurveyedBuild(t *testing.T) {
	config, out := surveyConfig(t), filepath.Join(t.TempDir(), "out")
	report := runBuild(t, config, out, "run.workers=1")
	var kept []int64
	first := ""
	ids := map[string]bool{}
	for _, f := range rowsOf[schema.FunctionRow](t, out) {
		kept = append(kept, f.OriginRow)
		if ids[f.ID] {
			t.Errorf("function %s is there twice", f.ID)
		}
		ids[f.ID] = true
		if f.OriginRow == 2 {
			first = f.ID
		}
		if wanted := f.OriginRow == 2; (f.Cluster == f.ID) != wanted || !wanted && f.Cluster != "" {
			t.Errorf("row %d has cluster %q", f.OriginRow, f.Cluster)
		}
	}
	slices.Sort(kept)
	if want := []int64{1, 2, 3, 4, 7, 10}; !slices.Equal(kept, want) {
		t.Errorf("rows %v are kept, want %v", kept, want)
	}
	functions := report.Counters.Group("functions.dropped")
	if want := map[string]int64{"duplicate_exact": 3, "contaminated": 1}; !maps.Equal(functions, want) {
		t.Errorf("dropped: %v, want %v", functions, want)
	}
	if n := report.Counters["contaminated.benchmark.py"]; n != 1 {
		t.Errorf("%d functions are like the benchmark's, want 1", n)
	}

	again := filepath.Join(t.TempDir(), "again")
	runBuild(t, config, again, "run.workers=3")
	if !reflect.DeepEqual(digests(t, out), digests(t, again)) {
		t.Error("more workers give other bytes")
	}

	marked := filepath.Join(t.TempDir(), "marked")
	runBuild(t, config, marked, "harvest.duplicates.exact=mark", "harvest.duplicates.near=keep")
	clusters := 0
	for _, f := range rowsOf[schema.FunctionRow](t, marked) {
		if f.Cluster == first {
			clusters++
		}
	}
	if clusters != 4 {
		t.Errorf("%d functions are of the cluster, want 4", clusters)
	}
}

// TestMaskedBuild shows that a dataset without its secrets is still what the real debugger does.
func TestMaskedBuild(t *testing.T) {
	config, out := surveyConfig(t), filepath.Join(t.TempDir(), "out")
	report := runBuild(t, config, out, "harvest.duplicates.exact=keep", "harvest.duplicates.near=keep", "harvest.decontaminate=[]", "verify.sample=-1")
	if report.Verified == nil || !report.Verified.OK() {
		t.Errorf("verified: %+v", report.Verified)
	}
	shown := ""
	for _, row := range rowsOf[schema.TraceRow](t, out) {
		shown += strings.Join(row.Values, "\n") + row.Output + row.Stdout
	}
	for _, row := range rowsOf[schema.TrajectoryRow](t, out) {
		shown += row.Text
	}
	if strings.Contains(shown, "firm.com") || strings.Contains(shown, "@corp.com") || strings.Contains(shown, "ann@") {
		t.Error("a secret is shown")
	}
	if !strings.Contains(shown, "@example.com") {
		t.Error("no mask is shown")
	}

	dropped := filepath.Join(t.TempDir(), "dropped")
	report = runBuild(t, config, dropped, "harvest.secrets={source: keep, values: drop}")
	if n := report.Counters["traces.dropped.secret"]; n != 1 {
		t.Errorf("%d traces are dropped, want 1", n)
	}
	verified, err := Verify(t.Context(), dropped, VerifyOptions{Sample: SampleNone}, quiet{t})
	if err != nil || !verified.OK() {
		t.Errorf("verified: %v, %v", verified, err)
	}
}

// TestKilledSurvey ends a build while it surveys, and has it go on.
func TestKilledSurvey(t *testing.T) {
	config, clean, killed := surveyConfig(t), filepath.Join(t.TempDir(), "clean"), filepath.Join(t.TempDir(), "killed")
	runBuild(t, config, clean)
	c, err := Load(config, "run.workers=1", fmt.Sprintf("output=%q", killed))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	records := filepath.Join(shard.StateDir(killed), "survey", "*", "records", "part-*[0-9]")
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		for ctx.Err() == nil {
			if done, _ := filepath.Glob(records); len(done) > 0 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err = Run(ctx, c, quiet{t})
	cancel()
	<-watching
	if err == nil {
		t.Log("the survey was faster than who watched it")
	} else if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	runBuild(t, config, killed)
	if !reflect.DeepEqual(digests(t, clean), digests(t, killed)) {
		t.Error("a survey that was killed and goes on gives other bytes")
	}
}

// TestSurveyGoesOn makes a survey whose parts are partly there, and refuses directories before it writes anything into them.
func TestSurveyGoesOn(t *testing.T) {
	config, out := surveyConfig(t), filepath.Join(t.TempDir(), "out")
	runBuild(t, config, out)
	state, err := filepath.Glob(filepath.Join(shard.StateDir(out), "survey", "*"))
	if err != nil || len(state) != 1 {
		t.Fatal(state, err)
	}
	if _, err := os.Stat(filepath.Join(state[0], "records")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the records are still there: %v", err)
	}
	if err := os.Remove(filepath.Join(state[0], "digest")); err != nil {
		t.Fatal(err)
	}
	if r := runBuild(t, config, out); !r.AlreadyComplete {
		t.Error("a survey that is made anew is another one")
	}

	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "mine.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(config, fmt.Sprintf("output=%q", foreign))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), c, quiet{t})
	needEngine(t, err)
	var refused *shard.ForeignError
	if !errors.As(err, &refused) {
		t.Errorf("files of somebody else: %v", err)
	}
	if _, err := os.Stat(shard.StateDir(foreign)); err == nil {
		t.Error("the survey wrote into a directory that is not its own")
	}
}
