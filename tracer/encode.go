package tracer

import (
	"encoding/binary"

	"github.com/tracemill/tracemill/schema"
)

// AppendTrace appends a trace's events as docs/wire.md has them, without the END record: what the shim sent but for
// the order of definitions. It is for measuring; nothing is ever run from it.
func AppendTrace(b []byte, t *schema.Trace) []byte {
	e := encoder{b: append(append(b, traceMagic...), wireVersion), t: t}
	for _, c := range t.Codes {
		e.b = append(e.b, tagCode)
		e.str(c.Name)
		e.uint(c.FirstLine)
		e.b = append(e.b, byte(c.Flags))
	}
	for _, name := range t.Names {
		e.b = append(e.b, tagName)
		e.str(name)
	}
	for i, value := range t.Values {
		flags := byte(0)
		if t.Cut[i] {
			flags = 1
		}
		e.b = append(e.b, tagValue, flags)
		e.str(value)
	}
	for i := range t.Events {
		e.event(i)
	}
	return e.b
}

type encoder struct {
	b []byte
	t *schema.Trace
}

func (e *encoder) uint(n int32) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

func (e *encoder) str(s string) { e.b = appendString(e.b, s) }

func (e *encoder) event(i int) {
	v := &e.t.Events[i]
	e.b = appendEvent(e.b, v, e.t.Frames[v.Frame].Code, e.t.ChangesOf(i))
}

// appendEvent appends an event's record; code is that of its frame.
func appendEvent(b []byte, v *schema.Event, code int32, changes []schema.Change) []byte {
	number := func(n int32) { b = binary.AppendUvarint(b, uint64(n)) }
	b = append(b, tagEvent+byte(v.Kind), byte(v.Flags))
	number(v.Frame)
	number(v.Line)
	if v.Kind.Opens() {
		number(v.Depth)
		number(v.Back + 1)
	}
	if v.Kind == schema.KindCall {
		number(code)
	}
	if v.Kind == schema.KindReturn || v.Kind == schema.KindYield || v.Kind == schema.KindException {
		number(v.Value)
	}
	number(int32(len(changes)))
	for _, c := range changes {
		number(c.Name)
		number(c.Value + 1)
	}
	return b
}
