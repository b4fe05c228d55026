package pipelines

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// measured is what a build of CruxEval's config took, in a process that does nothing else.
type measured struct {
	Executions int64
	Working    time.Duration // from the first part's start to the last part's end, without making the image and the shards
	CPU        time.Duration // of the process
	Peak       int64         // of its resident size, in bytes
}

// measuredBuild is set in the environment of a test process that is there to be measured: where to write what it measured.
const measuredBuild = "TRACEMILL_TEST_MEASURED_BUILD"

// TestMeasuredBuild is not a test by itself: it is the process that measureBuild starts.
func TestMeasuredBuild(t *testing.T) {
	result := os.Getenv(measuredBuild)
	if result == "" {
		return
	}
	c, err := Load("cruxeval.yaml", strings.Split(os.Getenv(measuredBuild+"_SETS"), "\n")...)
	if err != nil {
		t.Fatal(err)
	}
	clock := &partClock{quiet: quiet{t}}
	r, err := Run(t.Context(), c, clock)
	needEngine(t, err)
	if err != nil {
		t.Fatal(err)
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(measured{
		Executions: r.Executions,
		Working:    clock.last.Sub(clock.begin),
		CPU:        time.Duration(usage.Utime.Nano() + usage.Stime.Nano()),
		Peak:       usage.Maxrss << 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(result, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// partClock is a Progress that takes the time.
type partClock struct {
	quiet
	begin time.Time
	mu    sync.Mutex // guards last
	last  time.Time
}

func (c *partClock) Start(int, int) { c.begin = time.Now() }

func (c *partClock) Part(string, Counters) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = time.Now()
}

// measureBuild makes a dataset in a process of its own, or skips the benchmark where there is no engine.
func measureBuild(b *testing.B, out string, sets ...string) measured {
	b.Helper()
	result := filepath.Join(b.TempDir(), "measured.json")
	child := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^TestMeasuredBuild$", "-test.v")
	child.Env = append(os.Environ(), measuredBuild+"="+result, measuredBuild+"_SETS="+strings.Join(append(sets, "output="+out), "\n"))
	said, err := child.CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(result)
	if err != nil {
		b.Skipf("nothing was measured: %s", said)
	}
	var m measured
	if err := json.Unmarshal(text, &m); err != nil {
		b.Fatal(err)
	}
	return m
}
