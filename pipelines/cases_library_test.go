package pipelines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// TestStandardLibraryCases makes cases for the functions and methods of an interpreter's own library. Of all files with TRACEMILL_CASES=1,
// of some otherwise.
func TestStandardLibraryCases(t *testing.T) {
	if testing.Short() {
		t.Skip("short: thousands of executions")
	}
	rt := openTestRuntime(t, "")
	items := itemsOf(t, harvest.SourceConfig{Type: "python", Path: hostLibrary(t), Exclude: []string{
		"**/test/**", "**/tests/**", "**/idlelib/**", "**/site-packages/**", "**/lib2to3/**", "**/turtledemo/**", "**/config-*/**", "**/__pycache__/**",
	}})
	items = sampled(t, items, func() []harvest.Item {
		return slices.DeleteFunc(items, func(item harvest.Item) bool {
			return !slices.Contains([]string{"textwrap.py", "colorsys.py", "bisect.py", "posixpath.py"}, item.Path)
		})
	})
	m := libraryMeasure{byGenerator: map[string]int{}, outcomes: map[string]int{}}
	w := newCaseWorker(t, rt, func(c *Config) { c.Harvest.Slice = harvest.SliceMinimal })
	pure := pureFunctions(t, rt, items)
	for part := range slices.Chunk(items, 8) {
		m.part(t, w, part, pure)
		t.Log(m.text()) // so far: all of it takes hours
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
	for part := range slices.Chunk(items, 32) {
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

// libraryMeasure counts functions.
type libraryMeasure struct {
	found, withCase, useful, pure, halves int
	byGenerator                           map[string]int // functions with a case of it that returns
	outcomes                              map[string]int // of the tried calls of pure functions that are left without a case that returns, by what happened
}

func (m *libraryMeasure) part(t *testing.T, w *worker, items []harvest.Item, pure map[string]bool) {
	t.Helper()
	result, err := w.harvester.Harvest(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	m.found += len(result.Units)
	for _, u := range result.Units {
		if pure[u.Function.ID] {
			m.pure++
		}
	}
	if err := w.grow(t.Context(), Counters{}, result); err != nil {
		t.Fatal(err)
	}
	plants := tryAll(t, w, result.Units)
	lines := executable(t, result.Units)
	for i, p := range plants {
		f := &p.unit.Function
		m.withCase++
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
		if len(generators) > 0 {
			m.useful++
		}
		if pure[f.ID] && 2*best >= len(lines[i]) && len(generators) > 0 {
			m.halves++
		}
	}
	for _, d := range result.Drops {
		if d.Level == harvest.LevelCase {
			status, _, _ := strings.Cut(d.Detail, ": ")
			if d.Reason != harvest.NotRun {
				status = ""
			}
			m.outcomes[strings.TrimSpace(string(d.Reason)+" "+status)]++
		}
	}
}

func (m *libraryMeasure) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d functions and methods; %d (%.1f %%) with a case, %d (%.1f %%) with one that returns", m.found, m.withCase,
		share(m.withCase, m.found), m.useful, share(m.useful, m.found))
	for _, name := range sortedKeys(m.byGenerator) {
		fmt.Fprintf(&b, ", %s %d", name, m.byGenerator[name])
	}
	fmt.Fprintf(&b, "; %d pure, of them %d (%.1f %%) with a case that covers half of the lines; calls left out:", m.pure, m.halves, share(m.halves, m.pure))
	for _, name := range sortedKeys(m.outcomes) {
		fmt.Fprintf(&b, " %s %d", name, m.outcomes[name])
	}
	return b.String()
}

// executable asks the interpreter for the lines of each function's definition, but for its own first ones, that hold code.
func executable(t *testing.T, units []harvest.Unit) [][]int32 {
	t.Helper()
	type span struct {
		Program  string
		From, To int32
	}
	var spans []span
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
	cmd := exec.CommandContext(t.Context(), "python3", "-W", "ignore", "-c", `
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

func hostLibrary(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		missing(t, "python3: "+err.Error())
	}
	return filepath.Clean(strings.TrimSpace(string(out)))
}
