package harvest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDatasets: what is found in rows of the exact shape of each data set that has a preset, with the traps of each.
func TestDatasets(t *testing.T) {
	paths, err := filepath.Glob("testdata/datasets/*.jsonl")
	if err != nil || len(paths) < len(presets)-1 {
		t.Fatal(paths, err)
	}
	golden := func(name string) string { return filepath.Join("testdata", "datasets", name+".golden") }
	items := map[string][]Item{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		source, err := SourceConfig{Preset: name, Path: path}.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer source.Close()
		items[name] = collect(t, source)
	}
	if *update {
		h := newLocal(t, interpreter(t))
		for name := range items {
			result, err := h.Harvest(t.Context(), items[name])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden(name), []byte(describeRows(result)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for version, python := range interpreters(t) {
		h := newLocal(t, python)
		for name := range items {
			t.Run(version+"/"+name, func(t *testing.T) {
				want, err := os.ReadFile(golden(name))
				if err != nil {
					t.Fatal(err)
				}
				result, err := h.Harvest(t.Context(), items[name])
				if err != nil {
					t.Fatal(err)
				}
				balanced(t, result)
				compareLines(t, describeRows(result), string(want))
			})
		}
	}
}

// describeRows also says what the rows say of themselves; and of long numbers, how long they are.
func describeRows(r *Result) string {
	var b strings.Builder
	b.WriteString(shortDigits(describe(r)))
	for _, u := range r.Units {
		f := &u.Function
		fmt.Fprintf(&b, "%s: repo %q revision %q licence %q program\n\t%s\n", f.Origin, f.Repo, f.Revision, f.License, strings.ReplaceAll(f.Program, "\n", "\n\t"))
	}
	return b.String()
}

func shortDigits(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n > 100 {
			fmt.Fprintf(&b, "<%d digits>", n)
			s = s[n:]
			continue
		}
		n = max(n, 1)
		b.WriteString(s[:n])
		s = s[n:]
	}
	return b.String()
}
