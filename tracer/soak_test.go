package tracer

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// Of a soak: one execution in ten is of a hostile program, and one of those in a hundred runs into its time.
const (
	soakDefault    = 800 // executions, where TRACEMILL_SOAK does not say how many
	soakCases      = 16  // of a function that does no harm
	soakCycle      = 25  // jobs, of which soakBenign have soakCases and the others one: 144 executions and 16
	soakBenign     = 9
	soakSlow       = 100
	soakSamples    = 50 // of a long one, where they cost little beside the rest
	soakFewSamples = 20
	soakLong       = 5000
)

// soakEntries are the functions of testdata/soak.py.
var soakEntries = []string{"loop", "text", "recursion", "containers", "generator", "caught", "raised", "printed", "file", "pinned"}

// TestSoak runs many executions, hostile ones between others, on every core, and fails where anything grows: in this process, in the
// servers or in the engine. What does no harm has to give what it gives where nothing else runs. TRACEMILL_SOAK is the number
// of executions, TRACEMILL_SOAK_CSV a file for the samples:
//
//	TRACEMILL_SOAK=200000 go test ./tracer -run TestSoak -v -timeout 6h
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("short: thousands of executions")
	}
	eachRuntime(t, testSoak)
}

func testSoak(t *testing.T, rt sandbox.Runtime) {
	executions := soakDefault
	if text := os.Getenv("TRACEMILL_SOAK"); text != "" {
		var err error
		if executions, err = strconv.Atoi(text); err != nil {
			t.Fatalf("TRACEMILL_SOAK: %v", err)
		}
	}
	s := newSoak(t, rt)
	workers := make([]*soakWorker, runtime.GOMAXPROCS(0))
	for i := range workers {
		workers[i] = s.worker(t, i)
	}
	jobs := executions * soakCycle / (soakBenign*soakCases + soakCycle - soakBenign)
	rounds := soakSamples
	if executions < soakLong {
		rounds = soakFewSamples
	}
	report := newSoakReport(t, rt.Name())
	start, samples := time.Now(), []soakSample{}
	for round := range rounds {
		var group errgroup.Group
		for i, w := range workers {
			// A round's jobs go to the workers in turn, whoever is the faster: what runs after what is the same every time.
			group.Go(func() error { return w.run(t, round*jobs/rounds, (round+1)*jobs/rounds, i, len(workers)) })
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		sample := takeSoakSample(t, rt, workers)
		sample.executions, sample.elapsed = s.executions.Load(), time.Since(start)
		samples = append(samples, sample)
		report.add(t, &sample)
	}
	for _, grown := range grownIn(samples) {
		t.Error(grown)
	}
	for wrong, n := range s.wrong {
		t.Errorf("%d times %s", n, wrong)
	}
	t.Logf("%s: %d executions, %d of them hostile, in %v", rt.Name(), s.executions.Load(), s.hostile.Load(), time.Since(start).Round(time.Second))
}

// soak is what its workers share.
type soak struct {
	rt          sandbox.Runtime
	benign      []Job
	clean       [][]string // the ids of the benign jobs' traces, where nothing hostile has run
	quick, slow []hostile
	executions  atomic.Int64
	hostile     atomic.Int64
	mu          sync.Mutex
	wrong       map[string]int // results that are not what they have to be -> how often
}

func newSoak(t *testing.T, rt sandbox.Runtime) *soak {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "soak.py"))
	if err != nil {
		t.Fatal(err)
	}
	s := &soak{rt: rt, wrong: map[string]int{}}
	for _, entry := range soakEntries {
		var calls []string
		for n := range soakCases {
			calls = append(calls, fmt.Sprintf("%s(%d)", entry, n))
		}
		job := program(string(text), calls...)
		job.Function.Entry = entry
		job.Function.Identify()
		s.benign = append(s.benign, job)
	}
	for _, p := range hostilePrograms(t) {
		switch {
		case p.limits != hostileLimits:
		case slices.Contains(p.wants(), schema.StatusTimeout):
			s.slow = append(s.slow, p)
		default:
			s.quick = append(s.quick, p)
		}
	}
	tr, err := New(t.Context(), rt, "soak-clean", Options{Limits: hostileLimits})
	if err != nil {
		t.Fatal(err)
	}
	for i, traces := range runAll(t, tr, s.benign) {
		var ids []string
		for _, trace := range traces {
			if !trace.Status.Usable() {
				t.Errorf("%s: %s (%s)", trace.Call, trace.Status, trace.StatusDetail)
			}
			ids = append(ids, trace.ID)
		}
		s.clean = append(s.clean, ids)
		if i > 0 && slices.Equal(s.clean[i], s.clean[i-1]) {
			t.Errorf("%s and %s have the same traces", soakEntries[i], soakEntries[i-1])
		}
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	return s
}

type soakWorker struct {
	*soak
	*Tracer
	marker string
}

func (s *soak) worker(t *testing.T, i int) *soakWorker {
	w := &soakWorker{soak: s, Tracer: newTracer(t, s.rt, Options{Limits: hostileLimits}), marker: fmt.Sprintf("%s-soak-%d", buildID, i)}
	w.main.spec.Command = append(slices.Clone(w.main.spec.Command), w.marker)
	return w
}

// job is the nth of a soak: a benign one, or a program that is hostile.
func (s *soak) job(n int) (Job, []string, *hostile) {
	benign := n * soakBenign / soakCycle
	if (n+1)*soakBenign/soakCycle > benign {
		return s.benign[benign%len(s.benign)], s.clean[benign%len(s.benign)], nil
	}
	n -= benign
	p := &s.quick[n%len(s.quick)]
	if n%soakSlow == soakSlow-1 {
		p = &s.slow[n/soakSlow%len(s.slow)]
	}
	return program(p.text, p.calls(1)...), nil, p
}

// run runs every stepth of the jobs from first to last, from the given one on.
func (w *soakWorker) run(t *testing.T, first, last, from, step int) error {
	var jobs []Job
	var clean [][]string
	var programs []*hostile
	for n := first + from; n < last; n += step {
		job, ids, p := w.job(n)
		jobs, clean, programs = append(jobs, job), append(clean, ids), append(programs, p)
	}
	return w.Run(t.Context(), jobs, func(i int, traces []*schema.Trace) error {
		for j, trace := range traces {
			w.executions.Add(1)
			wrong := ""
			if p := programs[i]; p != nil {
				w.soak.hostile.Add(1)
				if wrong = p.wrong(trace); wrong != "" {
					wrong = p.name + ": " + wrong
				}
			} else if trace.ID != clean[i][j] {
				wrong = fmt.Sprintf("%s: %s (%s): another trace than in a clean run", trace.Call, trace.Status, trace.StatusDetail)
			}
			if wrong != "" {
				w.soak.mu.Lock()
				w.soak.wrong[wrong]++
				w.soak.mu.Unlock()
			}
		}
		return nil
	})
}
