package actions

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/tracemill/tracemill/schema"
)

// shape says what random traces are made of.
type shape struct {
	generators bool // and coroutines: frames that are suspended
	foreign    bool // frames called by frames out of scope
	truncated  bool // the trace may end early
}

// maker makes a random trace that an interpreter could have recorded: calls nest, frames end once, exceptions pass
// through every frame that they leave.
type maker struct {
	*rapid.T
	shape
	trace     schema.Trace
	lines     int
	budget    int
	suspended []int32
}

func drawTree(t *rapid.T, s shape) *Tree {
	m := &maker{T: t, shape: s, lines: 12, budget: rapid.IntRange(3, 90).Draw(t, "budget")}
	m.trace.ID, m.trace.Status, m.trace.Wrapper = "random", schema.StatusOK, schema.WrapNone
	m.trace.Names, m.trace.Values = []string{"a", "b", "c", "d"}, []string{"0", "1", "2"}
	for c := range 3 {
		m.trace.Codes = append(m.trace.Codes, schema.Code{Name: fmt.Sprint("f", c), FirstLine: int32(c*4 + 1)})
	}
	if s.generators {
		m.trace.Codes = append(m.trace.Codes, schema.Code{Name: "g", FirstLine: 9, Flags: schema.CodeGenerator})
	}
	m.call(-1, 0)
	if s.truncated && m.flip("truncate", 2) {
		n := rapid.IntRange(1, len(m.trace.Events)).Draw(t, "length")
		m.trace.Events = m.trace.Events[:n]
		m.trace.Truncated, m.trace.Status = true, schema.StatusEventLimit
	}
	fn := &schema.Function{}
	for n := range m.lines {
		fn.Program += fmt.Sprintf("%sline %d\n", strings.Repeat(" ", n%4), n%9) // some texts occur twice
		if n%4 == 0 {
			b := schema.Block{Start: int32(n + 1), Def: int32(n + 1), End: int32(n + 4), Name: fmt.Sprint("f", n/4)}
			fn.Blocks = append(fn.Blocks, b)
		}
	}
	tree, err := New(&m.trace, fn)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func (m *maker) flip(label string, n int) bool { return rapid.IntRange(0, n-1).Draw(m.T, label) == 0 }

func (m *maker) emit(kind schema.Kind, frame, back int32, flags schema.Flags) {
	e := schema.Event{Kind: kind, Flags: flags, Frame: frame, Back: back, Value: -1}
	e.Line = int32(rapid.IntRange(1, m.lines).Draw(m.T, "line"))
	if kind == schema.KindCall {
		e.Line = m.trace.Codes[m.trace.Frames[frame].Code].FirstLine
	}
	if kind == schema.KindReturn || kind == schema.KindYield || kind == schema.KindException {
		e.Value = 0
	}
	for m.flip("change", 3) {
		m.trace.Changes = append(m.trace.Changes, schema.Change{
			Name:  int32(rapid.IntRange(0, 3).Draw(m.T, "name")),
			Value: int32(rapid.IntRange(-1, 2).Draw(m.T, "value")),
		})
	}
	e.Changes = int32(len(m.trace.Changes))
	m.trace.Events = append(m.trace.Events, e)
	m.budget--
}

func (m *maker) generator(frame int32) bool {
	return frame >= 0 && m.trace.Codes[m.trace.Frames[frame].Code].Flags&schema.CodeGenerator != 0
}

func (m *maker) callFlags(back int32) (flags schema.Flags) {
	if m.foreign && back >= 0 && m.flip("foreign", 4) {
		flags |= schema.FlagForeignCaller
	} else if m.generator(back) {
		flags |= schema.FlagGeneratorCaller
	}
	return flags
}

// call runs a new frame, or a suspended one again; it says whether an exception left it.
func (m *maker) call(back int32, depth int) (raised bool) {
	frame, kind := int32(len(m.trace.Frames)), schema.KindCall
	if len(m.suspended) > 0 && m.flip("resume", 2) {
		frame, kind = m.suspended[0], schema.KindResume
		m.suspended = m.suspended[1:]
	} else {
		last := len(m.trace.Codes) - 1
		if depth == 0 {
			last = 0 // the entry runs in one go
		}
		m.trace.Frames = append(m.trace.Frames, schema.Frame{Code: int32(rapid.IntRange(0, last).Draw(m.T, "code"))})
	}
	m.emit(kind, frame, back, m.callFlags(back))
	return m.body(frame, depth)
}

func (m *maker) body(frame int32, depth int) (raised bool) {
	for {
		switch rapid.IntRange(0, 9).Draw(m.T, "what") {
		case 0, 1:
			m.emit(schema.KindReturn, frame, -1, 0)
			return false
		case 2:
			if raised := m.raise(frame); raised {
				return true
			}
		case 3, 4, 5:
			if m.budget > 0 && depth < 6 && m.call(frame, depth+1) && m.raise(frame) {
				return true
			}
		case 6:
			if m.generator(frame) {
				m.emit(schema.KindYield, frame, -1, 0)
				m.suspended = append(m.suspended, frame)
				return false
			}
			fallthrough
		default:
			m.emit(schema.KindLine, frame, -1, 0)
		}
		if m.budget < 0 {
			m.emit(schema.KindReturn, frame, -1, 0)
			return false
		}
	}
}

// raise is an exception in the frame, which is caught or leaves it.
func (m *maker) raise(frame int32) (left bool) {
	var flags schema.Flags
	if m.flip("traceback", 2) {
		flags = schema.FlagTraceback
	}
	if m.generators {
		flags |= []schema.Flags{0, schema.FlagStopIteration, schema.FlagGeneratorExit}[rapid.IntRange(0, 2).Draw(m.T, "type")]
	}
	m.emit(schema.KindException, frame, -1, flags)
	if m.flip("caught", 2) {
		return false
	}
	m.emit(schema.KindUnwind, frame, -1, 0)
	return true
}
