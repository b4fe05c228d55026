package shard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

func testPlan() Plan {
	return Plan{
		Settings: map[string]string{"source": "sha256:abc", "tracer.max_events": "1000"},
		Seed:     7,
		Splits:   []Split{{"train", 0.5}, {"test", 0.25}, {"empty", 0.25}},
		Layout:   Layout{RowGroupBytes: 60_000, ShardBytes: 1},
		Parts:    SplitParts(35, 10),
	}
}

// doPart writes the rows of a part: every item has a row in each table.
func doPart(t *testing.T, b *Build, part PartPlan) *Commit {
	t.Helper()
	p, err := b.Begin(part.ID)
	if err != nil {
		t.Fatal(err)
	}
	writePart(t, p, part)
	commit, err := p.Commit(map[string]int64{"items": part.Count})
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

func writePart(t *testing.T, p *Part, part PartPlan) {
	t.Helper()
	for n := part.First; n < part.First+part.Count; n++ {
		split := splitOfItem(int(n))
		err := errors.Join(
			p.WriteFunction(functionRow(int(n), split)),
			p.WriteTrace(traceRow(int(n), split)),
			p.WriteTrajectory(trajectoryRow(int(n), split)),
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	if part.First == 0 {
		return // a part may drop nothing
	}
	for _, reason := range []string{"first", "second"} {
		if err := p.WriteDrop(fmt.Appendf(nil, `{"part":%q,"reason":%q}`, part.ID, reason)); err != nil {
			t.Fatal(err)
		}
	}
}

func splitOfItem(n int) string { return []string{"train", "train", "test"}[n%3] }

func open(t *testing.T, dir string) *Build {
	t.Helper()
	b, err := Open(dir, testPlan())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOpenMismatch(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	open(t, dir) // the same plan again
	other := testPlan()
	other.Settings["tracer.max_events"] = "2000"
	other.Settings["new"] = "x"
	other.Seed = 8
	_, err := Open(dir, other)
	var mismatch *MismatchError
	if !errors.As(err, &mismatch) {
		t.Fatalf("got %v", err)
	}
	want := dir + ` holds a build with other settings:
  new: there nothing, now x
  seed: there 7, now 8
  tracer.max_events: there 1000, now 2000
choose another output directory, or remove this one to build it anew`
	if err.Error() != want {
		t.Errorf("got %s\nwant %s", err, want)
	}
	for name, change := range map[string]func(*Plan){
		"splits":          func(p *Plan) { p.Splits = nil },
		"shard bytes":     func(p *Plan) { p.Layout.ShardBytes++ },
		"row group bytes": func(p *Plan) { p.Layout.RowGroupBytes++ },
		"parts":           func(p *Plan) { p.Parts = SplitParts(35, 9) },
	} {
		other := testPlan()
		change(&other)
		_, err := Open(dir, other)
		if !errors.As(err, &mismatch) || len(mismatch.Differ) != 1 || mismatch.Differ[0].Setting != name {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestOpenForeign(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.tex"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, testPlan())
	var foreign *ForeignError
	if !errors.As(err, &foreign) || !strings.Contains(err.Error(), "thesis.tex") {
		t.Errorf("got %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the directory was changed: %v %v", entries, err)
	}
}

func TestOpenRefusesBadPlans(t *testing.T) {
	for want, change := range map[string]func(*Plan){
		"sum to 0.5":       func(p *Plan) { p.Splits = []Split{{"train", 0.5}} },
		`split "a/b"`:      func(p *Plan) { p.Splits = []Split{{"a/b", 1}} },
		`"train" is there`: func(p *Plan) { p.Splits = []Split{{"train", 0.5}, {"train", 0.5}} },
		`part "../x"`:      func(p *Plan) { p.Parts[0].ID = "../x" },
		"is there twice":   func(p *Plan) { p.Parts[1].ID = p.Parts[0].ID },
		"row groups of":    func(p *Plan) { p.Layout.RowGroupBytes = 1 << 40 },
	} {
		plan := testPlan()
		change(&plan)
		if _, err := Open(t.TempDir(), plan); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestFirstCommitStands(t *testing.T) {
	b := open(t, t.TempDir())
	part := b.Plan().Parts[0]
	if _, ok := b.Committed(part.ID); ok {
		t.Error("committed before it was begun")
	}
	const attempts = 8
	commits := make([]*Commit, attempts)
	var ready, done sync.WaitGroup
	ready.Add(attempts)
	for i := range attempts {
		p, err := b.Begin(part.ID)
		if err != nil {
			t.Fatal(err)
		}
		writePart(t, p, part)
		done.Go(func() {
			ready.Done()
			ready.Wait()
			commits[i], err = p.Commit(nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	stands, ok := b.Committed(part.ID)
	if !ok {
		t.Fatal("not committed")
	}
	for _, commit := range commits {
		if commit == nil || commit.Attempt != stands.Attempt {
			t.Errorf("an attempt was told that %v stands, it is %v", commit, stands)
		}
	}
	entries, err := os.ReadDir(b.path(buildDir, "parts"))
	if err != nil || len(entries) != 1 || entries[0].Name() != stands.Attempt {
		t.Errorf("the losers left files: %v %v", entries, err)
	}
}

func TestAbort(t *testing.T) {
	b := open(t, t.TempDir())
	part := b.Plan().Parts[0]
	p, err := b.Begin(part.ID)
	if err != nil {
		t.Fatal(err)
	}
	writePart(t, p, part)
	p.Abort()
	p.Abort()
	if err := p.WriteTrace(traceRow(1, "train")); err == nil {
		t.Error("wrote after the end")
	}
	if _, err := p.Commit(nil); err == nil {
		t.Error("committed after the end")
	}
	entries, err := os.ReadDir(b.path(buildDir, "parts"))
	if err != nil || len(entries) != 0 {
		t.Errorf("left %v %v", entries, err)
	}
	if _, ok := b.Committed(part.ID); ok {
		t.Error("committed")
	}
}

func TestPartRefuses(t *testing.T) {
	b := open(t, t.TempDir())
	if _, err := b.Begin("no-such-part"); err == nil {
		t.Error("began a part that the plan does not have")
	}
	p, err := b.Begin(b.Plan().Parts[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Abort()
	if err := p.WriteTrace(traceRow(1, "validation")); err == nil || !strings.Contains(err.Error(), `no split "validation"`) {
		t.Errorf("got %v", err)
	}
}

func TestIncomplete(t *testing.T) {
	b := open(t, t.TempDir())
	doPart(t, b, b.Plan().Parts[1])
	_, err := b.Finalize(context.Background(), FinalizeOptions{})
	var incomplete *IncompleteError
	if !errors.As(err, &incomplete) || len(incomplete.Missing) != 3 || incomplete.Missing[0] != "part-000000" {
		t.Fatalf("got %v", err)
	}
	if _, err := OpenDataset(b.Dir()); !errors.Is(err, ErrIncomplete) {
		t.Errorf("got %v", err)
	}
}

func TestSplitOf(t *testing.T) {
	splits := []Split{{"train", 0.8}, {"none", 0}, {"test", 0.2}}
	wider := []Split{{"train", 0.9}, {"test", 0.1}}
	count := map[string]int{}
	for n := range 10_000 {
		key := SplitKey(&schema.Function{ID: schema.ID("function", string(rune(n)))})
		split := SplitOf(key, splits)
		count[split]++
		if split == "train" && SplitOf(key, wider) != "train" {
			t.Fatalf("%s left a split that was made longer", key)
		}
	}
	if count["train"] < 7800 || count["train"] > 8200 || count["none"] != 0 {
		t.Errorf("got %v", count)
	}
	a := &schema.Function{ID: "1", Origin: schema.Origin{Repo: "r"}}
	b := &schema.Function{ID: "2", Origin: schema.Origin{Repo: "r"}}
	if SplitKey(a) != SplitKey(b) {
		t.Error("two functions of one repository have different keys")
	}
}
