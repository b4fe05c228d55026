package pipelines

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// TestStandardLibraryCases makes cases for the functions and methods of an interpreter's own library: of all its files with
// TRACEMILL_CASES=1, of every nth by a hash of its path with TRACEMILL_CASES=n, so that all interpreters have the same sample, and of
// some otherwise. TRACEMILL_TEST_PYTHON names the interpreter, such as 3.12, or all.
func TestStandardLibraryCases(t *testing.T) {
	if testing.Short() {
		t.Skip("short: thousands of executions")
	}
	for _, python := range pythons(t) {
		rt := openTestRuntime(t, python)
		t.Run(rt.Image().Version, func(t *testing.T) { testLibraryCases(t, rt, cmp.Or(python, "python3")) })
	}
}

func testLibraryCases(t *testing.T, rt sandbox.Runtime, python string) {
	items := itemsOf(t, harvest.SourceConfig{
		Type: "python", Path: libraryOf(t, python), Kinds: []harvest.Kind{harvest.KindCode},
		// Images have no windows, and none of what wants them.
		Exclude: []string{"site-packages/**", "**/__pycache__/**", "tkinter/**", "idlelib/**", "turtledemo/**", "turtle.py"},
	})
	items = slices.DeleteFunc(items, func(item harvest.Item) bool { return item.Err != nil }) // of other kinds
	files := len(items)
	nth := sampleRate(t)
	items = slices.DeleteFunc(items, func(item harvest.Item) bool {
		if nth == 0 {
			return !slices.Contains([]string{"textwrap.py", "colorsys.py", "bisect.py", "posixpath.py"}, item.Path)
		}
		h := fnv.New32a()
		h.Write([]byte(item.Path))
		return h.Sum32()%uint32(nth) != 0
	})
	t.Logf("%d of %d files", len(items), files)
	w := newCaseWorker(t, rt, func(c *Config) { c.Harvest.Slice = harvest.SliceMinimal })
	m := libraryMeasure{byGenerator: map[string]int{}, left: map[string]int{}}
	pure := pureFunctions(t, rt, items)
	begin := time.Now()
	for part := range slices.Chunk(items, 3) {
		result, err := w.harvester.Harvest(t.Context(), part)
		if err != nil {
			t.Fatal(err)
		}
		m.files += result.Items
		m.found += result.FunctionsFound
		m.part(t, w, python, result, pure)
		t.Logf("%v: %s", time.Since(begin).Round(time.Second), m.text()) // so far: all of it takes hours
	}
	if share(m.halves, m.pure) < 40 {
		t.Error("want a case that covers half of the lines for at least 40 % of the pure functions")
	}
}

