package pipelines

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// atOnce is how many workers, or processes, or containers, each way of running gets.
const atOnce = 2

// benchFunctions is how many each way runs that is not slow: seconds of them. All ways take turns so many times, since what a
// machine has to give changes by the minute.
const (
	benchFunctions = 1600
	benchRounds    = 4
)

// way is one of the ways to run functions that BenchmarkIsolation compares.
type way struct {
	name      string
	functions int // that it runs; slow ways get few
	run       func(b *testing.B, jobs []tracer.Job) time.Duration
}

// BenchmarkIsolation runs functions of CruxEval, traced and without guards, in ways that isolate more and more, two at once each, and
// prints executions/s and their ratios to a bare fork for each function and to `docker run` for each function, which starts an
// interpreter and does not trace. It does so with one case for each function and with eight, which a process may share.
// Run it alone, with -benchtime 1x.
func BenchmarkIsolation(b *testing.B) {
	image, err := sandbox.EnsureImage(b.Context(), sandbox.DockerOptions{Image: "host", Log: func(s string) { b.Log(s) }})
	needEngine(b, err)
	if err != nil {
		b.Fatal(err)
	}
	reference := imageReference(b, image.Version)
	ways := []way{
		{"docker run", 12, func(b *testing.B, jobs []tracer.Job) time.Duration {
			return commands(b, jobs, dockerRun(reference, image))
		}},
		{"docker exec", 24, func(b *testing.B, jobs []tracer.Job) time.Duration {
			return commands(b, jobs, dockerExec(b, reference, image))
		}},
		{"no isolation", benchFunctions, func(b *testing.B, jobs []tracer.Job) time.Duration { return floor(b, jobs, "process") }},
		{"bare fork", benchFunctions, func(b *testing.B, jobs []tracer.Job) time.Duration { return floor(b, jobs, "fork") }},
	}
	for _, runtime := range []string{"docker", "bwrap"} {
		for _, isolation := range []tracer.Isolation{tracer.PerFunction, tracer.PerCase, tracer.PerContainer} {
			functions := benchFunctions
			if isolation == tracer.PerContainer {
				functions = 12
			}
			ways = append(ways, way{fmt.Sprintf("%s %s", runtime, isolation), functions, func(b *testing.B, jobs []tracer.Job) time.Duration {
				return sandboxes(b, jobs, runtime, tracer.Options{Isolation: isolation})
			}})
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-24s %5s %14s %8s %11s\n", "", "cases", "executions/s", "/ fork", "/ docker run")
	for b.Loop() {
		for _, cases := range []int{1, 8} {
			took := map[string]time.Duration{}
			for range benchRounds {
				for _, w := range ways {
					took[w.name] += w.run(b, cruxJobs(b, w.functions/benchRounds, cases))
				}
			}
			rates := map[string]float64{}
			for _, w := range ways {
				rates[w.name] = float64(w.functions*cases) / took[w.name].Seconds()
			}
			for _, w := range ways {
				rate := rates[w.name]
				fmt.Fprintf(&table, "%-24s %5d %14.1f %8.2f %11.1f\n", w.name, cases, rate, rate/rates["bare fork"], rate/rates["docker run"])
			}
			b.ReportMetric(rates["docker per_function"]/rates["bare fork"], fmt.Sprintf("of-fork/%d-cases", cases))
			b.ReportMetric(rates["docker per_function"]/rates["docker run"], fmt.Sprintf("of-docker-run/%d-cases", cases))
		}
	}
	fmt.Print(table.String()) // a benchmark's log is cut after ten lines
}

// cruxJobs is functions of CruxEval, all of them again where there are not so many, each with its case so many times.
func cruxJobs(b *testing.B, functions, cases int) []tracer.Job {
	b.Helper()
	text, err := os.ReadFile(filepath.Join("cruxeval", "cruxeval.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	var jobs []tracer.Job
	for line := range bytes.Lines(text) {
		var row struct{ Code, Input string }
		if err := json.Unmarshal(line, &row); err != nil {
			b.Fatal(err)
		}
		f := &schema.Function{Program: row.Code + "\n", Entry: "f"}
		f.Identify()
		c := schema.Case{Call: "f(" + row.Input + ")"}
		c.Identify(f)
		job := tracer.Job{Function: f}
		for range cases {
			job.Cases = append(job.Cases, c)
		}
		jobs = append(jobs, job)
	}
	once := jobs
	for len(jobs) < functions {
		jobs = append(jobs, once...)
	}
	return jobs[:functions]
}

// inTwo runs each half of the jobs at the same time; the longer time of the two.
func inTwo(b *testing.B, jobs []tracer.Job, run func(half int, jobs []tracer.Job) (time.Duration, error)) time.Duration {
	b.Helper()
	var took [atOnce]time.Duration
	var errs [atOnce]error
	var wg sync.WaitGroup
	for i := range atOnce {
		wg.Go(func() { took[i], errs[i] = run(i, jobs[i*len(jobs)/atOnce:(i+1)*len(jobs)/atOnce]) })
	}
	wg.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		b.Fatal(err)
	}
	return max(took[0], took[1])
}

// floor runs jobs without a sandbox.
func floor(b *testing.B, jobs []tracer.Job, how string) time.Duration {
	b.Helper()
	return inTwo(b, jobs, func(_ int, jobs []tracer.Job) (time.Duration, error) {
		var functions []any
		for _, job := range jobs {
			var calls []string
			for _, c := range job.Cases {
				calls = append(calls, c.Call)
			}
			functions = append(functions, []any{job.Function.Program, calls})
		}
		input, err := json.Marshal(functions)
		if err != nil {
			return 0, err
		}
		cmd := exec.CommandContext(b.Context(), "python3", "-S", "-s", "-B", filepath.Join("testdata", "floor.py"), filepath.Join("..", "tracer", "shim"), how)
		cmd.Env = append(os.Environ(), "LD_BIND_NOW=1")
		cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return 0, fmt.Errorf("floor.py %s: %w", how, err)
		}
		return time.ParseDuration(strings.TrimSpace(string(out)) + "s")
	})
}

// sandboxes runs jobs as a build would, from the first job to the last answer: starting the sandboxes is not counted, unless
// each function has its own.
func sandboxes(b *testing.B, jobs []tracer.Job, runtime string, opts tracer.Options) time.Duration {
	b.Helper()
	c := Default()
	c.Sandbox.Runtime, c.Sandbox.Image = runtime, "host"
	rt, err := openRuntime(b.Context(), c, quiet{b})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	var tracers [atOnce]*tracer.Tracer
	for i := range tracers {
		t, err := tracer.New(b.Context(), rt, fmt.Sprintf("bench-%d", i), opts)
		if err != nil {
			b.Fatal(err)
		}
		defer t.Close()
		tracers[i] = t
		if opts.Isolation != tracer.PerContainer {
			if err := t.Run(b.Context(), jobs[:1], func(int, []*schema.Trace) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	}
	return inTwo(b, jobs, func(half int, jobs []tracer.Job) (time.Duration, error) {
		begin := time.Now()
		err := tracers[half].Run(b.Context(), jobs, func(_ int, traces []*schema.Trace) error {
			for _, trace := range traces {
				if !trace.Status.Usable() {
					return fmt.Errorf("%s: %s (%s)", trace.CaseID, trace.Status, trace.StatusDetail)
				}
			}
			return nil
		})
		return time.Since(begin), err
	})
}

// commands runs a command for each function, which prints what its calls return.
func commands(b *testing.B, jobs []tracer.Job, command func(program string) *exec.Cmd) time.Duration {
	b.Helper()
	return inTwo(b, jobs, func(_ int, jobs []tracer.Job) (time.Duration, error) {
		begin := time.Now()
		for _, job := range jobs {
			program := job.Function.Program
			for _, c := range job.Cases {
				program += "print(repr(" + c.Call + "))\n"
			}
			if out, err := command(program).CombinedOutput(); err != nil {
				return 0, fmt.Errorf("%w: %s", err, out)
			}
		}
		return time.Since(begin), nil
	})
}

func dockerRun(reference string, image sandbox.Image) func(string) *exec.Cmd {
	return func(program string) *exec.Cmd {
		return exec.Command("docker", "run", "--rm", "--network", "none", "--log-driver", "none", reference, image.Python, "-I", "-S", "-c", program)
	}
}

// dockerExec starts a container that does nothing.
func dockerExec(b *testing.B, reference string, image sandbox.Image) func(string) *exec.Cmd {
	b.Helper()
	out, err := exec.Command("docker", "run", "--rm", "-d", "--network", "none", "--log-driver", "none", reference,
		image.Python, "-c", "import time; time.sleep(600)").Output()
	if err != nil {
		b.Fatal(err)
	}
	id := strings.TrimSpace(string(out))
	b.Cleanup(func() {
		if err := exec.Command("docker", "kill", id).Run(); err != nil {
			b.Error(err)
		}
	})
	return func(program string) *exec.Cmd {
		return exec.Command("docker", "exec", id, image.Python, "-I", "-S", "-c", program)
	}
}
