package pipelines

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/shard"
)

// droppedRows are rows of which little is left, for many reasons. The key in the call of row 8 is where the call is cut for people.
var droppedRows = []string{
	`{"code": "def f(x):\n    return x", "input": "1", "output": "1"}`,
	`{"code": "def f(x):\n    return x", "input": "1"}`,
	`{"code": 5, "input": "1", "output": "1"}`,
	`{"code": "def f(x):\n  return '<|line_sep|>'", "input": "1", "output": "1"}`,
	`{"code": "def g(x):\n    return x", "input": "1", "output": "1", "id": "ada@lovelace.org"}`,
	`{"code": "\n\ndef f(x):\n    return x + 1", "input": ")(", "output": "1"}`,
	`{"code": "def f(x):\n    return x + y", "input": "y, 'AKIAQWERTYUIOPASDFGH'", "output": "1"}`,
	`{"code": "def f(x):\n    return x - 1", "input": "'` + strings.Repeat("a", 99) + `', 'AKIAQWERTYUIOPASDFGH'), (1", "output": "1"}`,
	`{"code": "import sys\n\n\ndef f(x):\n    sys.exit(3)", "input": "'AKIAQWERTYUIOPASDFGH'", "output": "1"}`,
	`{"code": "def f(x):\n    return x", "input": "1", "output": "1"}`,
}

// TestDrops: everything that is left out has a line that says where it was and why, whatever the number of workers.
func TestDrops(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole builds")
	}
	dir := t.TempDir()
	rows := filepath.Join(dir, "rows.jsonl")
	if err := os.WriteFile(rows, []byte(strings.Join(droppedRows, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	var r *Report
	for _, workers := range []int{1, 4} {
		out := filepath.Join(dir, fmt.Sprint(workers))
		r = runBuild(t, "cruxeval.yaml", out, "run.part_size=2", fmt.Sprint("run.workers=", workers),
			fmt.Sprintf("sources.0={type: jsonl, path: %q, entry: f, columns: {code: code, input: input, output: output, id: id}}", rows))
		text, err := os.ReadFile(shard.DropsPath(out))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "AKIA") || strings.Contains(string(text), "lovelace") {
			t.Errorf("a secret is in\n%s", text)
		}
		compareGolden(t, "drops.jsonl", string(text))
	}
	all := int64(0)
	for _, s := range r.Stages {
		for reason, n := range s.Dropped {
			all += n
			if d := s.Examples[reason]; d.Reason != reason || d.Stage != s.Name {
				t.Errorf("%s.%s: the example is %+v", s.Name, reason, d)
			}
		}
	}
	dropped, err := ReadDropped(r.Output, 1)
	if err != nil {
		t.Fatal(err)
	}
	if missing := r.Stages[0].Examples["missing_column"]; missing.String() != `rows.jsonl:2: no column "output"; there are: "code", "input"` ||
		!slices.Contains(dropped.Drops, missing) {
		t.Errorf("the example of missing_column is %s; listed are %v", &missing, dropped.Drops)
	}
	if lines, err := os.ReadFile(dropped.File); err != nil || int64(strings.Count(string(lines), "\n")) != all {
		t.Errorf("%d drops were counted, %d are written down: %v", all, strings.Count(string(lines), "\n"), err)
	}
}

// A part keeps the first of many drops of a reason, and what it keeps of a detail is bounded too.
func TestDropsAreBounded(t *testing.T) {
	build, err := shard.Open(t.TempDir(), shard.Plan{Parts: shard.SplitParts(1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	part, err := build.Begin("part-000000")
	if err != nil {
		t.Fatal(err)
	}
	out := &rows{part: part}
	for n := range 500 {
		for _, stage := range []string{"items", "cases"} {
			if err := out.drop(stage, "reason", Drop{Row: n + 1, Detail: strings.Repeat("é", 5*n)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := part.Commit(nil); err != nil {
		t.Fatal(err)
	}
	kept := map[string]int{}
	err = readDrops("", build.Drops(), func(d *Drop) {
		kept[d.Stage]++
		if d.Row != kept[d.Stage] || len([]rune(d.Detail)) != min(5*(d.Row-1), maxDetail) {
			t.Errorf("drop %d of %s: row %d, a detail of %d", kept[d.Stage], d.Stage, d.Row, len(d.Detail))
		}
	})
	if err != nil || kept["items"] != 100 || kept["cases"] != 10 {
		t.Errorf("kept %v: %v", kept, err)
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update when that is meant):\n%s", path, got)
	}
}
