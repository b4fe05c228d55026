package schema

import (
	"encoding/json"
	"testing"
)

func TestValues(t *testing.T) {
	row := &TrajectoryRow{ID: "a", Text: "x", Targets: []TargetRow{{Start: 1, End: 2, Kind: "event"}}, Actions: []string{"step_into"}}
	text, err := json.Marshal(Values(row))
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		ID      string `json:"id"`
		Targets []struct {
			Start, End int32
			Kind       string
		} `json:"targets"`
		Actions  []string `json:"actions"`
		Horizons []int32  `json:"horizons"`
		NStates  int32    `json:"n_states"`
	}
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if back.ID != "a" || len(back.Targets) != 1 || back.Targets[0].End != 2 || back.Actions[0] != "step_into" || back.Horizons == nil {
		t.Errorf("%s", text)
	}
}
