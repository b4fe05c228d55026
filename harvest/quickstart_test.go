package harvest

import "testing"

// TestQuickstart: the programs that the repository ships give the same functions and cases under every interpreter.
func TestQuickstart(t *testing.T) {
	source, err := SourceConfig{Type: "python", Path: "../pipelines/quickstart"}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	items := collect(t, source)
	for version, python := range interpreters(t) {
		t.Run(version, func(t *testing.T) {
			result, err := newLocal(t, python).Harvest(t.Context(), items)
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, result)
			for _, drop := range result.Drops {
				if drop.Reason != NoCase {
					t.Error(drop.String())
				}
			}
			cases := 0
			for _, u := range result.Units {
				cases += len(u.Cases)
			}
			if len(result.Units) != quickstartFunctions || cases != quickstartCases {
				t.Errorf("%d functions and %d cases, want %d and %d", len(result.Units), cases, quickstartFunctions, quickstartCases)
			}
		})
	}
}

const (
	quickstartFunctions = 54
	quickstartCases     = 112
)
