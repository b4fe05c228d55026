package pipelines

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
)

// TestCopiesShareASplit: repositories whose hashes lie in both splits, each with a function of its own and a copy of one that all have.
func TestCopiesShareASplit(t *testing.T) {
	dir := t.TempDir()
	var lines []string
	for n := range 4 {
		for _, program := range []string{surveyed, fmt.Sprintf("def f(values):\n    return values[%d:] or None\n", n)} {
			line, err := json.Marshal(map[string]string{"code": program, "input": "[1, 2]", "repo": fmt.Sprint("o/r", n)})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "rows.jsonl"), []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "config.yaml")
	err := os.WriteFile(config, []byte(`output: out
sources: [{type: jsonl, path: rows.jsonl, columns: {code: code, input: input, repo: repo}, entry: f}]
splits: [{name: train, share: 0.5}, {name: test, share: 0.5}]
verify: {sample: -1}
run: {part_size: 1}
`), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	for _, treatment := range []string{"mark", "keep"} {
		t.Run(treatment, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			report := runBuild(t, config, out, "harvest.duplicates.exact="+treatment, "harvest.duplicates.near="+treatment)
			if report.Verified == nil || !report.Verified.OK() {
				t.Errorf("verified: %+v", report.Verified)
			}
			copies, of, used := 0, map[string]string{}, map[string]bool{}
			for _, f := range rowsOf[schema.FunctionRow](t, out) {
				used[f.Split] = true
				if was, ok := of[f.ID]; ok && was != f.Split {
					t.Errorf("function %s of %s is in the splits %s and %s", f.ID, f.Repo, was, f.Split)
				}
				of[f.ID] = f.Split
				if f.Program == surveyed {
					copies++
				}
			}
			if copies != 4 || len(of) != 5 || len(used) != 2 {
				t.Errorf("%d copies, %d functions, %d splits, want 4, 5 and 2", copies, len(of), len(used))
			}
			seen := map[string]bool{}
			for _, row := range rowsOf[schema.TrajectoryRow](t, out) {
				seen[row.Repo] = true
			}
			if len(seen) != 4 {
				t.Errorf("trajectories of %d repositories, want 4", len(seen))
			}
		})
	}
}

func TestSplitKey(t *testing.T) {
	f := &schema.Function{ID: "a"}
	f.Repo, f.Cluster = "o/r", "b"
	for _, test := range []struct {
		exact, near harvest.Treatment
		want        string
	}{
		{"drop", "drop", "repo:o/r"}, {"drop", "keep", "repo:o/r"},
		{"mark", "mark", "cluster:b"}, {"mark", "drop", "cluster:b"}, {"drop", "mark", "cluster:b"},
		{"keep", "keep", "function:a"}, {"keep", "mark", "function:a"},
	} {
		if got := splitKey(f, test.exact, test.near); got != test.want {
			t.Errorf("exact %s, near %s: %s, want %s", test.exact, test.near, got, test.want)
		}
	}
	f.Cluster = ""
	if got := splitKey(f, "mark", "mark"); got != "repo:o/r" {
		t.Errorf("a function without copies: %s", got)
	}
}
