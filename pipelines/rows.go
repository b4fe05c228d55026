package pipelines

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/schema/grammar"
	"github.com/tracemill/tracemill/shard"
	"github.com/tracemill/tracemill/tracer"
)

// rows writes what a part makes to its tables, each row in the split of its function.
type rows struct {
	part   *shard.Part
	build  *shard.Build
	copies harvest.Duplicates
	drops  map[[2]string]int // by stage and reason
}

func (r *rows) split(f *schema.Function) string {
	return r.build.SplitOf(splitKey(f, r.copies.Exact, r.copies.Near))
}

func (r *rows) function(f *schema.Function) error {
	row, err := schema.FunctionToRow(f, r.split(f))
	if err != nil {
		return err
	}
	return r.part.WriteFunction(row)
}

func (r *rows) trace(t *schema.Trace, f *schema.Function) error {
	row, err := schema.TraceToRow(t, r.split(f))
	if err != nil {
		return err
	}
	return r.part.WriteTrace(row)
}

func (r *rows) trajectory(t *schema.Trajectory, trace *schema.Trace, f *schema.Function) error {
	row, err := schema.TrajectoryToRow(t, f.Origin, trace.PythonVersion, r.split(f))
	if err != nil {
		return err
	}
	return r.part.WriteTrajectory(row)
}

// walks samples a trace for a format: in the directions that it has and, where it has no words for actions, the one
// walk that needs none.
func (w *worker) walks(tree *actions.Tree, format grammar.Format) ([]*actions.Walk, error) {
	options := w.config.Trajectories.Options
	options.Directions = slices.DeleteFunc(slices.Clone(options.Directions), func(d schema.Direction) bool { return !format.Supports(d) })
	if len(options.Directions) == 0 {
		return nil, nil
	}
	if grammar.StepsOnly(format) {
		options.Policy, options.PerTrace = "into", 1
	}
	return tree.Sample(options)
}

// render writes a walk as a trajectory in one format, cut at a state where it is longer than the cap. Where that
// leaves nothing to learn, or the program holds what the format cannot say, it gives the reason instead.
func (w *worker) render(walk *actions.Walk, format grammar.Format, trace *schema.Trace, function *schema.Function) (*schema.Trajectory, string) {
	text, err := format.Render(walk.Document())
	if err == nil && w.config.Trajectories.MaxChars > 0 && text.Chars > w.config.Trajectories.MaxChars {
		states := 0
		for states < len(text.Ends) && int(text.Ends[states]) <= w.config.Trajectories.MaxChars {
			states++
		}
		if states < 2 {
			return nil, "too_long"
		}
		walk = walk.Cut(states)
		text, err = format.Render(walk.Document())
	}
	var token *grammar.TokenError
	switch {
	case errors.As(err, &token):
		return nil, "reserved_token"
	case err != nil:
		return nil, "not_in_format"
	}
	row := &schema.Trajectory{
		FunctionID: function.ID,
		TraceID:    trace.ID,
		Direction:  walk.Direction,
		Format:     format.Name(),
		Policy:     walk.Policy,
		Semantics:  walk.Semantics,
		Seed:       walk.Seed,
		Text:       text.Text,
		Targets:    text.Targets,
		Actions:    walk.Actions,
		EventIndex: walk.EventIndex(),
		Horizons:   walk.Horizons,
		Exit:       walk.Exit,
		States:     len(walk.Events),
		Chars:      text.Chars,
		EntryPoint: function.Entry,
	}
	row.Identify()
	return row, ""
}

// compareOutput says whether a trace's output is the one that the data set gives. The execution is the truth; the
// data set's word is only checked against it, by Python's == where the texts differ. Of a program it is what it printed.
func (w *worker) compareOutput(ctx context.Context, trace *schema.Trace, c *schema.Case) error {
	trace.Expected = c.Expected
	if trace.Wrapper == schema.WrapModule {
		trace.OutputMatches = comparePrinted(trace, c)
		return nil
	}
	if !c.HasExpected || trace.Status != schema.StatusOK || w.config.Trace.Values.Mode != tracer.ValueRepr {
		return nil // nothing returned, or written so that only its reader can compare it
	}
	equal := trace.Output == c.Expected
	if !equal {
		same, err := w.harvester.EqualLiterals(ctx, trace.Output, c.Expected)
		if err != nil {
			return err
		}
		equal = same != nil && *same
	}
	trace.OutputMatches = yesOrNo(equal)
	return nil
}

// comparePrinted compares what a program that came to its end printed with what it is to print, as judges do: white space at the
// ends of lines and empty lines at the end are nothing.
func comparePrinted(trace *schema.Trace, c *schema.Case) string {
	ended := trace.Status == schema.StatusOK || trace.Status == schema.StatusExited
	if !c.HasExpected || !ended || slices.Contains(trace.Notes, tracer.NoteStdoutCut) {
		return ""
	}
	return yesOrNo(slices.Equal(judged(trace.Stdout), judged(c.Expected)))
}

func judged(text string) []string {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n\f\v"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r\f\v")
	}
	return lines
}

func yesOrNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func countHarvest(sums Counters, items int, h *harvest.Result) {
	sums.enter("items", items)
	sums.leave("items", h.ItemsKept)
	for fact, n := range h.Facts {
		group, value, _ := strings.Cut(fact, ".")
		sums.fact(group, value, n)
	}
	sums.enter("functions", h.FunctionsFound)
	sums.leave("functions", len(h.Units))
	sums.enter("cases", h.CasesFound)
	for _, u := range h.Units {
		sums.leave("cases", len(u.Cases))
	}
	for _, d := range h.Drops {
		sums.drop(string(d.Level)+"s", string(d.Reason))
	}
}

func countTrace(sums Counters, trace *schema.Trace) {
	sums.enter("traces", 1)
	sums.fact("status", string(trace.Status), 1)
	sums.fact("generator", trace.Generator, 1)
	sums.fact("events", "total", len(trace.Events))
	if trace.OutputMatches != "" {
		sums.fact("output_matches", trace.OutputMatches, 1)
	}
}

func countTrajectory(sums Counters, row *schema.Trajectory) {
	sums.leave("trajectories", 1)
	sums.fact("format", row.Format, 1)
	sums.fact("direction", string(row.Direction), 1)
	sums.fact("exit", string(row.Exit), 1)
	sums.fact("states", "total", row.States)
	sums.fact("chars", "total", row.Chars)
	for _, a := range row.Actions {
		sums.fact("action", string(a.Kind), 1)
	}
}
