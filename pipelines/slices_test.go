package pipelines

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// drawn is a program whose slices differ where nothing in its text says so: the module draws a number that no function needs.
const drawn = `import random

first = random.random()


def draw():
    return random.random()


def double(x):
    y = x * 2
    return y


async def stream(n):
    for i in range(n):
        yield double(i)


assert double(3) == 6
if __name__ == "__main__":
    draw()
    stream(2)
`

// unimportable is a program that cannot be imported, but for its slice.
const unimportable = "import nowhere_to_be_found\n\n\ndef triple(x):\n    return x * 3\n\n\nassert triple(1) == 3\n"

// TestSlicesAreChecked: a slice that behaves as its module is kept, one that does not gives way to it, and what is in the report.
func TestSlicesAreChecked(t *testing.T) {
	rt := openTestRuntime(t, "")
	w := newCaseWorker(t, rt, func(c *Config) { c.Cases.Grow, c.Harvest.Slice = GrowNone, harvest.SliceMinimal })
	items := []harvest.Item{
		{Origin: schema.Origin{Path: "drawn.py"}, Source: []byte(drawn)},
		{Origin: schema.Origin{Path: "missing.py"}, Source: []byte(unimportable)},
	}
	result, err := w.harvester.Harvest(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	sums := Counters{}
	if err := w.checkSlices(t.Context(), sums, result.Units); err != nil {
		t.Fatal(err)
	}
	if sums["slices.same"] != 2 || sums["slices.differs"] != 1 || sums["slices.whole_unimportable"] != 1 {
		t.Errorf("the sums are %v", sums)
	}
	whole := map[string]bool{"draw": true, "double": false, "stream": false, "triple": false}
	for _, u := range result.Units {
		f := &u.Function
		want, known := whole[f.Entry]
		if has := strings.Contains(f.Program, "first =") || strings.Contains(f.Program, "nowhere"); !known || has != want {
			t.Errorf("%s has the program\n%s", f.Entry, f.Program)
		}
		if u.Cases[0].FunctionID != f.ID || f.ID != schema.ID("function", f.Program, f.Entry) {
			t.Errorf("%s: the case is of %s, and the function is %s", f.Entry, u.Cases[0].FunctionID, f.ID)
		}
	}
}

// TestBranches: a function that is defined in a branch is the one that a call of it runs, in its slice as in the whole.
func TestBranches(t *testing.T) {
	rt := openTestRuntime(t, "")
	w := newCaseWorker(t, rt, func(c *Config) { c.Cases.Grow, c.Harvest.Slice = GrowNone, harvest.SliceMinimal })
	items := itemsOf(t, harvest.SourceConfig{Type: "python", Path: "../harvest/testdata/slices", Include: []string{"branches.py"}})
	result, err := w.harvester.Harvest(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	sums := Counters{}
	if err := w.checkSlices(t.Context(), sums, result.Units); err != nil {
		t.Fatal(err)
	}
	if sums["slices.same"] != 5 || sums["slices.differs"] != 0 {
		t.Errorf("the sums are %v", sums)
	}
	jobs := make([]tracer.Job, len(result.Units))
	for i, u := range result.Units {
		jobs[i] = tracer.Job{Function: &result.Units[i].Function, Cases: u.Cases}
	}
	err = w.trials.Run(t.Context(), jobs, func(i int, traces []*schema.Trace) error {
		f := jobs[i].Function
		for _, trace := range traces {
			if ran := slices.ContainsFunc(trace.Codes, func(c schema.Code) bool { return c.FirstLine == f.StartLine }); !ran || trace.Status != schema.StatusOK {
				t.Errorf("%s of line %d: %s, of the codes %v", f.Entry, f.StartLine, trace.Status, trace.Codes)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSlicedBuild: a whole build of slices is verified like any other.
func TestSlicedBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a whole build")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"drawn.py": drawn, "missing.py": unimportable} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := runBuild(t, "quickstart.yaml", filepath.Join(t.TempDir(), "out"), "sources.0.path="+dir, "harvest.slice=minimal", "sandbox.image=host", "verify.sample=-1")
	if r.Counters["slices.differs"] != 1 || r.Verified == nil || r.Counters["status.ok"] != 4 {
		t.Errorf("the counters are %v, verified %+v", r.Counters, r.Verified)
	}
}
