package schema

import (
	"fmt"
	"slices"
)

// TraceToRow is the row of a trace in a split. It is an error when the trace breaks what its type promises, such as an
// index out of range.
func TraceToRow(t *Trace, split string) (*TraceRow, error) {
	r := &TraceRow{
		ID: t.ID, Split: split, FunctionID: t.FunctionID, CaseID: t.CaseID, Call: t.Call, Stdin: t.Stdin, Generator: t.Generator, Wrapper: string(t.Wrapper),
		PythonVersion: t.PythonVersion, Image: t.Image, Status: string(t.Status), StatusDetail: t.StatusDetail,
		Output: t.Output, Expected: t.Expected, OutputMatches: t.OutputMatches, ExceptionType: t.ExceptionType,
		ExceptionMessage: t.ExceptionMessage, Stdout: t.Stdout, Stderr: t.Stderr, Deterministic: t.Deterministic,
		Truncated: t.Truncated, Notes: t.Notes, NEvents: int32(len(t.Events)),
		Names: t.Names, Values: t.Values, ValueCut: t.Cut,
	}
	for _, c := range t.Codes {
		r.CodeName = append(r.CodeName, c.Name)
		r.CodeFirstLine = append(r.CodeFirstLine, c.FirstLine)
		r.CodeFlags = append(r.CodeFlags, int32(c.Flags))
	}
	for _, f := range t.Frames {
		r.FrameCode = append(r.FrameCode, f.Code)
	}
	r.addEvents(t.Events)
	for _, c := range t.Changes {
		r.ChangeName = append(r.ChangeName, c.Name)
		r.ChangeValue = append(r.ChangeValue, c.Value)
	}
	return r, r.check()
}

func (r *TraceRow) addEvents(events []Event) {
	n := len(events)
	r.EventKind = slices.Grow(r.EventKind, n)
	for _, list := range []*[]int32{&r.EventFlags, &r.EventFrame, &r.EventLine, &r.EventDepth, &r.EventBack, &r.EventValue, &r.ChangeCount} {
		*list = slices.Grow(*list, n)
	}
	from := int32(0)
	for _, e := range events {
		r.EventKind = append(r.EventKind, e.Kind.String())
		r.EventFlags = append(r.EventFlags, int32(e.Flags))
		r.EventFrame = append(r.EventFrame, e.Frame)
		r.EventLine = append(r.EventLine, e.Line)
		r.EventDepth = append(r.EventDepth, e.Depth)
		r.EventBack = append(r.EventBack, e.Back)
		r.EventValue = append(r.EventValue, e.Value)
		r.ChangeCount = append(r.ChangeCount, e.Changes-from)
		from = e.Changes
	}
}

// RowToTrace is the trace that a row was made of.
func RowToTrace(r *TraceRow) (*Trace, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	t := &Trace{
		ID: r.ID, FunctionID: r.FunctionID, CaseID: r.CaseID, Call: r.Call, Stdin: r.Stdin, Generator: r.Generator, Wrapper: Wrapper(r.Wrapper),
		PythonVersion: r.PythonVersion, Image: r.Image, Status: Status(r.Status), StatusDetail: r.StatusDetail,
		Output: r.Output, Expected: r.Expected, OutputMatches: r.OutputMatches, ExceptionType: r.ExceptionType,
		ExceptionMessage: r.ExceptionMessage, Stdout: r.Stdout, Stderr: r.Stderr, Deterministic: r.Deterministic,
		Truncated: r.Truncated, Notes: slices.Clone(r.Notes),
		Names: slices.Clone(r.Names), Values: slices.Clone(r.Values), Cut: slices.Clone(r.ValueCut),
	}
	for i, name := range r.CodeName {
		t.Codes = append(t.Codes, Code{Name: name, FirstLine: r.CodeFirstLine[i], Flags: CodeFlags(r.CodeFlags[i])})
	}
	for _, code := range r.FrameCode {
		t.Frames = append(t.Frames, Frame{Code: code})
	}
	t.Events = r.events()
	for i, name := range r.ChangeName {
		t.Changes = append(t.Changes, Change{Name: name, Value: r.ChangeValue[i]})
	}
	return t, nil
}

