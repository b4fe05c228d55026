package tracer

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// corpus is the jobs of a JSONL file of {"code", "input", "output"} rows, as CruxEval has them: TRACEMILL_CORPUS, or the copy that
// the pipelines ship.
func corpus(tb testing.TB) []Job {
	tb.Helper()
	name := os.Getenv("TRACEMILL_CORPUS")
	if name == "" {
		name = filepath.Join("..", "pipelines", "cruxeval", "cruxeval.jsonl")
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skipf("needs a corpus: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var jobs []Job
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var item struct{ Code, Input, Output string }
		if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
			tb.Fatal(err)
		}
		job := program(item.Code+"\n", "f("+item.Input+")")
		job.Cases[0].Expected, job.Cases[0].HasExpected = item.Output, true
		jobs = append(jobs, job)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return jobs
}

// cpu is the CPU time that this process has used.
func cpu(tb testing.TB) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkExecutions runs the corpus in each runtime, with each guard on and off. go-cpu/wall is our own share of a core.
func BenchmarkExecutions(b *testing.B) {
	jobs := corpus(b)
	for _, o := range openers {
		b.Run("runtime="+strings.ReplaceAll(o.name, " ", "_"), func(b *testing.B) { benchmarkExecutions(b, o.openWith(b, ""), jobs) })
	}
}

func benchmarkExecutions(b *testing.B, rt sandbox.Runtime, jobs []Job) {
	for _, bench := range []struct {
		name string
		opts Options
	}{
		{"guards=off", Options{}},
		{"guards=differential", Options{Differential: true}},
		{"guards=determinism", Options{Determinism: DeterminismCheck}},
		{"guards=both", Options{Differential: true, Determinism: DeterminismCheck}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			tr := newTracer(b, rt, bench.opts)
			runAll(b, tr, jobs[:1]) // starts the servers
			before, used := tr.Stats(), cpu(b)
			for b.Loop() {
				err := tr.Run(b.Context(), jobs, func(int, []*schema.Trace) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
			}
			after := tr.Stats()
			seconds, events := b.Elapsed().Seconds(), float64(after.Events-before.Events)
			b.ReportMetric(float64(after.Executions-before.Executions)/seconds, "executions/s")
			b.ReportMetric(events/seconds, "events/s")
			b.ReportMetric(float64(after.Bytes-before.Bytes)/events, "B/event")
			b.ReportMetric((cpu(b)-used).Seconds()/seconds, "go-cpu/wall")
		})
	}
}

// Every row of the corpus has a usable trace, whose output is the data set's own. It is a sample, but of a corpus that
// TRACEMILL_CORPUS names: the pipelines' TestCruxEval has the other rows.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a whole corpus")
	}
	jobs := corpus(t)
	if os.Getenv("TRACEMILL_CORPUS") == "" {
		jobs = jobs[:100]
	}
	tr := newTracer(t, openRuntime(t), Options{Differential: true})
	same := 0
	for i, traces := range runAll(t, tr, jobs) {
		trace := traces[0]
		if !trace.Status.Usable() {
			t.Errorf("row %d: %s (%s)", i+1, trace.Status, trace.StatusDetail)
		}
		if trace.Output == trace.Expected {
			same++
		}
	}
	// The rest are literals in another notation; the pipelines compare values.
	if same < len(jobs)*9/10 {
		t.Errorf("%d of %d outputs are the data set's text", same, len(jobs))
	}
	t.Logf("%d of %d outputs are the data set's text; %+v", same, len(jobs), tr.Stats())
}
