package harvest

import (
	"strings"
	"testing"
)

// TestCruxEval: every row of the data set that the repository ships is a function with its case, under every
// interpreter.
func TestCruxEval(t *testing.T) {
	if testing.Short() {
		t.Skip("short: eight hundred functions")
	}
	source, err := SourceConfig{Type: "jsonl", Path: "../pipelines/cruxeval/cruxeval.jsonl", Preset: "cruxeval"}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	items := collect(t, source)
	for version, python := range interpreters(t) {
		t.Run(version, func(t *testing.T) {
			// One row has an address of its own making, which is to be kept.
			opts := Options{Curation: Curation{Secrets: Secrets{Source: HandleKeep}}}
			result, err := newHarvester(t, &localRuntime{python: python, dir: t.TempDir()}, opts).Harvest(t.Context(), items)
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, result)
			for _, drop := range result.Drops {
				t.Error(drop.String())
			}
			if len(result.Units) != 800 || result.CasesFound != 800 {
				t.Fatalf("%d functions and %d cases, want 800 of each", len(result.Units), result.CasesFound)
			}
			functions, cases := map[string]bool{}, map[string]bool{}
			for _, u := range result.Units {
				functions[u.Function.ID], cases[u.Cases[0].ID] = true, true
				if !u.Cases[0].HasExpected || u.Function.License != "MIT" || u.Function.Row == 0 {
					t.Errorf("%s: expected %t, license %q", u.Function.Origin, u.Cases[0].HasExpected, u.Function.License)
				}
			}
			if len(cases) != 800 {
				t.Errorf("%d different cases (%d different functions), want 800", len(cases), len(functions))
			}
			// The traps of the data set: an empty input, a trailing comma, a lambda, a global defined after the function.
			for row, want := range map[int]string{136: "f()", 453: ",)", 345: "lambda"} {
				if call := result.Units[row-1].Cases[0].Call; !strings.Contains(call, want) {
					t.Errorf("row %d: the call is %s, want %s in it", row, call, want)
				}
			}
		})
	}
}
