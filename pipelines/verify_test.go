package pipelines

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/schema/grammar"
	"github.com/tracemill/tracemill/shard"
	"github.com/tracemill/tracemill/tracer"
)

type silent struct{}

func (silent) Log(string)            {}
func (silent) Start(int, int)        {}
func (silent) Part(string, Counters) {}

// content is the rows of a small dataset, and the plan that it is written under.
type content struct {
	plan         shard.Plan
	sums         Counters
	functions    []*schema.FunctionRow
	traces       []*schema.TraceRow
	trajectories []*schema.TrajectoryRow
}

// write publishes the content, whatever it holds, with the checksums of what it holds.
func (c *content) write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	build, err := shard.Open(dir, c.plan)
	if err != nil {
		t.Fatal(err)
	}
	part, err := build.Begin(build.Plan().Parts[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range c.functions {
		err = errors.Join(err, part.WriteFunction(row))
	}
	for _, row := range c.traces {
		err = errors.Join(err, part.WriteTrace(row))
	}
	for _, row := range c.trajectories {
		err = errors.Join(err, part.WriteTrajectory(row))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Commit(c.sums); err != nil {
		t.Fatal(err)
	}
	if _, err := build.Finalize(t.Context(), shard.FinalizeOptions{}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// recorded is some fixtures and their traces, from which contents are made.
type recorded struct {
	runtime   sandbox.Runtime
	config    *Config
	functions []*schema.Function
	traces    []*schema.TraceRow
}

func record(t *testing.T) *recorded {
	t.Helper()
	r := &recorded{runtime: openTestRuntime(t, ""), config: Default()}
	r.config.Trajectories.PerTrace = 3
	r.config.Trajectories.Formats = []string{"neural-debugger", "cwm"}
	r.config.Splits = []SplitConfig{{"train", 0.5}, {"test", 0.5}}
	var jobs []tracer.Job
	for _, f := range readPrograms(t, filepath.Join("..", "tracer", "testdata", "replay"), minorOf(r.runtime.Image().Version)) {
		if slices.Contains([]string{"exception_caught_in_caller", "exception_leaves_the_entry", "generator_next_runs_past_yield"}, f.name) {
			jobs = append(jobs, f.job)
			r.functions = append(r.functions, f.job.Function)
		}
	}
	tr, err := tracer.New(t.Context(), r.runtime, "verify-test", r.config.Trace)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	err = tr.Run(t.Context(), jobs, func(_ int, traces []*schema.Trace) error {
		row, err := schema.TraceToRow(traces[0], "")
		r.traces = append(r.traces, row)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// content makes rows of what was recorded. lie changes each trace before anything is made of it.
func (r *recorded) content(t *testing.T, lie func(*schema.Trace)) *content {
	t.Helper()
	settings, err := r.config.settings()
	if err != nil {
		t.Fatal(err)
	}
	settings["image"], settings["python"] = r.runtime.Image().ID, r.runtime.Image().Version
	c := &content{
		plan: shard.Plan{Settings: settings, Parts: shard.SplitParts(1, 1), Splits: []shard.Split{{Name: "train", Fraction: 0.5}, {Name: "test", Fraction: 0.5}}},
		sums: Counters{},
	}
	w := &worker{config: r.config}
	for _, name := range r.config.Trajectories.Formats {
		format, err := grammar.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		w.formats = append(w.formats, format)
	}
	for i, row := range r.traces {
		trace, err := schema.RowToTrace(row)
		if err == nil {
			err = c.add(w, r.functions[i], trace, lie)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *content) add(w *worker, f *schema.Function, trace *schema.Trace, lie func(*schema.Trace)) error {
	if lie != nil {
		lie(trace)
	}
	split := shard.SplitOf(shard.SplitKey(f), c.plan.Splits)
	functionRow, err := schema.FunctionToRow(f, split)
	if err != nil {
		return err
	}
	traceRow, err := schema.TraceToRow(trace, split)
	if err != nil {
		return err
	}
	c.functions, c.traces = append(c.functions, functionRow), append(c.traces, traceRow)
	countTrace(c.sums, trace)
	c.sums.leave("traces", 1)
	tree, err := actions.New(trace, f)
	if err != nil {
		return err
	}
	for _, format := range w.formats {
		walks, err := w.walks(tree, format)
		if err != nil {
			return err
		}
		for _, walk := range walks {
			row, reason := w.render(walk, format, trace, f)
			c.sums.enter("trajectories", 1)
			if reason != "" {
				c.sums.drop("trajectories", reason)
				continue
			}
			countTrajectory(c.sums, row)
			made, err := schema.TrajectoryToRow(row, f.Origin, trace.PythonVersion, split)
			if err != nil {
				return err
			}
			c.trajectories = append(c.trajectories, made)
		}
	}
	return nil
}

// wrong is the checks that found something.
func wrong(r *VerifyReport) []string {
	var names []string
	for _, c := range r.Checks {
		if c.Faults > 0 {
			names = append(names, c.Name)
		}
	}
	if r.Replay != nil && r.Replay.Disagreed > 0 {
		names = append(names, "replay")
	}
	return names
}

// TestVerifyFindsCorruption corrupts a dataset in one way after the other. Each has to be found by the check that is for it.
func TestVerifyFindsCorruption(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole builds")
	}
	good := record(t).content(t, nil)
	exit := slices.IndexFunc(good.trajectories, func(r *schema.TrajectoryRow) bool {
		return r.Direction == "forward" && r.Format == "neural-debugger" && len(r.EventIndex) > 3 && r.Exit != "cut"
	})
	inverse := slices.IndexFunc(good.trajectories, func(r *schema.TrajectoryRow) bool { return r.Direction == "inverse" && len(r.EventIndex) > 4 })
	if exit < 0 || inverse < 0 {
		t.Fatal("the fixtures make no trajectories to corrupt")
	}
	reidentify := func(r *schema.TrajectoryRow) {
		made, err := schema.RowToTrajectory(r)
		if err != nil {
			t.Fatal(err)
		}
		made.Identify()
		r.ID = made.ID
	}
	tests := []struct {
		name    string
		corrupt func(c *content)
		want    string
	}{
		{"nothing", func(*content) {}, ""},
		{"value of a trace", func(c *content) {
			c.traces[0].Values[c.traces[0].ChangeValue[0]] += "0"
		}, "texts"},
		{"line of an event", func(c *content) { c.traces[0].EventLine[1]++ }, "texts"},
		{"frame of an event", func(c *content) {
			for _, row := range c.traces {
				row.EventFrame[len(row.EventFrame)-1] = row.EventFrame[2]
			}
		}, "transitions"},
		{"event_index shifted", func(c *content) { c.trajectories[exit].EventIndex[1]++ }, "transitions"},
		{"event_index of an inverse one", func(c *content) { c.trajectories[inverse].EventIndex[1]-- }, "transitions"},
		{"horizon", func(c *content) { c.trajectories[exit].Horizons[0]++ }, "transitions"},
		{"exit", func(c *content) {
			r := c.trajectories[exit]
			r.Exit = map[string]string{"normal": "error", "error": "normal"}[r.Exit]
		}, "transitions"},
		{"text altered, the id made to fit", func(c *content) {
			r := c.trajectories[exit]
			r.Text = strings.Replace(r.Text, "return", "RETURN", 1)
			reidentify(r)
		}, "texts"},
		{"text that does not parse", func(c *content) {
			r := c.trajectories[exit]
			r.Text = strings.Replace(r.Text, "<|src_sep|>", "<|src-sep|>", 1)
			reidentify(r)
		}, "grammar round trip"},
		{"target span", func(c *content) { c.trajectories[exit].Targets[0].End-- }, "target spans"},
		{"target left out", func(c *content) { c.trajectories[exit].Targets = c.trajectories[exit].Targets[1:] }, "target spans"},
		{"split of a function", func(c *content) {
			c.functions[0].Split = map[string]string{"train": "test", "test": "train"}[c.functions[0].Split]
		}, "splits"},
		{"repository in two splits", func(c *content) {
			for i, split := range []string{"train", "test"} {
				c.functions[i].Repo, c.functions[i].Split = "one/repo", split
			}
		}, "split disjointness"},
		{"id of a function", func(c *content) { c.functions[0].ID = strings.Repeat("0", 32) }, "function ids"},
		{"id of a case", func(c *content) { c.traces[0].CaseID = strings.Repeat("0", 32) }, "case ids"},
		{"id of a trajectory", func(c *content) { c.trajectories[0].ID = strings.Repeat("0", 32) }, "trajectory ids"},
		{"trace of no function", func(c *content) { c.functions = c.functions[1:] }, "foreign keys"},
		{"trajectory of no trace", func(c *content) { c.traces = c.traces[1:] }, "foreign keys"},
		{"trace of no use", func(c *content) { c.traces[0].Status = "perturbed" }, "statuses"},
		{"licence of the row", func(c *content) { c.trajectories[0].License = "MIT" }, "copied columns"},
		{"trajectory missing", func(c *content) { c.trajectories = c.trajectories[1:] }, "report's sums"},
		{"sums that do not add up", func(c *content) { c.sums["trajectories.in"]++ }, "report's sums"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := good.clone()
			test.corrupt(c)
			r, err := Verify(t.Context(), c.write(t), VerifyOptions{Sample: SampleNone}, silent{})
			if err != nil {
				t.Fatal(err)
			}
			if found := wrong(r); test.want == "" && len(found) > 0 || test.want != "" && !slices.Contains(found, test.want) {
				t.Errorf("found by %v, want %q: %+v", found, test.want, r.Faults)
			}
			if r.OK() != (test.want == "") {
				t.Errorf("OK is %v", r.OK())
			}
		})
	}
	t.Run("byte of a file", func(t *testing.T) {
		dir := good.clone().write(t)
		files, err := filepath.Glob(filepath.Join(dir, "trajectories", "*.parquet"))
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(files[0], data, 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Verify(t.Context(), dir, VerifyOptions{Sample: SampleNone}, silent{})
		if err != nil {
			t.Fatal(err)
		}
		if found := wrong(r); !slices.Contains(found, "files") {
			t.Errorf("found by %v", found)
		}
	})
}

// clone copies what the corruptions of TestVerifyFindsCorruption change.
func (c *content) clone() *content {
	d := &content{plan: c.plan, sums: Counters{}}
	d.sums.Add(c.sums)
	for _, row := range c.functions {
		copied := *row
		d.functions = append(d.functions, &copied)
	}
	for _, row := range c.traces {
		copied := *row
		copied.Values = slices.Clone(row.Values)
		copied.EventLine, copied.EventFrame = slices.Clone(row.EventLine), slices.Clone(row.EventFrame)
		d.traces = append(d.traces, &copied)
	}
	for _, row := range c.trajectories {
		copied := *row
		copied.EventIndex, copied.Horizons, copied.Targets = slices.Clone(row.EventIndex), slices.Clone(row.Horizons), slices.Clone(row.Targets)
		d.trajectories = append(d.trajectories, &copied)
	}
	return d
}

// TestVerifyFindsLies has datasets made of recordings that are wrong, and in which all else follows from them: only the real
// debugger can tell.
func TestVerifyFindsLies(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole builds")
	}
	all := record(t)
	for name, lie := range map[string]func(*schema.Trace){
		"":      nil,
		"value": func(trace *schema.Trace) { trace.Values[trace.Changes[0].Value] += "0" },
		"line": func(trace *schema.Trace) {
			for i := range trace.Events {
				if trace.Events[i].Kind == schema.KindLine && trace.Events[i].Line > 2 {
					trace.Events[i].Line--
					return
				}
			}
		},
		"depth": func(trace *schema.Trace) { trace.Events[len(trace.Events)-1].Depth++ },
		"kind": func(trace *schema.Trace) {
			last := &trace.Events[len(trace.Events)-1]
			last.Kind = schema.KindUnwind
		},
		"event left out": func(trace *schema.Trace) {
			for i := range trace.Events {
				if i > 3 && trace.Events[i].Kind == schema.KindLine && len(trace.ChangesOf(i)) == 0 {
					trace.Events = slices.Delete(trace.Events, i, i+1)
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := all.content(t, lie).write(t)
			r, err := Verify(t.Context(), dir, VerifyOptions{Sample: SampleAll, Sequences: SequencesNone, Runtime: all.runtime}, silent{})
			if err != nil {
				t.Fatal(err)
			}
			found := wrong(r)
			if lie == nil && (len(found) > 0 || r.Replay.Agreed == 0) {
				t.Errorf("found by %v without a lie: %+v %+v", found, r.Faults, r.Replay)
			}
			if lie != nil && !slices.Contains(found, "replay") {
				t.Errorf("found by %v: %+v", found, r.Replay)
			}
			if lie != nil && (r.Replay.Smallest == nil || r.Replay.Smallest.Program == "" || r.Replay.Smallest.Recorded == r.Replay.Smallest.Real) {
				t.Errorf("the smallest disagreement is %+v", r.Replay.Smallest)
			}
		})
	}
}

func TestVerifyRefusesAnotherInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole builds")
	}
	all := record(t)
	c := all.content(t, nil)
	for _, row := range c.traces {
		row.PythonVersion = "3.8.0"
	}
	for _, row := range c.trajectories {
		row.PythonVersion = "3.8.0"
	}
	_, err := Verify(t.Context(), c.write(t), VerifyOptions{Runtime: all.runtime}, silent{})
	if err == nil || !strings.Contains(err.Error(), "3.8.0") || !strings.Contains(err.Error(), "--image") {
		t.Errorf("error %v, want one that names the version and the way out", err)
	}
}
