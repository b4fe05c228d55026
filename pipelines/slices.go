package pipelines

import (
	"context"
	"fmt"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// checkSlices runs the cases of each function in its slice and in the whole of its item, without guards, and gives a function whose
// slice behaves otherwise the whole as its program. A whole that cannot be imported has nothing to compare with: a slice that does
// without the module that is missing is why there are slices.
func (w *worker) checkSlices(ctx context.Context, sums Counters, units []harvest.Unit) error {
	if !w.config.Harvest.SliceCheck {
		return nil
	}
	var jobs []tracer.Job // a slice, and then its whole
	var of []*harvest.Unit
	for i := range units {
		if u := &units[i]; u.Whole != nil && len(u.Cases) > 0 {
			jobs = append(jobs, tracer.Job{Function: &u.Function, Cases: u.Cases}, wholeJob(u))
			of = append(of, u)
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	var sliced []*schema.Trace
	return w.trials.Run(ctx, jobs, func(i int, traces []*schema.Trace) error {
		if i%2 == 0 {
			sliced = traces
			return nil
		}
		u := of[i/2]
		switch differs, why := compareSlice(u, sliced, traces); {
		case differs:
			sums.fact("slices", "differs", 1)
			u.Function = *u.Whole
			for k := range u.Cases {
				u.Cases[k].Identify(&u.Function)
			}
		case why != "":
			sums.fact("slices", why, 1)
		default:
			sums.fact("slices", "same", 1)
		}
		return nil
	})
}

func wholeJob(u *harvest.Unit) tracer.Job {
	job := tracer.Job{Function: u.Whole, Cases: make([]schema.Case, len(u.Cases))}
	for k, c := range u.Cases {
		job.Cases[k] = c
		job.Cases[k].Identify(u.Whole)
	}
	return job
}

// compareSlice says whether a slice's traces differ from the whole's, or why they could not be compared.
func compareSlice(u *harvest.Unit, sliced, whole []*schema.Trace) (differs bool, why string) {
	for k := range sliced {
		if whole[k].Status == schema.StatusUnimportable {
			return false, "whole_unimportable"
		}
		a, b := view{sliced[k], u.Function.Lines, lineCount(&u.Function)}, view{whole[k], u.Whole.Lines, lineCount(u.Whole)}
		if !a.equal(b) {
			return true, ""
		}
	}
	return false, ""
}

func lineCount(f *schema.Function) int32 { return int32(len(schema.Lines(f.Program))) }

// view is a trace whose lines are told as those of the item.
type view struct {
	*schema.Trace
	lines []int32 // schema.Function.Lines
	count int32   // of the program's lines
}

// line is a line of the item; what is not of it, such as the wrapper, is counted from the program's end, and comes after every item.
func (v view) line(n int32) string {
	switch {
	case n > v.count || n > 0 && v.lines != nil && v.lines[n-1] == 0:
		return fmt.Sprint("end", n-v.count)
	case n > 0 && v.lines != nil:
		n = v.lines[n-1]
	}
	return fmt.Sprint(n)
}

// equal compares what was seen of the entry: not what the module wrote when it was imported, nor the wrapper's name.
func (v view) equal(o view) bool {
	if v.Status != o.Status || v.Output != o.Output || v.ExceptionType != o.ExceptionType || v.ExceptionMessage != o.ExceptionMessage {
		return false
	}
	if len(v.Events) != len(o.Events) || len(v.Frames) != len(o.Frames) {
		return false
	}
	for i := range v.Frames {
		a, b := v.Codes[v.Frames[i].Code], o.Codes[o.Frames[i].Code]
		if v.line(a.FirstLine) != o.line(b.FirstLine) || a.Flags != b.Flags || a.Name != b.Name && a.FirstLine <= v.count {
			return false
		}
	}
	for i := range v.Events {
		a, b := &v.Events[i], &o.Events[i]
		if a.Kind != b.Kind || a.Flags != b.Flags || a.Frame != b.Frame || a.Depth != b.Depth || a.Back != b.Back || v.line(a.Line) != o.line(b.Line) ||
			v.text(a.Value) != o.text(b.Value) || !v.sameChanges(o, i) {
			return false
		}
	}
	return true
}

func (v view) sameChanges(o view, i int) bool {
	a, b := v.ChangesOf(i), o.ChangesOf(i)
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if v.Names[a[k].Name] != o.Names[b[k].Name] || v.text(a[k].Value) != o.text(b[k].Value) {
			return false
		}
	}
	return true
}

// text is a value's rendering; "" where there is no value, which no rendering is.
func (v view) text(value int32) string {
	if value < 0 {
		return ""
	}
	return v.Values[value]
}
