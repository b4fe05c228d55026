package harvest

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden: what is found in the fixtures of testdata/files, which hold one trap each, by every interpreter.
func TestGolden(t *testing.T) {
	source, err := SourceConfig{Type: "python", Path: "testdata/files", Include: []string{"*"}}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	items := collect(t, source)
	const golden = "testdata/files.golden"
	if *update {
		result, err := newLocal(t, interpreter(t)).Harvest(t.Context(), items)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(describe(result)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	for version, python := range interpreters(t) {
		t.Run(version, func(t *testing.T) {
			result, err := newLocal(t, python).Harvest(t.Context(), items)
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, result)
			compareLines(t, describe(result), string(want))
		})
	}
}

// describe leaves out the parsers' own words, which differ from version to version.
func describe(r *Result) string {
	var b strings.Builder
	for _, u := range r.Units {
		f := &u.Function
		fmt.Fprintf(&b, "%s %s lines %d-%d async=%t generator=%t doc=%q\n", f.Origin, f.Entry, f.StartLine, f.EndLine, f.Async, f.Generator, f.Doc)
		for _, c := range u.Cases {
			what := fmt.Sprintf("%q", c.Call)
			if f.IsProgram() {
				what = c.String()
			}
			fmt.Fprintf(&b, "\t%s %s", c.Generator, what)
			if c.HasExpected {
				fmt.Fprintf(&b, " gives %q", c.Expected)
			}
			b.WriteByte('\n')
		}
	}
	for _, d := range r.Drops {
		detail := d.Detail
		if d.Level == LevelItem || d.Reason == BadCall || d.Reason == BadDoctest {
			detail, _, _ = strings.Cut(detail, ":")
			if d.Level == LevelItem {
				detail = "..."
			}
		}
		fmt.Fprintf(&b, "dropped %s %s %s %s: %s\n", d.Level, d.Item(), d.Unit, d.Reason, detail)
	}
	return b.String()
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Fatalf("line %d:\n got %s\nwant %s", i+1, a, b)
		}
	}
}
