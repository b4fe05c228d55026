package pipelines

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/schema/grammar"
	"github.com/tracemill/tracemill/shard"
)

// rows checks every row of every table against the rows that it refers to.
func (v *verification) rows(ctx context.Context) error {
	splits := splitIndex{of: map[string]string{}}
	v.sampled = sample{size: v.options.Sample, seed: v.dataset.Manifest().Seed}
	for _, split := range v.dataset.Manifest().Splits {
		rows := newLookup(v.dataset, split.Name)
		err := v.tables(ctx, rows, &splits)
		rows.close()
		if err != nil {
			return err
		}
	}
	v.compareSums()
	return nil
}

// tables checks the three tables of one split. A table that cannot be read is a fault of its file, which is reported already.
func (v *verification) tables(ctx context.Context, rows *lookup, splits *splitIndex) error {
	for row, err := range shard.Rows[schema.FunctionRow](v.dataset, rows.split) {
		if err != nil || ctx.Err() != nil {
			break
		}
		v.function(row, rows, splits)
	}
	for row, err := range shard.Rows[schema.TraceRow](v.dataset, rows.split) {
		if err != nil || ctx.Err() != nil {
			break
		}
		v.traceRow(row, rows)
	}
	rows.rewind()
	for row, err := range shard.Rows[schema.TrajectoryRow](v.dataset, rows.split) {
		if err != nil || ctx.Err() != nil {
			break
		}
		v.trajectory(row, rows)
	}
	return ctx.Err()
}

func (v *verification) function(row *schema.FunctionRow, rows *lookup, splits *splitIndex) {
	f, err := schema.RowToFunction(row)
	if err != nil {
		v.did("function rows", row.ID, err.Error())
		return
	}
	v.did("function rows", row.ID, "")
	again := *f
	again.Identify()
	v.did("function ids", row.ID, unequal("id", again.ID, row.ID))
	exact, near := harvest.Treatment(v.settings["harvest.duplicates.exact"]), harvest.Treatment(v.settings["harvest.duplicates.near"])
	key := splitKey(f, exact, near)
	v.did("splits", row.ID, unequal("split", shard.SplitOf(key, v.dataset.Manifest().Splits), row.Split))
	if exact == harvest.TreatDrop {
		v.did("unique functions", row.ID, splits.there(f))
	}
	v.did("split disjointness", row.ID, splits.add(f, key, row.Split))
	rows.origins[originOf(f.ID, f.Repo, f.Path, f.License)] = true
	v.sums.fact("rows", "functions", 1)
}

func (v *verification) traceRow(row *schema.TraceRow, rows *lookup) {
	trace, err := schema.RowToTrace(row)
	if err != nil {
		v.did("trace rows", row.ID, err.Error())
		return
	}
	v.did("trace rows", row.ID, "")
	function := rows.functions.get(trace.FunctionID)
	if function == nil {
		v.did("foreign keys", row.ID, fmt.Sprintf("trace: there is no function %s in split %s", trace.FunctionID, rows.split))
		return
	}
	v.did("foreign keys", row.ID, "")
	v.did("case ids", row.ID, unequal("case_id", schema.CaseID(trace.FunctionID, trace.Call, trace.Stdin), row.CaseID))
	_, err = actions.New(trace, function)
	v.did("state trees", row.ID, text(err))
	v.python[trace.PythonVersion] = true
	countTrace(v.sums, trace)
	v.sums.fact("rows", "traces", 1)
}

// trajectory checks a row, and what it says of its trace.
func (v *verification) trajectory(row *schema.TrajectoryRow, rows *lookup) {
	t, err := schema.RowToTrajectory(row)
	if err != nil {
		v.did("trajectory rows", row.ID, err.Error())
		return
	}
	v.did("trajectory rows", row.ID, "")
	countTrajectory(v.sums, t)
	v.sums.fact("rows", "trajectories", 1)
	again := *t
	again.Identify()
	v.did("trajectory ids", row.ID, unequal("id", again.ID, row.ID))
	s := rows.subject(t.TraceID)
	if s == nil {
		v.did("foreign keys", row.ID, fmt.Sprintf("trajectory: there is no trace %s, or no function of it, in split %s", t.TraceID, rows.split))
		return
	}
	v.did("foreign keys", row.ID, unequal("function_id", s.trace.FunctionID, t.FunctionID))
	v.did("copied columns", row.ID, copied(row, s, rows))
	v.did("statuses", row.ID, v.unusable(s.trace))
	walk, fault := v.follow(t, s)
	v.did("transitions", row.ID, fault)
	if walk != nil {
		v.text(t, walk)
	}
	v.sampled.offer(row.ID)
}

