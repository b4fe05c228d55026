package pipelines

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// table is what replays of programs came to, as docs/verification.md shows it.
type table struct {
	rows    []string
	sum     *ReplayReport
	watched map[string]map[string][]string // per program, per cause: versions
}

func (t *table) add(version string, all []*fixture, reports map[string]*ReplayReport) {
	if t.sum == nil {
		t.sum, t.watched = newReplayReport(), map[string]map[string][]string{}
	}
	own := newReplayReport()
	statuses := map[string]int64{}
	for _, f := range all {
		r := reports[f.name]
		if r == nil {
			statuses[string(f.trace.Status)]++
			continue
		}
		own.add(r)
		for _, w := range r.Watched {
			if t.watched[f.name] == nil {
				t.watched[f.name] = map[string][]string{}
			}
			t.watched[f.name][w.Cause] = append(t.watched[f.name][w.Cause], version)
		}
	}
	var others []string
	for _, status := range sortedKeys(statuses) {
		others = append(others, fmt.Sprintf("%s %d", status, statuses[status]))
	}
	t.rows = append(t.rows, fmt.Sprintf("| %s | %d | %s | %d | %d | %d | %d | %d | %d |", version, len(reports), strings.Join(others, ", "),
		own.Sessions, own.Shared, own.Stops, own.Agreed, own.ByWatching, own.Disagreed))
	t.sum.add(own)
}

// excuse lists the disagreements of a program that says that it can notice a debugger.
func (r *ReplayReport) excuse(why string) {
	d := *r.Smallest
	d.Cause = why
	r.Watched = append(r.Watched, d)
	r.ByWatching += r.Disagreed
	r.Disagreed, r.Smallest = 0, nil
	for _, list := range [][]Transitions{r.Transitions, r.Kinds} {
		for i := range list {
			list[i].Disagreed = 0
		}
	}
}

func (t *table) text() string {
	var b strings.Builder
	b.WriteString("| CPython | programs | others, by status | sessions | of them in a shared process | stops | agreed | flagged | disagreed |\n|---|---|---|---|---|---|---|---|---|\n")
	b.WriteString(strings.Join(t.rows, "\n"))
	t.sum.sort()
	for _, part := range []struct {
		name string
		list []Transitions
	}{{"action", t.sum.Transitions}, {"reached", t.sum.Kinds}} {
		fmt.Fprintf(&b, "\n\n| debugger | %s | agreed | disagreed |\n|---|---|---|---|\n", part.name)
		for _, n := range part.list {
			fmt.Fprintf(&b, "| %s | %s | %d | %d |\n", n.Debugger, n.Name, n.Agreed, n.Disagreed)
		}
	}
	b.WriteString("\n| flagged | cause | CPython |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(t.watched)) {
		for _, cause := range slices.Sorted(maps.Keys(t.watched[name])) {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, cause, strings.Join(t.watched[name][cause], ", "))
		}
	}
	return b.String()
}
