package harvest

import (
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// Rows of one function are one function with all of their cases, and every row is accounted for.
func TestRowsOfOneFunctionAreMerged(t *testing.T) {
	const program = "def f(x):\n    return x\n"
	row := func(n int, args string) Item {
		return Item{Origin: schema.Origin{Path: "rows.jsonl", Row: n}, Text: program, Entry: "f", Inputs: []Input{{Args: args}}}
	}
	result, err := newLocal(t, "python3").Harvest(t.Context(), []Item{row(1, "1"), row(2, "2"), row(3, "1")})
	if err != nil {
		t.Fatal(err)
	}
	balanced(t, result)
	if len(result.Units) != 1 || len(result.Units[0].Cases) != 2 || result.Units[0].Function.Row != 1 {
		t.Errorf("units: %+v", result.Units)
	}
	var reasons []Reason
	for _, d := range result.Drops {
		reasons = append(reasons, d.Reason)
	}
	if len(reasons) != 3 || reasons[0] != DuplicateFunction || reasons[1] != DuplicateFunction || reasons[2] != DuplicateCase {
		t.Errorf("drops: %v", result.Drops)
	}
}
