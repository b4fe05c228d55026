package tracer

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// hostile is a program of testdata/hostile. doc.md there says what its header means.
type hostile struct {
	name, kind string
	text       string
	header     map[string]string
	limits     Limits
}

// hostileLimits are small: a program meets its own soon, and none needs more. What is busy meets that of its CPU time, which a busy
// machine does not change; the few that wait meet the other.
var hostileLimits = Limits{
	Events: 20_000, Bytes: 1 << 20, Wall: 6 * time.Second, CPU: time.Second, Memory: 64 << 20, Output: 1 << 16, File: 1 << 20, Processes: 16,
}

// hostileKinds are the ways of doing harm that there are programs for.
var hostileKinds = []string{
	"abstract", "atexit", "bignum", "cdepth", "cloop", "descriptors", "environment", "exec", "exit", "faulthandler", "files", "flood", "forge", "forkbomb",
	"frames", "gc", "host", "kill", "linger", "links", "loop", "marshal", "memory", "mounts", "network", "pickle", "prlimit", "proc1", "ptrace", "rawsocket",
	"regex", "replace", "shared", "signals", "sparse", "stop", "syscall", "threads", "timers", "tracer", "zombies",
}

func hostilePrograms(t testing.TB) []hostile {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join("testdata", "hostile", "*.py")) // the pattern is right
	var all []hostile
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := hostile{name: strings.TrimSuffix(filepath.Base(path), ".py"), text: string(text), header: map[string]string{}, limits: hostileLimits}
		p.kind, _, _ = strings.Cut(p.name, "_")
		for line := range strings.Lines(p.text) {
			key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "# ")), ": ")
			if !strings.HasPrefix(line, "# ") || !ok {
				break
			}
			p.header[key] = value
		}
		if err := yaml.Unmarshal([]byte("{"+p.header["limits"]+"}"), &p.limits); err != nil {
			t.Fatalf("%s: limits: %v", path, err)
		}
		all = append(all, p)
	}
	return all
}

// wants is the statuses that the program may have; most have one.
func (p *hostile) wants() []schema.Status {
	if p.header["status"] == "" {
		return []schema.Status{schema.StatusOK}
	}
	var all []schema.Status
	for word := range strings.SplitSeq(p.header["status"], " or ") {
		all = append(all, schema.Status(word))
	}
	return all
}

// calls is the program's call, as often as its header says, or else n times.
func (p *hostile) calls(n int) []string {
	if text := p.header["cases"]; text != "" {
		n, _ = strconv.Atoi(text) // TestHostilePrograms sees to it
	}
	return slices.Repeat([]string{cmp.Or(p.header["call"], "f()")}, n)
}

// wrong says how a trace is not what the header says, "" where it is.
func (p *hostile) wrong(got *schema.Trace) string {
	want := p.wants()
	switch {
	case !slices.Contains(want, got.Status):
		return fmt.Sprintf("%s (%s), want %v", got.Status, got.StatusDetail, want)
	case len(want) == 1 && !strings.Contains(got.StatusDetail, p.header["detail"]):
		return fmt.Sprintf("%s (%s), want %q in it", got.Status, got.StatusDetail, p.header["detail"])
	case got.Status == schema.StatusOK && p.header["output"] != "" && got.Output != p.header["output"]:
		return fmt.Sprintf("it returned %s, want %s", got.Output, p.header["output"])
	case got.Status != schema.StatusOK && (got.StatusDetail == "" || strings.Contains(got.StatusDetail, "\n")):
		return fmt.Sprintf("detail %q", got.StatusDetail)
	}
	return ""
}

func TestHostilePrograms(t *testing.T) {
	keys := []string{"after", "call", "cases", "detail", "limits", "output", "restarts", "status", "tests", "varies"}
	kinds := map[string]bool{}
	all := hostilePrograms(t)
	for _, p := range all {
		kinds[p.kind] = true
		if p.header["tests"] == "" {
			t.Errorf("%s: its header does not say what it tests", p.name)
		}
		for key := range p.header {
			if !slices.Contains(keys, key) {
				t.Errorf("%s: header key %q is none of %v", p.name, key, keys)
			}
		}
		if several := len(p.wants()) > 1; several != (p.header["varies"] != "") {
			t.Errorf("%s: \"varies\" is for several statuses, and says why", p.name)
		}
		if slices.Contains(p.wants(), schema.StatusOK) && p.header["output"] == "" {
			t.Errorf("%s: a program that may return says what", p.name)
		}
		if n, err := strconv.Atoi(cmp.Or(p.header["cases"], "1")); err != nil || n < 1 {
			t.Errorf("%s: cases %q", p.name, p.header["cases"])
		}
		if after := strings.Contains(p.text, "\ndef after():\n"); after != (p.header["after"] != "") {
			t.Errorf("%s: after() and what it returns go together", p.name)
		}
	}
	if got := slices.Sorted(maps.Keys(kinds)); !slices.Equal(got, hostileKinds) {
		t.Errorf("kinds %v, want %v", got, hostileKinds)
	}
	page, err := os.ReadFile(filepath.Join("..", "docs", "sandbox.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range hostileKinds {
		if !strings.Contains(string(page), "`"+kind+"_") {
			t.Errorf("docs/sandbox.md says nothing of what is shown by %s_*", kind)
		}
	}
}

// Every program meets the fate that its header says. Then a program that does no harm runs on the same server, as it did
// before, and from outside nothing is seen that was not there.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("short: programs that run into every limit")
	}
	eachRuntime(t, testHostile)
}

