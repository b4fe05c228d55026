package harvest

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/schema"
)

// library is a standard library to harvest, and the interpreter that reads it.
type library struct {
	version, dir, python string
	whole                bool // and not a sample of its files
}

// libraries are those of the interpreters that TRACEMILL_TEST_PYTHON names: a version such as 3.12, or "all"; else the directory
// TRACEMILL_STDLIB, for the interpreter that there is; else a sample of that interpreter's own.
func libraries(t testing.TB) []library {
	t.Helper()
	named, dir := os.Getenv("TRACEMILL_TEST_PYTHON"), os.Getenv("TRACEMILL_STDLIB")
	switch {
	case named == "" && dir != "":
		return []library{{version: "given", dir: dir, python: interpreter(t), whole: true}}
	case named == "":
		return []library{ownLibrary(t, "own", interpreter(t))}
	}
	var found []library
	for version, python := range interpreters(t) {
		if named == "all" || strings.HasPrefix(version+".", named+".") {
			l := ownLibrary(t, version, python)
			l.whole = true
			found = append(found, l)
		}
	}
	if len(found) == 0 {
		t.Fatalf("TRACEMILL_TEST_PYTHON is %q: want all, or the version of an interpreter that is installed, such as 3.12", named)
	}
	slices.SortFunc(found, func(a, b library) int { return cmp.Compare(minor(a.version), minor(b.version)) })
	return found
}

func ownLibrary(t testing.TB, version, python string) library {
	t.Helper()
	out, err := exec.Command(python, "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Fatal(err)
	}
	return library{version: version, dir: strings.TrimSpace(string(out)), python: python}
}

func minor(version string) (n int) {
	fmt.Sscanf(version, "3.%d", &n)
	return n
}

// TestStandardLibrary: every file of a standard library is harvested or dropped with a reason, and so is every function in it. Of the
// tree it takes every twentieth file; with TRACEMILL_TEST_PYTHON, such as 3.12 or all, it takes all of them.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a twentieth of a library for each interpreter")
	}
	for _, l := range libraries(t) {
		t.Run(l.version, func(t *testing.T) { testLibrary(t, l) })
	}
}

func testLibrary(t *testing.T, l library) {
	source, err := SourceConfig{Type: "python", Path: l.dir, Exclude: []string{"**/__pycache__/**", "site-packages/**"}}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	items := collect(t, source)
	if !l.whole {
		every := 0
		items = slices.DeleteFunc(items, func(Item) bool { every++; return every%20 != 0 })
	}
	rt := &localRuntime{python: l.python, dir: t.TempDir()}
	begin := time.Now()
	result, err := newHarvester(t, rt, Options{Slice: SliceMinimal, Caseless: true, ParseSeconds: 60}).Harvest(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	balanced(t, result)
	m := libraryCounts{dropped: map[Level]map[Reason]int{LevelItem: {}, LevelFunction: {}, LevelCase: {}}}
	for _, d := range result.Drops {
		m.dropped[d.Level][d.Reason]++
		switch {
		case d.Reason == ParseCrash || d.Reason == ParseTimeout:
			t.Error(d.String())
		case d.Level == LevelItem && d.Reason != NoFunction:
			t.Log(d.String())
		}
	}
	lines := map[string]int{}
	for _, item := range items {
		lines[item.Path] = strings.Count(string(item.Source), "\n")
	}
	for _, u := range result.Units {
		m.add(&u, lines[u.Function.Path])
		if f := &u.Function; f.StartLine < 1 || f.EndLine > int32(len(schema.Lines(f.Program))) {
			t.Errorf("%s: lines %d-%d of %d", f.Origin, f.StartLine, f.EndLine, len(schema.Lines(f.Program)))
		}
	}
	if len(result.Units) == 0 || m.sliced == 0 || m.methods == 0 {
		t.Errorf("%d functions, %d methods, %d sliced", len(result.Units), m.methods, m.sliced)
	}
	t.Logf("%d files in %.1f s, %d with functions, dropped %v; %d functions found, dropped %v; %d kept, %d of them methods, %d sliced to %.0f %% of the lines; %d cases found, dropped %v",
		result.Items, took.Seconds(), result.ItemsKept, m.dropped[LevelItem], result.FunctionsFound, m.dropped[LevelFunction],
		len(result.Units), m.methods, m.sliced, 100*float64(m.kept)/float64(max(m.whole, 1)), result.CasesFound, m.dropped[LevelCase])
}

type libraryCounts struct {
	methods, sliced int
	kept, whole     int // lines of slices, and of what they were cut from
	dropped         map[Level]map[Reason]int
}

// add counts a function of a file of so many lines.
func (m *libraryCounts) add(u *Unit, lines int) {
	f := &u.Function
	if strings.Contains(f.Qualname, ".") {
		m.methods++
	}
	if f.Lines != nil {
		m.sliced++
		m.kept += len(f.Lines)
		m.whole += lines
	}
}
