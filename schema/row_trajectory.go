package schema

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// TrajectoryRow is a row of the table trajectories: one text to train on, and what it was made of.
type TrajectoryRow struct {
	// ID is the content hash of trace, policy, seed, direction, format and text: 32 hex characters.
	ID string `parquet:"id"`
	// FunctionID is the id of the function's row in functions.
	FunctionID string `parquet:"function_id"`
	// TraceID is the id of the trace's row in traces.
	TraceID string `parquet:"trace_id"`
	// Split is the split that the row is in, the one of its function.
	Split string `parquet:"split,dict"`
	// Direction is forward or inverse.
	Direction string `parquet:"direction,dict"`
	// Format is the text format, such as neural-debugger.
	Format string `parquet:"format,dict"`
	// Policy is the policy that chose the actions.
	Policy string `parquet:"policy,dict"`
	// Semantics is what actions mean: tree or pdb.
	Semantics string `parquet:"semantics,dict"`
	// Seed is the seed that the choices were made with: an unsigned 64-bit number as the signed one of the same bits.
	Seed int64 `parquet:"seed"`
	// Text is the trajectory in its format.
	Text string `parquet:"text" bounds:"off"`
	// Targets are the spans of text that a model is trained to predict.
	Targets []TargetRow `parquet:"targets,list" bounds:"off"`
	// Actions are the actions by name, in order.
	Actions []string `parquet:"actions,list" parquet-element:",dict" bounds:"off"`
	// ActionArgs is, per action, its argument: a breakpoint's source line, "" for other actions.
	ActionArgs []string `parquet:"action_args,list" bounds:"off"`
	// EventIndex is, per state, its index in the trace's events; and -1 at the end when there is an exit.
	EventIndex []int32 `parquet:"event_index,list" bounds:"off"`
	// Horizons is, per action, how many recorded states it skipped; 0 for the next one.
	Horizons []int32 `parquet:"horizons,list" bounds:"off"`
	// Exit is how the trajectory ends: normal, error, never, entry, or cut, which is no exit.
	Exit string `parquet:"exit,dict"`
	// NStates is the number of states, the exit not counted.
	NStates int32 `parquet:"n_states"`
	// NChars is the length of text in Unicode code points.
	NChars int32 `parquet:"n_chars"`
	// EntryPoint is the expression that names the function that the trajectory enters first.
	EntryPoint string `parquet:"entry_point"`
	// PythonVersion is the full version of the interpreter: 3.11.7.
	PythonVersion string `parquet:"python_version,dict"`
	// Repo is the function's repository; "" when there is none.
	Repo string `parquet:"repo"`
	// Path is the function's path in its source.
	Path string `parquet:"path"`
	// License is the function's licence, an SPDX expression; "" when unknown.
	License string `parquet:"license,dict"`
}

// TargetRow is an element of targets: a half-open span of text in Unicode code points, as Python indexes a str.
type TargetRow struct {
	// Start is the first code point of the span.
	Start int32 `parquet:"start"`
	// End is the code point after the last.
	End int32 `parquet:"end"`
	// Kind is event, source, locals, value or exit.
	Kind string `parquet:"kind,dict"`
}

// TrajectoryToRow is the row of a trajectory in a split, with what a trainer filters by: where its function came
// from, and the interpreter's version. It is an error when the trajectory breaks what its type promises.
func TrajectoryToRow(t *Trajectory, origin Origin, pythonVersion, split string) (*TrajectoryRow, error) {
	r := &TrajectoryRow{
		ID: t.ID, FunctionID: t.FunctionID, TraceID: t.TraceID, Split: split, Direction: string(t.Direction),
		Format: t.Format, Policy: t.Policy, Semantics: t.Semantics, Seed: int64(t.Seed), Text: t.Text,
		EventIndex: t.EventIndex, Horizons: t.Horizons, Exit: string(t.Exit), NStates: int32(t.States), NChars: int32(t.Chars),
		EntryPoint: t.EntryPoint, PythonVersion: pythonVersion, Repo: origin.Repo, Path: origin.Path, License: origin.License,
	}
	for _, target := range t.Targets {
		r.Targets = append(r.Targets, TargetRow{target.Start, target.End, string(target.Kind)})
	}
	for _, action := range t.Actions {
		r.Actions = append(r.Actions, string(action.Kind))
		r.ActionArgs = append(r.ActionArgs, action.Arg)
	}
	return r, r.check()
}

// RowToTrajectory is the trajectory that a row was made of.
func RowToTrajectory(r *TrajectoryRow) (*Trajectory, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	t := &Trajectory{
		ID: r.ID, FunctionID: r.FunctionID, TraceID: r.TraceID, Direction: Direction(r.Direction), Format: r.Format,
		Policy: r.Policy, Semantics: r.Semantics, Seed: uint64(r.Seed), Text: r.Text,
		EventIndex: slices.Clone(r.EventIndex), Horizons: slices.Clone(r.Horizons),
		Exit: Exit(r.Exit), States: int(r.NStates), Chars: int(r.NChars), EntryPoint: r.EntryPoint,
	}
	for _, target := range r.Targets {
		t.Targets = append(t.Targets, Target{target.Start, target.End, TargetKind(target.Kind)})
	}
	for i, kind := range r.Actions {
		t.Actions = append(t.Actions, Action{ActionKind(kind), r.ActionArgs[i]})
	}
	return t, nil
}

func (r *TrajectoryRow) check() error {
	switch {
	case r.Direction != string(Forward) && r.Direction != string(Inverse):
		return r.fault("direction", fmt.Sprintf("%q is neither forward nor inverse", r.Direction))
	case !slices.Contains([]Exit{ExitNormal, ExitError, ExitNever, ExitEntry, ExitCut}, Exit(r.Exit)):
		return r.fault("exit", fmt.Sprintf("%q is no exit", r.Exit))
	case int(r.NChars) != utf8.RuneCountInString(r.Text):
		return r.fault("n_chars", fmt.Sprintf("%d for a text of %d code points", r.NChars, utf8.RuneCountInString(r.Text)))
	case len(r.ActionArgs) != len(r.Actions):
		return r.fault("action_args", fmt.Sprintf("%d for %d actions", len(r.ActionArgs), len(r.Actions)))
	case len(r.Horizons) != len(r.Actions):
		return r.fault("horizons", fmt.Sprintf("%d for %d actions", len(r.Horizons), len(r.Actions)))
	}
	states := int(r.NStates)
	if r.Exit != string(ExitCut) {
		states++
	}
	if len(r.EventIndex) != states {
		return r.fault("event_index", fmt.Sprintf("%d for %d states and exit %s", len(r.EventIndex), r.NStates, r.Exit))
	}
	for i, target := range r.Targets {
		if target.Start < 0 || target.End < target.Start || target.End > r.NChars {
			return r.fault("targets", fmt.Sprintf("item %d: %d to %d in a text of %d code points", i, target.Start, target.End, r.NChars))
		}
	}
	return nil
}

func (r *TrajectoryRow) fault(column, reason string) error {
	return &RowError{Table: Trajectories, ID: r.ID, Column: column, Reason: reason}
}
