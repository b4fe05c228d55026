package harvest

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/schema"
)

// stdlib is a tree to harvest and the interpreter that reads it: TRACEMILL_STDLIB, or the interpreter's own standard library.
func stdlib(t testing.TB) (dir, python string) {
	t.Helper()
	python = interpreter(t)
	if dir = os.Getenv("TRACEMILL_STDLIB"); dir != "" {
		return dir, python
	}
	out, err := exec.Command(python, "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out)), python
}

// TestStandardLibrary: every file of a standard library is harvested or dropped with a reason, and so is every function in it. Of the
// tree it takes every twentieth file; with TRACEMILL_STDLIB, the directory of one, all of them.
func TestStandardLibrary(t *testing.T) {
	dir, python := stdlib(t)
	source, err := SourceConfig{Type: "python", Path: dir, Exclude: []string{"**/__pycache__/**", "site-packages/**"}}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	items := collect(t, source)
	if os.Getenv("TRACEMILL_STDLIB") == "" {
		every := 0
		items = slices.DeleteFunc(items, func(Item) bool { every++; return every%20 != 0 })
	}
	rt := &localRuntime{python: python, dir: t.TempDir()}
	begin := time.Now()
	result, err := newHarvester(t, rt, Options{Slice: SliceMinimal, Caseless: true}).Harvest(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	balanced(t, result)
	reasons := map[Reason]int{}
	for _, d := range result.Drops {
		reasons[d.Reason]++
		if d.Reason == ParseCrash || d.Reason == ParseTimeout {
			t.Error(d.String())
		}
	}
	sliced, methods, cases, kept, whole := 0, 0, 0, 0, 0
	for _, u := range result.Units {
		f := &u.Function
		if f.Entry != f.Qualname || strings.Contains(f.Qualname, ".") {
			methods++
		}
		if f.Lines != nil {
			sliced++
			kept += len(f.Lines)
			i := slices.IndexFunc(items, func(item Item) bool { return item.Path == f.Path })
			whole += strings.Count(string(items[i].Source), "\n")
		}
		if f.StartLine < 1 || f.EndLine > int32(len(schema.Lines(f.Program))) {
			t.Errorf("%s: lines %d-%d of %d", f.Origin, f.StartLine, f.EndLine, len(schema.Lines(f.Program)))
		}
		cases += len(u.Cases)
	}
	if len(result.Units) == 0 || sliced == 0 || methods == 0 {
		t.Errorf("%d functions, %d methods, %d sliced", len(result.Units), methods, sliced)
	}
	t.Logf("%d files in %.1f s, %d kept; %d functions, %d of them methods, %d sliced to %.0f %% of the lines; %d cases; dropped %v",
		result.Items, took.Seconds(), result.ItemsKept, len(result.Units), methods, sliced, 100*float64(kept)/float64(max(whole, 1)), cases, reasons)
}