// unusable says why a trace of this status should have made nothing.
func (v *verification) unusable(trace *schema.Trace) string {
	options := v.sampling
	for i := 0; ; i++ {
		status, ok := v.settings[fmt.Sprintf("trajectories.statuses.%d", i)]
		if !ok {
			break
		}
		options.Statuses = append(options.Statuses, schema.Status(status))
	}
	if options.Accepts(trace.Status) {
		return ""
	}
	return fmt.Sprintf("a trajectory of a trace whose status is %s", trace.Status)
}

// follow makes the walk of a trajectory anew from the trace and the actions, and compares all that it says of them.
func (v *verification) follow(t *schema.Trajectory, s *subject) (*actions.Walk, string) {
	walk, fault := followRow(t, s, v.sampling.Tombstones)
	if fault != "" {
		return nil, fault
	}
	for _, d := range []string{
		unequal("event_index", fmt.Sprint(walk.EventIndex()), fmt.Sprint(t.EventIndex)),
		unequal("horizons", fmt.Sprint(walk.Horizons), fmt.Sprint(t.Horizons)),
		unequal("exit", string(walk.Exit), string(t.Exit)),
		unequal("n_states", fmt.Sprint(len(walk.Events)), fmt.Sprint(t.States)),
		unequal("entry_point", s.function.Entry, t.EntryPoint),
	} {
		if d != "" {
			return walk, d
		}
	}
	return walk, ""
}

func followRow(t *schema.Trajectory, s *subject, tombstones bool) (*actions.Walk, string) {
	if len(t.EventIndex) == 0 || t.EventIndex[0] < 0 || int(t.EventIndex[0]) >= len(s.trace.Events) {
		return nil, fmt.Sprintf("event_index: it begins outside of a trace of %d events", len(s.trace.Events))
	}
	walk, err := followAgain(s.tree, t, tombstones)
	if err != nil {
		return nil, err.Error()
	}
	return walk, ""
}

// text compares a trajectory's text with the rendering of its walk, and with what its parser reads of it.
func (v *verification) text(t *schema.Trajectory, walk *actions.Walk) {
	format, err := grammar.Lookup(t.Format)
	if err != nil {
		v.did("texts", t.ID, err.Error())
		return
	}
	document := walk.Document()
	rendered, err := format.Render(document)
	if err != nil {
		v.did("texts", t.ID, err.Error())
		return
	}
	v.did("texts", t.ID, differentText(rendered.Text, t.Text))
	if !slices.Equal(rendered.Targets, t.Targets) {
		v.did("target spans", t.ID, differentTargets(rendered.Targets, t.Targets))
	} else {
		v.did("target spans", t.ID, "")
	}
	parsed, err := format.Parse(t.Text)
	if err != nil {
		v.did("grammar round trip", t.ID, err.Error())
		return
	}
	v.did("grammar round trip", t.ID, differentDocuments(format.Project(document), parsed))
}

// compareSums compares the manifest's counters, which the build added up as it went, with the rows that are there.
func (v *verification) compareSums() {
	m := v.dataset.Manifest()
	counters := Counters(maps.Clone(m.Counters))
	v.did("report's sums", v.dataset.Dir(), text(counters.Check()))
	for _, table := range schema.Tables {
		v.did("report's sums", v.dataset.Dir(), unequal("rows of "+string(table), fmt.Sprint(v.sums["rows."+string(table)]), fmt.Sprint(v.dataset.Count(table, ""))))
	}
	for _, group := range []string{"status", "generator", "events", "output_matches", "format", "direction", "exit", "states", "chars", "action"} {
		v.did("report's sums", v.dataset.Dir(), unequal(group, fmt.Sprint(v.sums.Group(group)), fmt.Sprint(counters.Group(group))))
	}
	for key, column := range map[string]string{"status": "traces.status", "format": "trajectories.format", "exit": "trajectories.exit"} {
		v.did("report's sums", v.dataset.Dir(), unequal(column, fmt.Sprint(v.sums.Group(key)), fmt.Sprint(m.Tallies[column])))
	}
}
