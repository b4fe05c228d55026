package shard

import (
	"github.com/tracemill/tracemill/schema"
)

const (
	manifestFile = "manifest.json"
	cardFile     = "README.md"
)

// Manifest is what a published build says of itself.
type Manifest struct {
	SchemaVersion int               `json:"schema_version"`
	Plan          string            `json:"plan"` // digest
	Seed          uint64            `json:"seed"`
	Settings      map[string]string `json:"settings"`
	Splits        []Split           `json:"splits"`
	Parts         int               `json:"parts"`
	Warnings      []string          `json:"warnings,omitempty"` // what a reader should know before the rows

	// Counters are the counters of all commits, summed.
	Counters map[string]int64 `json:"counters"`
	// Tallies count the rows by what they have in a column: "traces.status" to "ok" to a number.
	Tallies map[string]map[string]int64 `json:"tallies"`
	// Files are the card and the shards, in the order of tables, splits and numbers.
	Files []File `json:"files"`
}

// Rows is the number of rows of a table in a split, or in all splits where it is "".
func (m *Manifest) Rows(table schema.Table, split string) int64 {
	var n int64
	for _, file := range m.Files {
		if file.Table == table && (split == "" || file.Split == split) {
			n += file.Rows
		}
	}
	return n
}

// tally counts rows by the columns that a reader of the card asks for first.
type tally map[string]map[string]int64

func tallyRow[T schema.Row](t tally, row *T) {
	switch r := any(row).(type) {
	case *schema.FunctionRow:
		t.add("functions.license", r.License)
		t.add("functions.origin", r.Origin)
	case *schema.TraceRow:
		t.add("traces.status", r.Status)
		t.add("traces.python_version", r.PythonVersion)
		t.add("traces.output_matches", r.OutputMatches)
		t.sum("traces.events", "all", int64(r.NEvents))
	case *schema.TrajectoryRow:
		t.add("trajectories.license", r.License)
		t.add("trajectories.format", r.Format)
		t.add("trajectories.direction", r.Direction)
		t.add("trajectories.policy", r.Policy)
		t.add("trajectories.exit", r.Exit)
		t.sum("trajectories.characters", "all", int64(r.NChars))
	}
}

func (t tally) add(column, value string) { t.sum(column, value, 1) }

func (t tally) sum(column, value string, n int64) {
	if t[column] == nil {
		t[column] = map[string]int64{}
	}
	t[column][value] += n
}
