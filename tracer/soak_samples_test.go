package tracer

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
)

// soakSample is a moment of a soak in which no execution runs.
type soakSample struct {
	executions int64
	elapsed    time.Duration
	values     []int64 // of soakCurves, in order; -1 for what cannot be seen here
}

// soakCurve is something that must not grow.
type soakCurve struct {
	name  string
	slack int64 // by how much the end may lie above the beginning, each the median of a tenth of the samples
}

// The slacks: nothing for what is counted and is this test's own; for what is measured in bytes what an allocator may keep, as a
// server grows until it has met the largest answer; and more for the engine, which others use at the same time.
var soakCurves = []soakCurve{
	{"go heap kB", 4 << 10},
	{"go rss kB", 48 << 10},
	{"goroutines", 0},
	{"go fds", 0},
	{"restarts", 0},
	{"left processes", 0},
	{"server children", 8}, // forked ahead, or compiling: they come and go
	{"server fds", 0},
	{"server anon kB", 12 << 10}, // of all servers
	{"server rss kB", 16 << 10},
	{"tmp blocks", 0},
	{"tmp inodes", 0},
	{"containers", 0},
	{"volumes", 0},
	{"container kB", 64}, // what the engine stores of them: configuration, logs
	{"engine rss kB", 64 << 10},
	{"engine fds", 64},
}

func takeSoakSample(t *testing.T, rt sandbox.Runtime, workers []*soakWorker) soakSample {
	t.Helper()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	at := map[string]int64{
		"go heap kB": int64(memory.HeapAlloc >> 10),
		"go rss kB":  residentKB(os.Getpid()),
		"goroutines": int64(runtime.NumGoroutine()),
		"go fds":     descriptorsOf(os.Getpid()),
	}
	for _, w := range workers {
		at["restarts"] += w.Stats().Restarts
		now, err := lookAt(w.marker)
		if err != nil {
			if os.Getenv("CI") == "true" {
				t.Error(err)
			}
			continue
		}
		at["left processes"] += int64(len(now.processes))
		at["server children"] += int64(now.waiting + now.compilers)
		at["server fds"] += int64(len(now.descriptors))
		at["server anon kB"] += now.anonymous >> 10
		at["server rss kB"] += residentKB(now.pid)
		at["tmp blocks"] += now.blocks
		at["tmp inodes"] += now.inodes
	}
	if rt.Name() == "docker" {
		ids := docker(t, "ps", "-aq", "--no-trunc", "--filter", "label=tracemill.build="+buildID)
		at["containers"] = int64(len(ids))
		at["volumes"] = int64(len(docker(t, "volume", "ls", "-q", "--filter", "label=tracemill.build="+buildID)))
		if root := docker(t, "info", "-f", "{{.DockerRootDir}}"); len(root) == 1 {
			for _, id := range ids {
				at["container kB"] += treeKB(filepath.Join(root[0], "containers", id))
			}
		}
		if pid := enginePID(); pid > 0 {
			at["engine rss kB"], at["engine fds"] = residentKB(pid), descriptorsOf(pid)
		}
	}
	var sample soakSample
	for _, curve := range soakCurves {
		value, ok := at[curve.name]
		if !ok {
			value = -1
		}
		sample.values = append(sample.values, value)
	}
	return sample
}

func residentKB(pid int) int64 {
	kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(procField(pid, "VmRSS"), "kB")), 10, 64)
	if err != nil {
		return -1
	}
	return kb
}

func descriptorsOf(pid int) int64 {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return -1
	}
	return int64(len(entries))
}

// enginePID is that of the engine of this machine, 0 where it is not seen.
func enginePID() int {
	text, err := os.ReadFile("/var/run/docker.pid")
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	if descriptorsOf(pid) < 0 {
		return 0
	}
	return pid
}

func treeKB(top string) int64 {
	var size int64
	_ = filepath.Walk(top, func(_ string, info os.FileInfo, err error) error {
		if err == nil {
			size += info.Size()
		}
		return nil // what is not to be read, or is gone, takes nothing
	})
	return size >> 10
}

func soakColumns() []string {
	names := []string{"executions", "seconds"}
	for _, curve := range soakCurves {
		names = append(names, curve.name)
	}
	return names
}

func (s *soakSample) row() []string {
	row := []string{fmt.Sprint(s.executions), fmt.Sprintf("%.0f", s.elapsed.Seconds())}
	for _, value := range s.values {
		row = append(row, fmt.Sprint(value))
	}
	return row
}

// soakReport is the curves, as they come: a table in the test's log, and rows of a file where one is named.
type soakReport struct {
	runtime string
	csv     *csv.Writer // nil: none is
}

func newSoakReport(t *testing.T, runtime string) *soakReport {
	t.Helper()
	r := &soakReport{runtime: runtime}
	if name := os.Getenv("TRACEMILL_SOAK_CSV"); name != "" {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		})
		r.csv = csv.NewWriter(file)
		r.write(t, append([]string{"runtime"}, soakColumns()...))
	}
	t.Log("-1 is what is not seen\n" + strings.Join(soakColumns(), "|"))
	return r
}

func (r *soakReport) add(t *testing.T, sample *soakSample) {
	t.Helper()
	var b strings.Builder
	for i, value := range sample.row() {
		fmt.Fprintf(&b, "%*s ", len(soakColumns()[i]), value)
	}
	t.Log("\n" + b.String())
	if r.csv != nil {
		r.write(t, append([]string{r.runtime}, sample.row()...))
	}
}

func (r *soakReport) write(t *testing.T, row []string) {
	t.Helper()
	_ = r.csv.Write(row) // Error has it too
	r.csv.Flush()
	if err := r.csv.Error(); err != nil {
		t.Error(err)
	}
}

// grownIn compares the end of each curve with its beginning, after a tenth in which everything comes to its size.
func grownIn(samples []soakSample) []string {
	tenth := len(samples) / 10
	var grown []string
	for i, curve := range soakCurves {
		begin, end := medianOf(samples[tenth:2*tenth], i), medianOf(samples[len(samples)-tenth:], i)
		if end > begin+curve.slack {
			grown = append(grown, fmt.Sprintf("%s grew from %d to %d, by more than %d", curve.name, begin, end, curve.slack))
		}
	}
	return grown
}

func medianOf(samples []soakSample, curve int) int64 {
	var values []int64
	for i := range samples {
		values = append(values, samples[i].values[curve])
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// A curve that grows is told from one that only moves.
func TestGrownIn(t *testing.T) {
	samples := make([]soakSample, soakSamples)
	for i := range samples {
		samples[i].values = make([]int64, len(soakCurves))
		samples[i].values[2] = int64(i % 3)                          // moves
		samples[i].values[3] = int64(i / 10)                         // grows
		samples[i].values[0] = int64(i) * soakCurves[0].slack / 1000 // grows by less than the slack
	}
	if got, want := grownIn(samples), []string{"go fds grew from 0 to 4, by more than 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