func (r *TraceRow) events() []Event {
	if len(r.EventKind) == 0 {
		return nil
	}
	events := make([]Event, len(r.EventKind))
	end := int32(0)
	for i := range events {
		end += r.ChangeCount[i]
		kind, _ := kindOf(r.EventKind[i])
		events[i] = Event{
			Kind: kind, Flags: Flags(r.EventFlags[i]), Frame: r.EventFrame[i], Line: r.EventLine[i],
			Depth: r.EventDepth[i], Back: r.EventBack[i], Value: r.EventValue[i], Changes: end,
		}
	}
	return events
}

func kindOf(name string) (Kind, bool) {
	for _, k := range Kinds {
		if kindNames[k] == name {
			return k, true
		}
	}
	return 0, false
}

// check makes sure that every parallel list has its length and every index is in range, so that a row which was
// damaged or written by something else is an error here and never a panic later.
func (r *TraceRow) check() error {
	events, changes, codes := len(r.EventKind), len(r.ChangeName), len(r.CodeName)
	for _, list := range []struct {
		column    string
		got, want int
	}{
		{"n_events", int(r.NEvents), events},
		{"event_flags", len(r.EventFlags), events},
		{"event_frame", len(r.EventFrame), events},
		{"event_line", len(r.EventLine), events},
		{"event_depth", len(r.EventDepth), events},
		{"event_back", len(r.EventBack), events},
		{"event_value", len(r.EventValue), events},
		{"change_count", len(r.ChangeCount), events},
		{"change_value", len(r.ChangeValue), changes},
		{"value_cut", len(r.ValueCut), len(r.Values)},
		{"code_first_line", len(r.CodeFirstLine), codes},
		{"code_flags", len(r.CodeFlags), codes},
	} {
		if list.got != list.want {
			return r.fault(list.column, fmt.Sprintf("%d where %d belong", list.got, list.want))
		}
	}
	for i, name := range r.EventKind {
		if _, ok := kindOf(name); !ok {
			return r.fault("event_kind", fmt.Sprintf("item %d: %q is no kind of event", i, name))
		}
	}
	return r.checkIndexes(int32(len(r.FrameCode)), int32(len(r.Values)), int32(len(r.Names)), int32(codes))
}

func (r *TraceRow) checkIndexes(frames, values, names, codes int32) error {
	const any32 = 1<<31 - 1
	for _, list := range []struct {
		column string
		items  []int32
		low    int32 // first that is allowed
		high   int32 // first that is not
	}{
		{"event_flags", r.EventFlags, 0, 256},
		{"event_frame", r.EventFrame, 0, frames},
		{"event_line", r.EventLine, 0, any32},
		{"event_back", r.EventBack, -1, frames},
		{"event_value", r.EventValue, -1, values},
		{"change_name", r.ChangeName, 0, names},
		{"change_value", r.ChangeValue, -1, values},
		{"code_flags", r.CodeFlags, 0, 256},
		{"frame_code", r.FrameCode, 0, codes},
	} {
		for i, n := range list.items {
			if n < list.low || n >= list.high {
				return r.fault(list.column, fmt.Sprintf("item %d: %d is not in %d..%d", i, n, list.low, list.high-1))
			}
		}
	}
	left := int64(len(r.ChangeName))
	for i, n := range r.ChangeCount {
		if n < 0 || int64(n) > left {
			return r.fault("change_count", fmt.Sprintf("item %d: %d with %d changes left", i, n, left))
		}
		left -= int64(n)
	}
	if left != 0 {
		return r.fault("change_count", fmt.Sprintf("%d changes belong to no event", left))
	}
	return nil
}

func (r *TraceRow) fault(column, reason string) error {
	return &RowError{Table: Traces, ID: r.ID, Column: column, Reason: reason}
}
