package tracer

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/schema"
)

// example is a program of testdata/programs. doc.md there says what its header means.
type example struct {
	name, text string
	header     map[string]string
}

func examples(t *testing.T) []example {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join("testdata", "programs", "*.py")) // the pattern is right
	if len(paths) == 0 {
		t.Fatal("no programs in testdata")
	}
	var all []example
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e := example{name: strings.TrimSuffix(filepath.Base(path), ".py"), text: string(text), header: map[string]string{}}
		for line := range strings.Lines(e.text) {
			line, comment := strings.CutPrefix(strings.TrimPrefix(line, "\ufeff"), "#")
			if !comment {
				break
			}
			if key, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
				e.header[key] = value
			}
		}
		if e.header["tests"] == "" {
			t.Errorf("%s: its header does not say what it tests", path)
		}
		all = append(all, e)
	}
	return all
}

// runsOn says whether a CPython of that version, as 3.N.M, can run the program.
func (e *example) runsOn(version string) bool {
	return e.header["requires"] == "" || minor(e.header["requires"]) <= minor(version)
}

// minor is the N of a version 3.N or 3.N.M.
func minor(version string) int {
	n, _ := strconv.Atoi(strings.Split(version+".0", ".")[1])
	return n
}

// wants says whether a status is right, with every guard on or with none.
func (e *example) wants(got schema.Status, guarded bool) bool {
	want := cmp.Or(schema.Status(e.header["status"]), schema.StatusOK)
	if !guarded && (want == schema.StatusNondeterministic || want == schema.StatusPerturbed) {
		want = schema.StatusOK
	}
	may := func(key string, status schema.Status) bool {
		return guarded && e.header["status"] == "" && e.header[key] != "" && got == status
	}
	return got == want || may("watched", schema.StatusPerturbed) || may("nondeterministic", schema.StatusNondeterministic)
}

// Every program has the status that its header says: on the python3 of PATH with every guard, and, in CI and where TRACEMILL_MATRIX
// is set, on every other interpreter that is installed, there without guards, which cost two more runs, unless it is "guards".
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("short: hundreds of executions")
	}
	all := examples(t)
	found := interpreters(t)
	if len(found) == 0 {
		missing(t, "python3, 3.8 or later, on PATH or among pyenv's versions")
	}
	usual := usualInterpreter(t, found)
	for _, version := range slices.Sorted(maps.Keys(found)) {
		t.Run(version, func(t *testing.T) {
			if version != usual && os.Getenv("CI") != "true" && os.Getenv("TRACEMILL_MATRIX") == "" {
				t.Skip("only in CI, or with TRACEMILL_MATRIX=1")
			}
			opts := Options{Limits: Limits{Wall: 30 * time.Second}}
			guarded := version == usual || os.Getenv("TRACEMILL_MATRIX") == "guards"
			if guarded {
				opts.Differential, opts.Determinism = true, DeterminismRequire
			}
			testPrograms(t, all, found[version], version, opts, guarded)
		})
	}
}

// usualInterpreter is the version of python3 on PATH, else the latest.
func usualInterpreter(t *testing.T, found map[string]string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "python3", "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])").Output()
	if version := strings.TrimSpace(string(out)); err == nil && found[version] != "" {
		return version
	}
	return slices.MaxFunc(slices.Collect(maps.Keys(found)), func(a, b string) int { return cmp.Compare(minor(a), minor(b)) })
}

func testPrograms(t *testing.T, all []example, python, version string, opts Options, guarded bool) {
	rt := openers[0].openWith(t, python)
	all = slices.DeleteFunc(slices.Clone(all), func(e example) bool { return !e.runsOn(version) })
	var jobs []Job
	for _, e := range all {
		job := program(e.text, "main()")
		job.Function.Entry = "main"
		job.Function.Identify()
		jobs = append(jobs, job)
	}
	start := time.Now()
	tr := newTracer(t, rt, opts)
	for i, traces := range runAll(t, tr, jobs) {
		if got := traces[0]; !all[i].wants(got.Status, guarded) {
			t.Errorf("%s: %s (%s), want %s", all[i].name, got.Status, got.StatusDetail, cmp.Or(all[i].header["status"], "ok"))
		}
	}
	t.Logf("%d programs in %v; %+v", len(all), time.Since(start).Round(time.Millisecond), tr.Stats())
}
