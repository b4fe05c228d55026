package pipelines

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/moby/moby/client"

	"github.com/tracemill/tracemill/sandbox"
)

// BenchmarkCruxEval builds the dataset of CruxEval with an isolated execution per function, and runs some of the same
// functions by `docker run` each, on the same machine and with as many at once. Nothing is looked for that would harvest twice. It prints
//
//	executions/s     of the build, harvest, trajectories and Parquet included
//	docker-run/s     one container per function
//	ratio            of the two
//	go-cpu-share     this process's CPU time in that of itself and of all sandboxes
//
// Machines are noisy: the ratio is what counts. Run it alone, with -benchtime 1x.
func BenchmarkCruxEval(b *testing.B) {
	baseline := dockerRuns(b, 12)
	for b.Loop() {
		meter := &cpuMeter{quiet: quiet{b}}
		before := processCPU(b)
		c, err := Load("cruxeval.yaml", fmt.Sprintf("output=%q", b.TempDir()), "trace.determinism=off", "trace.differential=false",
			"harvest.duplicates.exact=keep", "harvest.duplicates.near=keep", "trajectories.per_trace=1", "run.part_size=50")
		if err != nil {
			b.Fatal(err)
		}
		meter.output = c.Output
		r, err := Run(b.Context(), c, meter)
		needEngine(b, err)
		if err != nil {
			b.Fatal(err)
		}
		own := processCPU(b) - before
		perSecond := float64(r.Executions) / meter.working().Seconds()
		b.ReportMetric(perSecond, "executions/s")
		b.ReportMetric(baseline, "docker-run/s")
		b.ReportMetric(perSecond/baseline, "ratio")
		b.ReportMetric(own.Seconds()/(own+meter.sandboxes(b)).Seconds(), "go-cpu-share")
	}
}

// dockerRuns is how many functions a second `docker run` gets through, one container each, two at once.
func dockerRuns(b *testing.B, n int) float64 {
	b.Helper()
	image, err := sandbox.EnsureImage(b.Context(), sandbox.DockerOptions{Image: "host", Log: func(s string) { b.Log(s) }})
	needEngine(b, err)
	if err != nil {
		b.Fatal(err)
	}
	reference := imageReference(b, image.Version)
	const program = "def f(a):\n    return sorted(a)\nprint(f([3, 1, 2]))"
	begin := time.Now()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range n / 2 {
				run := exec.CommandContext(b.Context(), "docker", "run", "--rm", "--network", "none", "--log-driver", "none", reference,
					image.Python, "-I", "-S", "-c", program)
				if out, err := run.CombinedOutput(); err != nil {
					b.Errorf("docker run: %v: %s", err, out)
				}
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(begin).Seconds()
}

func imageReference(b *testing.B, version string) string {
	b.Helper()
	out, err := exec.CommandContext(b.Context(), "docker", "images", "--format", "{{.Repository}}:{{.Tag}}", "tracemill/host").Output()
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, ":"+version+"-") {
			return strings.TrimSpace(line)
		}
	}
	b.Fatalf("no image of CPython %s in %s", version, out)
	return ""
}

// lastParts is how many parts are asked after: sandboxes live till the last part of their worker, and asking costs this
// process CPU time, which is what is measured.
const lastParts = 4

// cpuMeter is a Progress that asks the engine, at the end of the last parts, what the build's sandboxes have used.
type cpuMeter struct {
	quiet
	output string

	used        map[string]time.Duration
	mu          sync.Mutex // guards what follows
	begin, last time.Time
	left        int // parts that are not done
	asking      sync.WaitGroup
	askingMu    sync.Mutex // guards used
}

func (m *cpuMeter) Start(parts, _ int) { m.begin, m.left = time.Now(), parts }

func (m *cpuMeter) Part(string, Counters) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = time.Now()
	if m.left--; m.left < lastParts {
		m.asking.Go(m.ask) // not here: the engine may take its time, and the build would wait
	}
}

func (m *cpuMeter) ask() {
	m.askingMu.Lock()
	defer m.askingMu.Unlock()
	if m.used == nil {
		m.used = map[string]time.Duration{}
	}
	engine, err := client.New(client.FromEnv)
	if err != nil {
		m.t.Log(err)
		return
	}
	defer engine.Close()
	list, err := engine.ContainerList(context.Background(), client.ContainerListOptions{
		Filters: make(client.Filters).Add("label", "tracemill.output="+m.output),
	})
	if err != nil {
		m.t.Log(err)
		return
	}
	for _, container := range list.Items {
		stats, err := engine.ContainerStats(context.Background(), container.ID, client.ContainerStatsOptions{})
		if err != nil {
			continue
		}
		var s struct {
			CPU struct {
				Usage struct {
					Total int64 `json:"total_usage"`
				} `json:"cpu_usage"`
			} `json:"cpu_stats"`
		}
		if json.NewDecoder(stats.Body).Decode(&s) == nil {
			m.used[container.ID] = max(m.used[container.ID], time.Duration(s.CPU.Usage.Total))
		}
		stats.Body.Close()
	}
}

// working is the time from the first part's start to the last part's end, without making the image and the shards.
func (m *cpuMeter) working() time.Duration { return m.last.Sub(m.begin) }

func (m *cpuMeter) sandboxes(b *testing.B) time.Duration {
	b.Helper()
	m.asking.Wait()
	var sum time.Duration
	for _, d := range m.used {
		sum += d
	}
	if sum == 0 {
		b.Error("the engine told nothing of the sandboxes' CPU time")
	}
	return sum
}

func processCPU(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkMemory builds datasets of more and more cases (TRACEMILL_BENCH_CASES, by default 500 and 2000) and prints the
// process's largest resident size in each. It must not grow with them.
func BenchmarkMemory(b *testing.B) {
	sizes := "500,2000"
	if s := os.Getenv("TRACEMILL_BENCH_CASES"); s != "" {
		sizes = s
	}
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size, func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "rows.jsonl")
			writeRows(b, file, n)
			for b.Loop() {
				var peak atomic.Int64
				stop := watchMemory(b, &peak)
				runBuild(b, "cruxeval.yaml", b.TempDir(), "sources.0.path="+file, "trace.determinism=off", "trace.differential=false")
				stop()
				b.ReportMetric(float64(peak.Load())/(1<<20), "peak-MiB")
			}
		})
	}
}

// writeRows makes n functions that differ, so that none is taken for another.
func writeRows(b *testing.B, path string, n int) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	e := json.NewEncoder(f)
	for i := range n {
		code := fmt.Sprintf("def f(a):\n    s = %d\n    for x in a:\n        s += x\n    return s\n", i)
		if err := e.Encode(map[string]string{"code": code, "input": "[1, 2, 3]", "output": strconv.Itoa(i + 6)}); err != nil {
			b.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// watchMemory keeps the largest resident size of this process until it is stopped.
func watchMemory(b *testing.B, peak *atomic.Int64) (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
			}
			text, err := os.ReadFile("/proc/self/statm")
			if err != nil {
				b.Error(err)
				return
			}
			var all, resident int64
			if _, err := fmt.Sscan(string(text), &all, &resident); err == nil {
				peak.Store(max(peak.Load(), resident*int64(os.Getpagesize())))
			}
		}
	})
	return func() { close(done); wg.Wait() }
}
