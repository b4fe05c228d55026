package pipelines

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// sampleRate is n where every nth is measured: TRACEMILL_CASES, of which 1 is all; 0 where it is not set.
func sampleRate(t *testing.T) int {
	t.Helper()
	text := os.Getenv("TRACEMILL_CASES")
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("TRACEMILL_CASES is %q, want a number from 1", text)
	}
	return n
}

// newCaseWorker is a worker that makes cases.
func newCaseWorker(t *testing.T, rt sandbox.Runtime, change func(*Config)) *worker {
	t.Helper()
	c := Default()
	c.Cases.Grow = GrowAll
	if change != nil {
		change(c)
	}
	c.applyDefaults()
	given, err := openGiven(c)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorker(t.Context(), c, rt, given, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(w.close(), given.close()); err != nil {
			t.Error(err)
		}
	})
	return w
}

// grown is what the worker makes of items.
func grown(t *testing.T, w *worker, items []harvest.Item) *harvest.Result {
	t.Helper()
	result, err := w.harvester.Harvest(t.Context(), items)
	if err == nil {
		err = w.grow(t.Context(), Counters{}, result)
	}
	if err != nil {
		t.Fatal(err)
	}
	sums := Counters{}
	countHarvest(sums, len(items), result)
	if err := sums.Check(); err != nil {
		t.Error(err)
	}
	byStatus := int64(0)
	for _, n := range sums.Group("not_run") {
		byStatus += n
	}
	if dropped := sums.Group("cases.dropped")[string(harvest.NotRun)]; byStatus != dropped {
		t.Errorf("%d calls did not run to their end, but %d by status: %v", dropped, byStatus, sums.Group("not_run"))
	}
	return result
}

// reachedLines is the lines of a function's definition that cases which ended reach, by whether they returned.
func reachedLines(t *testing.T, w *worker, units []harvest.Unit) (returned, all []map[int32]bool) {
	t.Helper()
	for _, p := range tryAll(t, w, units) {
		f := &p.unit.Function
		r, a := map[int32]bool{}, map[int32]bool{}
		for n := f.StartLine; n <= f.EndLine; n++ {
			for _, one := range p.tried {
				if one.status.Usable() && one.features[line(n)] {
					a[n] = true
					if one.status == schema.StatusOK {
						r[n] = true
					}
				}
			}
		}
		returned, all = append(returned, r), append(all, a)
	}
	return returned, all
}

// tryAll tries the cases of each function.
func tryAll(t *testing.T, w *worker, units []harvest.Unit) []*plant {
	t.Helper()
	var plants []*plant
	for i := range units {
		plants = append(plants, &plant{unit: &units[i], fresh: units[i].Cases, seen: map[feature]bool{}})
	}
	if err := w.try(t.Context(), plants, math.MaxInt); err != nil {
		t.Fatal(err)
	}
	return plants
}

