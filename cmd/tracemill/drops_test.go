package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/pipelines"
)

var (
	missing  = pipelines.Drop{Stage: "items", Reason: "missing_column", Source: "rows", Path: "rows.jsonl", Row: 3, Detail: `no column "output"`}
	caseless = pipelines.Drop{Stage: "functions", Reason: "no_case", Source: "tree", Path: "a.py", Unit: "f", Line: 12, Detail: "defined at\nline 12"}
)

func droppedStages() []pipelines.Stage {
	return []pipelines.Stage{
		{Name: "items", In: 17, Out: 1, Dropped: map[string]int64{"missing_column": 15, "bad_json": 1}, Examples: map[string]pipelines.Drop{"missing_column": missing}},
		{Name: "functions", In: 1, Out: 0, Dropped: map[string]int64{"no_case": 1}, Examples: map[string]pipelines.Drop{"no_case": caseless}},
		{Name: "cases"},
	}
}

func TestReportNamesDrops(t *testing.T) {
	var b bytes.Buffer
	writeReport(&b, &pipelines.Report{Output: "OUT", Complete: true, Stages: droppedStages(), GivenUnknown: strings.Split("abcdefg", "")})
	for _, want := range []string{
		"WARNING: cases.given names functions that the dataset has not: a, b, c, d, e and 2 more; ",
		"\n  missing_column 15, such as rows.jsonl:3: no column \"output\"\n  no_case 1, such as a.py:12: f: defined at line 12\n\n",
		"\n  tracemill stats OUT --drops\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, &b)
		}
	}
}

func TestWriteDrops(t *testing.T) {
	for _, test := range []struct {
		of   pipelines.Dropped
		want string
	}{
		{pipelines.Dropped{Dir: "OUT", File: "OUT/_build/drops.jsonl", Stages: droppedStages(), Drops: []pipelines.Drop{missing, caseless}}, `OUT

items: 16 of 17 dropped
  missing_column 15
    rows.jsonl:3: no column "output"
    and 14 more
  bad_json 1
    and 1 more

functions: 1 of 1 dropped
  no_case 1
    a.py:12: f: defined at line 12

The first of each reason and part: OUT/_build/drops.jsonl
`},
		{pipelines.Dropped{Dir: "OUT", File: "OUT/_build/drops.jsonl", Stages: droppedStages()[2:]}, "OUT\n\nNothing was dropped.\n"},
		{pipelines.Dropped{Dir: "OUT", Stages: droppedStages()[1:]}, `OUT

functions: 1 of 1 dropped
  no_case 1
    and 1 more

The version that made the build wrote down sums only.
`},
	} {
		var b bytes.Buffer
		writeDrops(&b, &test.of)
		if b.String() != test.want {
			t.Errorf("got\n%s\nwant\n%s", &b, test.want)
		}
	}
}
