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

func (e *encoder) str(s string) {
	e.b = append(binary.AppendUvarint(e.b, uint64(len(s))), s...)
}

func (e *encoder) event(i int) {
	v := &e.t.Events[i]
	e.b = append(e.b, tagEvent+byte(v.Kind), byte(v.Flags))
	e.uint(v.Frame)
	e.uint(v.Line)
	if v.Kind.Opens() {
		e.uint(v.Depth)
		e.uint(v.Back + 1)
	}
	if v.Kind == schema.KindCall {
		e.uint(e.t.Frames[v.Frame].Code)
	}
	if v.Kind == schema.KindReturn || v.Kind == schema.KindYield || v.Kind == schema.KindException {
		e.uint(v.Value)
	}
	changes := e.t.ChangesOf(i)
	e.uint(int32(len(changes)))
	for _, c := range changes {
		e.uint(c.Name)
		e.uint(c.Value + 1)
	}
}
