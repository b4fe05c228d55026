package pipelines

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
)

// BenchmarkCruxEval builds the dataset of CruxEval with an isolated execution per function, and runs some of the same
// functions by `docker run` each, on the same machine and with as many at once. Nothing is looked for that would harvest twice. It prints
//
//	executions/s     of the build, harvest, trajectories and Parquet included
//	docker-run/s     one container per function
//	ratio            of the two
//	go-cpu-share     the building process's CPU time in that of itself and of all its sandboxes
//
// Machines are noisy: the ratio is what counts. Run it alone, with -benchtime 1x.
func BenchmarkCruxEval(b *testing.B) {
	baseline := dockerRuns(b, 12)
	for b.Loop() {
		out := b.TempDir()
		meter := startCPUMeter(b, out)
		m := measureBuild(b, out, "trace.determinism=off", "trace.differential=false",
			"harvest.duplicates.exact=keep", "harvest.duplicates.near=keep", "trajectories.per_trace=1", "run.part_size=50")
		sandboxes := meter.stop(b)
		perSecond := float64(m.Executions) / m.Working.Seconds()
		b.ReportMetric(perSecond, "executions/s")
		b.ReportMetric(baseline, "docker-run/s")
		b.ReportMetric(perSecond/baseline, "ratio")
		b.ReportMetric(m.CPU.Seconds()/(m.CPU+sandboxes).Seconds(), "go-cpu-share")
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

// BenchmarkMemory builds datasets of more and more cases (TRACEMILL_BENCH_CASES, by default 500 and 2000), each in a process of its own, and
// prints its largest resident size. It must not grow with them.
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
				m := measureBuild(b, b.TempDir(), "sources.0.path="+file, "trace.determinism=off", "trace.differential=false")
				b.ReportMetric(float64(m.Peak)/(1<<20), "peak-MiB")
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
