package pipelines

import (
	"fmt"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
)

// View is a trajectory or a trace of a finished build, with what is needed to step through it.
type View struct {
	Function   *schema.Function
	Trace      *schema.Trace
	Trajectory *schema.Trajectory // nil when the trace itself is stepped through
	Source     []string           // physical lines of the executed program
	Walk       *actions.Walk
	Tree       *actions.Tree

	rows map[string]any
}

// LookAt finds what to step through: the trajectory with this id, else the trace with this id, else, where id is "",
// trajectory number n, from 0.
func LookAt(dir, id string, n int64) (*View, error) {
	d, err := shard.OpenDataset(dir)
	if err != nil {
		return nil, err
	}
	if id == "" {
		if have := d.Count(schema.Trajectories, ""); n < 0 || n >= have {
			return nil, fmt.Errorf("there is no trajectory %d: %s has %d, numbered from 0", n, dir, have)
		}
		row, err := shard.RowAt[schema.TrajectoryRow](d, "", n)
		if err != nil {
			return nil, err
		}
		return viewTrajectory(d, row)
	}
	row, err := shard.Find[schema.TrajectoryRow](d, id)
	if err != nil {
		return nil, err
	}
	if row != nil {
		return viewTrajectory(d, row)
	}
	v, err := viewTrace(d, id)
	if err != nil {
		return nil, err
	}
	return v, v.walkAll()
}

func viewTrajectory(d *shard.Dataset, row *schema.TrajectoryRow) (*View, error) {
	trajectory, err := schema.RowToTrajectory(row)
	if err != nil {
		return nil, err
	}
	v, err := viewTrace(d, trajectory.TraceID)
	if err != nil {
		return nil, err
	}
	v.Trajectory = trajectory
	v.rows["trajectory"] = schema.Values(row)
	v.Walk, err = followAgain(v.Tree, trajectory, true)
	return v, err
}

// followAgain is the walk that a trajectory's actions make on the tree of its trace.
func followAgain(tree *actions.Tree, t *schema.Trajectory, tombstones bool) (*actions.Walk, error) {
	start := t.EventIndex[0]
	if t.Direction == schema.Inverse {
		start = callOf(tree.Trace(), start)
	}
	return tree.Follow(actions.Options{Semantics: t.Semantics, Tombstones: tombstones}, t.Direction, start, t.Actions)
}

// callOf is the event that entered the frame of event i.
func callOf(t *schema.Trace, i int32) int32 {
	frame := t.Events[i].Frame
	for i > 0 && (t.Events[i].Frame != frame || t.Events[i].Kind != schema.KindCall) {
		i--
	}
	return i
}

func viewTrace(d *shard.Dataset, id string) (*View, error) {
	row, err := shard.Find[schema.TraceRow](d, id)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, fmt.Errorf("there is no trajectory and no trace %q in %s", id, d.Dir())
	}
	trace, err := schema.RowToTrace(row)
	if err != nil {
		return nil, err
	}
	functionRow, err := shard.Find[schema.FunctionRow](d, trace.FunctionID)
	if err != nil {
		return nil, err
	}
	if functionRow == nil {
		return nil, fmt.Errorf("the function %s of trace %s is not in %s", trace.FunctionID, id, d.Dir())
	}
	function, err := schema.RowToFunction(functionRow)
	if err != nil {
		return nil, err
	}
	tree, err := actions.New(trace, function)
	if err != nil {
		return nil, err
	}
	v := &View{Function: function, Trace: trace, Tree: tree}
	v.rows = map[string]any{"function": schema.Values(functionRow), "trace": schema.Values(row)}
	v.Source = schema.Lines(trace.Executed(function.Program).Text)
	return v, nil
}

// walkAll makes the view step through all that was recorded.
func (v *View) walkAll() error {
	options := actions.Options{
		Directions: []schema.Direction{schema.Forward}, Policy: "into", PerTrace: 1, MaxStates: len(v.Trace.Events) + 1,
		Tombstones: true, Statuses: schema.Statuses,
	}
	walks, err := v.Tree.Sample(options)
	if len(walks) > 0 {
		v.Walk = walks[0]
	}
	return err
}

// Line is the physical source line that event i shows, 1-based: for a call of a decorated definition its def line, and
// for an event without a line 0.
func (v *View) Line(i int32) int32 {
	line := v.Trace.Events[i].Line
	if source := v.Tree.Source(i); line > 0 && int(line) <= len(v.Source) {
		for n := line; int(n) <= len(v.Source); n++ {
			if v.Source[n-1] == source {
				return n
			}
		}
	}
	return line
}

// Rows are the rows that the view is made of, by column.
func (v *View) Rows() map[string]any { return v.rows }