// hostileLanes is how many servers share the programs. Most of the time is waiting for limits.
const hostileLanes = 3

func testHostile(t *testing.T, rt sandbox.Runtime) {
	all := hostilePrograms(t)
	slices.SortStableFunc(all, func(a, b hostile) int { return strings.Compare(a.header["limits"], b.header["limits"]) })
	t.Run("lanes", func(t *testing.T) { // ends when all of them have
		for lane := range hostileLanes {
			t.Run(fmt.Sprint(lane), func(t *testing.T) {
				t.Parallel()
				var l *hostileLane
				for i := lane; i < len(all); i += hostileLanes {
					p := all[i]
					if l == nil || l.options.Limits != p.limits {
						l = openHostileLane(t, rt, fmt.Sprintf("hostile-%d", lane), p.limits)
					}
					t.Run(p.name, func(t *testing.T) { l.meet(t, &p) })
				}
			})
		}
	})
	if err := rt.Close(); err != nil {
		t.Error(err)
	}
	nothingRuns(t, rt, buildID+"-hostile-")
}

// hostileLane is a server, and how it was before any hostile program ran on it.
type hostileLane struct {
	*Tracer
	marker string
	clean  *schema.Trace // of the canary
	before outside
	unseen bool
}

const hostileWarmup = 3 // executions, after which a server has made all that it makes once

// hostileAfter is how many executions come after a program to look for what it left: the processes of the first may have been
// forked before it ran.
const hostileAfter = 6

func openHostileLane(t *testing.T, rt sandbox.Runtime, name string, limits Limits) *hostileLane {
	t.Helper()
	l := &hostileLane{Tracer: newTracer(t, rt, Options{Limits: limits}), marker: buildID + "-" + name + "-" + fmt.Sprint(limits)}
	// By it, a server is known from outside: it reads no argument.
	l.main.spec.Command = append(slices.Clone(l.main.spec.Command), l.marker)
	for range hostileWarmup {
		l.clean = runAll(t, l.Tracer, []Job{canary(t)})[0][0]
	}
	if l.clean.Status != schema.StatusOK {
		t.Fatalf("the canary: %s (%s)", l.clean.Status, l.clean.StatusDetail)
	}
	l.look(t, func(now outside) { l.before = now })
	return l
}

func (l *hostileLane) look(t *testing.T, then func(outside)) {
	t.Helper()
	now, err := lookAt(l.marker)
	switch {
	case err == nil:
		then(now)
	case os.Getenv("CI") == "true":
		t.Error(err)
	case !l.unseen:
		l.unseen = true
		t.Logf("what is left behind is not looked at: %v", err)
	}
}

func canary(t testing.TB) Job {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "canary.py"))
	if err != nil {
		t.Fatal(err)
	}
	return program(string(text), "f()")
}

func (l *hostileLane) meet(t *testing.T, p *hostile) {
	restarts, start := l.Stats().Restarts, time.Now()
	for i, got := range runAll(t, l.Tracer, []Job{program(p.text, p.calls(1)...)})[0] {
		if i > 2 && p.wrong(got) == "" {
			continue
		}
		t.Logf("%v: %s (%s) %s, notes %v, stderr %.200q", time.Since(start).Round(time.Millisecond), got.Status, got.StatusDetail, got.Output, got.Notes, got.Stderr)
		if wrong := p.wrong(got); wrong != "" {
			t.Error(wrong)
		}
	}
	if !slices.Contains(p.wants(), schema.StatusTimeout) && p.header["restarts"] == "" {
		// What becomes of cases that share a process with it is its own affair; what comes after them is not.
		runAll(t, l.Tracer, []Job{program(p.text, p.calls(2)...)})
	}
	if want := p.header["after"]; want != "" {
		for _, next := range runAll(t, l.Tracer, slices.Repeat([]Job{program(p.text, "after()")}, hostileAfter)) {
			if got := next[0]; got.Output != want {
				t.Errorf("the next execution: %s (%s), %s, want %s", got.Status, got.StatusDetail, got.Output, want)
				break
			}
		}
	}
	if next := runAll(t, l.Tracer, []Job{canary(t)})[0][0]; next.ID != l.clean.ID || next.Output != l.clean.Output || next.Status != l.clean.Status {
		t.Errorf("the canary: %s (%s)\n%s, want\n%s", next.Status, next.StatusDetail, next.Output, l.clean.Output)
	}
	replaced := l.Stats().Restarts - restarts
	if replaced > 0 && p.header["restarts"] == "" {
		t.Errorf("%d servers had to be replaced", replaced)
	}
	l.look(t, func(now outside) {
		if replaced > 0 {
			l.before = now
		}
		for _, what := range now.leftSince(l.before) {
			t.Errorf("left behind: %s", what)
		}
		l.before = now // each is said once
	})
}