// pureFunctions are the ids of those that reach for nothing outside of the interpreter, as far as the filters tell.
func pureFunctions(t *testing.T, rt sandbox.Runtime, items []harvest.Item) map[string]bool {
	t.Helper()
	h, err := harvest.New(t.Context(), rt, "pure", harvest.Options{
		Slice: harvest.SliceMinimal, Caseless: true,
		Filters: harvest.Filters{Ban: []string{"files", "input", "network", "sleep", "subprocess", "threads"}, Imports: []string{"stdlib"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	pure := map[string]bool{}
	for part := range slices.Chunk(items, 64) {
		result, err := h.Harvest(t.Context(), part)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range result.Units {
			pure[u.Function.ID] = true
		}
	}
	return pure
}

// libraryMeasure counts functions, of the sample.
type libraryMeasure struct {
	files, found, harvested, sliced int
	ran, useful, pure, halves       int            // ran: with a call that ended; useful: with one that returns
	byGenerator                     map[string]int // functions with a case of it that returns
	left                            map[string]int // functions without a case that returns, by what most of their calls came to
}

func (m *libraryMeasure) part(t *testing.T, w *worker, python string, result *harvest.Result, pure map[string]bool) {
	t.Helper()
	m.harvested += len(result.Units)
	names := map[string]bool{} // of those that are left
	for i := range result.Units {
		f := &result.Units[i].Function
		names[libraryName(f)] = true
		if f.Lines != nil {
			m.sliced++
		}
		if pure[f.ID] {
			m.pure++
		}
	}
	sums := Counters{}
	if err := w.grow(t.Context(), sums, result); err != nil {
		t.Fatal(err)
	}
	if lost := sums.Group("generate"); len(lost) > 0 {
		t.Errorf("files %d to %d: making calls brought the analyzer down: %v", m.files-result.Items, m.files, lost)
	}
	came := map[string]map[string]int{}
	for _, d := range result.Drops {
		of := d.Item() + " " + d.Unit
		if came[of] == nil {
			came[of] = map[string]int{}
		}
		if d.Level == harvest.LevelCase {
			came[of][outcome(&d)]++
		}
	}
	lines := executable(t, python, result.Units)
	for i, p := range tryAll(t, w, result.Units) {
		f := &p.unit.Function
		generators, best := map[string]bool{}, 0
		for _, one := range p.tried {
			if one.status != schema.StatusOK {
				continue
			}
			generators[one.Generator] = true
			n := 0
			for _, at := range lines[i] {
				if one.features[line(at)] {
					n++
				}
			}
			best = max(best, n)
		}
		for name := range generators {
			m.byGenerator[name]++
		}
		if len(generators) == 0 {
			continue
		}
		m.useful++
		delete(names, libraryName(f))
		if pure[f.ID] && 2*best >= len(lines[i]) {
			m.halves++
		}
	}
	kept := map[string]bool{}
	for i := range result.Units {
		kept[libraryName(&result.Units[i].Function)] = true
	}
	for name, counts := range came {
		ended := counts[string(harvest.ExceptionShare)] + counts[string(harvest.WrongGuess)] + counts[string(harvest.SameTrace)]
		if ended > 0 && !kept[name] {
			m.ran++
		}
	}
	m.ran += len(kept)
	for name := range names {
		m.left[most(came[name])]++
	}
}

func libraryName(f *schema.Function) string { return f.Origin.String() + " " + f.Entry }

// outcome is what came of a call that is not kept.
func outcome(d *harvest.Drop) string {
	if d.Reason != harvest.NotRun {
		return string(d.Reason)
	}
	status, _, _ := strings.Cut(d.Detail, ": ")
	return status
}

func most(counts map[string]int) string {
	best := "no_call"
	for _, name := range sortedKeys(counts) {
		if counts[name] > counts[best] {
			best = name
		}
	}
	return best
}

func (m *libraryMeasure) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d files: %d functions and methods found, %d harvested, %d of them sliced; %d (%.1f %%) run to an end, %d (%.1f %%) with a case that returns",
		m.files, m.found, m.harvested, m.sliced, m.ran, share(m.ran, m.harvested), m.useful, share(m.useful, m.harvested))
	for _, name := range sortedKeys(m.byGenerator) {
		fmt.Fprintf(&b, ", %s %d", name, m.byGenerator[name])
	}
	fmt.Fprintf(&b, "; %d pure, of them %d (%.1f %%) with a case that covers half of the lines; without one that returns, by what came of their calls:",
		m.pure, m.halves, share(m.halves, m.pure))
	for _, name := range sortedKeys(m.left) {
		fmt.Fprintf(&b, " %s %d", name, m.left[name])
	}
	return b.String()
}

// executable asks the interpreter for the lines of each function's definition, but for its own first ones, that hold code.
func executable(t *testing.T, python string, units []harvest.Unit) [][]int32 {
	t.Helper()
	type span struct {
		Program  string
		From, To int32
	}
	spans := []span{} // null is no list
	for _, u := range units {
		f := &u.Function
		from := f.StartLine
		for _, b := range f.Blocks {
			if b.Start == f.StartLine && b.End == f.EndLine {
				from = b.Def
			}
		}
		spans = append(spans, span{f.Program, from, f.EndLine})
	}
	input, err := json.Marshal(spans)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-W", "ignore", "-c", `
import dis, json, sys
for s in json.load(sys.stdin):
    found, codes = set(), [compile(s["Program"], "p", "exec")]
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if hasattr(c, "co_code")]
        if s["From"] <= code.co_firstlineno <= s["To"] and code.co_name != "<module>":
            found |= {line for _, line in dis.findlinestarts(code) if line and s["From"] < line <= s["To"]}
    print(json.dumps(sorted(found)))
`)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := make([][]int32, len(units))
	decoder := json.NewDecoder(bytes.NewReader(out))
	for i := range lines {
		if err := decoder.Decode(&lines[i]); err != nil {
			t.Fatal(err)
		}
	}
	return lines
}

func libraryOf(t *testing.T, python string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), python, "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		missing(t, python+": "+err.Error())
	}
	return filepath.Clean(strings.TrimSpace(string(out)))
}