func itemsOf(t *testing.T, c harvest.SourceConfig) []harvest.Item {
	t.Helper()
	source, err := c.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	n := 0
	if err := source.Scan(t.Context(), func(l harvest.Listing) error { n += l.Items; return nil }); err != nil {
		t.Fatal(err)
	}
	var items []harvest.Item
	for item, err := range source.Items(t.Context(), 0, n) {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return items
}

const grownProgram = `class Shape:
    def __init__(self, side: int):
        self.side = side

def area(shape: Shape, scale: float = 1.0) -> float:
    if shape.side < 0:
        raise ValueError("negative")
    return shape.side * shape.side * scale

def parse(text):
    """Pairs.

    >>> parse("a=1")
    {'a': 1}
    """
    result = {}
    for part in text.split(";"):
        if "=" not in part:
            continue
        key, value = part.split("=", 1)
        result[key] = int(value) if value.isdigit() else value
    return result

def deep(n):
    if n > 1000:
        if n % 7 == 3:
            return "deep"
        return "large"
    return "small"

def greeting(name="you"):
    return "hello " + name

def never(x):
    while True:
        pass

def hangs(x):
    return hangs.wait.acquire() if x else hangs.wait.acquire()

hangs.wait = __import__("threading").Lock()
hangs.wait.acquire()

CODES = [deep(1013)]
`

// Functions without inputs get cases that reach their lines; the same config gives the same cases; all is accounted for.
func TestGrow(t *testing.T) {
	rt := openTestRuntime(t, "")
	items := []harvest.Item{{Origin: schema.Origin{Source: "test", Path: "a.py"}, Source: []byte(grownProgram)}}
	quick := func(c *Config) { c.Trace.Limits.Wall = 2 * time.Second } // what hangs does so for as long, and nothing else may
	w := newCaseWorker(t, rt, quick)
	result := grown(t, w, items)
	cases := map[string][]schema.Case{}
	for _, u := range result.Units {
		cases[u.Function.Entry] = u.Cases
	}
	if len(cases) != 4 {
		t.Errorf("functions with cases: %v", sortedKeys(cases))
	}
	tried := 0
	for _, d := range result.Drops {
		if d.Unit == "hangs" && d.Reason == harvest.NotRun {
			tried++
		}
	}
	if tried != probes {
		t.Errorf("%d calls of a function that hangs were tried, want %d", tried, probes)
	}
	made := func(f, generator string) bool {
		return slices.ContainsFunc(cases[f], func(c schema.Case) bool { return c.Generator == generator })
	}
	for f, generator := range map[string]string{"area": "typed", "parse": "doctest", "deep": "call", "greeting": "default"} {
		if !made(f, generator) {
			t.Errorf("%s has no case of generator %s: %v", f, generator, cases[f])
		}
	}
	_, all := reachedLines(t, w, result.Units)
	for i, u := range result.Units {
		f := &u.Function
		want := map[string][]int32{"area": {6, 8}, "parse": {16, 18, 19, 20, 21, 22}, "deep": {25, 26, 27, 28, 29}, "greeting": {32}}[f.Entry]
		for _, n := range want {
			if !all[i][n] {
				t.Errorf("%s: line %d is not reached by %v", f.Entry, n, u.Cases)
			}
		}
		if len(u.Cases) > w.config.Cases.PerFunction {
			t.Errorf("%s has %d cases", f.Entry, len(u.Cases))
		}
	}
	again := grown(t, newCaseWorker(t, rt, quick), items)
	if !reflect.DeepEqual(again.Units, result.Units) || !reflect.DeepEqual(again.Drops, result.Drops) {
		t.Error("the same config gives other cases")
	}
}

func TestGrowMissing(t *testing.T) {
	rt := openTestRuntime(t, "")
	items := []harvest.Item{{Origin: schema.Origin{Source: "test", Path: "a.py"}, Source: []byte(grownProgram)}}
	w := newCaseWorker(t, rt, func(c *Config) {
		c.Cases.Grow, c.Cases.Generators, c.Cases.PerFunction = GrowMissing, GeneratorsConfig{Typed: 1}, 3
	})
	for _, u := range grown(t, w, items).Units {
		for _, c := range u.Cases {
			if own := u.Function.Entry == "parse"; own != harvest.Own(c.Generator) || !own && c.Generator != "typed" {
				t.Errorf("%s has a case of generator %s", u.Function.Entry, c.Generator)
			}
		}
		if len(u.Cases) > 3 {
			t.Errorf("%s has %d cases", u.Function.Entry, len(u.Cases))
		}
	}
}

// TestCruxEvalWithoutInputs makes cases for the data set's functions, and compares them with the data set's own. Of all 800 with
// TRACEMILL_CASES=1, of every nth with TRACEMILL_CASES=n.
func TestCruxEvalWithoutInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("short: thousands of executions")
	}
	w := newCaseWorker(t, openTestRuntime(t, ""), nil)
	items := itemsOf(t, harvest.SourceConfig{Type: "jsonl", Path: "cruxeval/cruxeval.jsonl", Preset: "cruxeval"})
	nth := sampleRate(t)
	if nth == 0 {
		nth = 20
	}
	items = every(items, nth)
	given, err := w.harvester.Harvest(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	wanted, _ := reachedLines(t, w, given.Units)
	for i := range items {
		items[i].Inputs = nil
	}
	made := grown(t, w, items)
	returned, all := reachedLines(t, w, made.Units)
	byID := map[string]int{}
	for i, u := range made.Units {
		byID[u.Function.ID] = i
	}
	var functions, lines, reached, whole int
	for i, u := range given.Units {
		n, ok := byID[u.Function.ID]
		if ok && len(returned[n]) > 0 {
			functions++
		}
		missed := 0
		for at := range wanted[i] {
			lines++
			if ok && all[n][at] {
				reached++
			} else {
				missed++
			}
		}
		if missed == 0 {
			whole++
		}
	}
	withCase, ofLines := share(functions, len(given.Units)), share(reached, lines)
	t.Logf("%d functions; a case that returns: %.1f %%; of the %d lines that the data set's inputs reach: %.1f %%; all of a function's: %.1f %%",
		len(given.Units), withCase, lines, ofLines, share(whole, len(given.Units)))
	if withCase < 95 || ofLines < 85 {
		t.Error("want at least 95 % of the functions, and 85 % of the lines")
	}
}

func every[T any](all []T, n int) []T {
	var some []T
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

func share(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// What cases are made does not depend on how many workers there are, or on what a worker did before.
func TestGrownBuildsAreReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole builds")
	}
	rows, err := os.ReadFile("cruxeval/cruxeval.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config, data := filepath.Join(dir, "config.yaml"), filepath.Join(dir, "rows.jsonl")
	text := "output: out\nsources: [{type: jsonl, path: rows.jsonl, columns: {code: code, id: id}, entry: f}]\ncases: {grow: missing, budget: 30, per_function: 4}\nrun: {part_size: 2}\n"
	for file, text := range map[string]string{config: text, data: strings.Join(strings.SplitAfterN(string(rows), "\n", 9)[:8], "")} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one := runBuild(t, config, filepath.Join(dir, "one"), "run.workers=1")
	runBuild(t, config, filepath.Join(dir, "three"), "run.workers=3")
	if a, b := digests(t, filepath.Join(dir, "one")), digests(t, filepath.Join(dir, "three")); !reflect.DeepEqual(a, b) {
		t.Errorf("the files differ: %v and %v", a, b)
	}
	if made := one.Counters.Group("generator"); made["typed"] == 0 || made["mutated"] == 0 {
		t.Errorf("cases by generator: %v", made)
	}
}
