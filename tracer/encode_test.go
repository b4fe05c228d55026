package tracer

import (
	"encoding/binary"

	"github.com/tracemill/tracemill/schema"
)

// encodeTrace writes a recording as the shim would: names, codes and values before their first use.
func encodeTrace(rec *recording) []byte {
	w := traceWriter{b: append([]byte(traceMagic), wireVersion)}
	from := int32(0)
	for _, e := range rec.events {
		if e.Kind == schema.KindCall {
			w.codes(rec, rec.frames[e.Frame].Code)
		}
		w.values(rec, e.Value)
		for _, c := range rec.changes[from:e.Changes] {
			w.names(rec, c.Name)
			w.values(rec, c.Value)
		}
		w.b = appendEvent(w.b, &e, rec.frames[e.Frame].Code, rec.changes[from:e.Changes])
		from = e.Changes
	}
	// What no event uses is defined all the same: the numbers are the recording's.
	w.codes(rec, int32(len(rec.codes))-1)
	w.names(rec, int32(len(rec.names))-1)
	w.values(rec, int32(len(rec.values))-1)
	if rec.end != nil {
		w.end(rec.end)
	}
	return w.b
}

type traceWriter struct {
	b                    []byte
	codeN, nameN, valueN int32
}

func (w *traceWriter) uint(n int32) { w.b = binary.AppendUvarint(w.b, uint64(n)) }

func (w *traceWriter) codes(rec *recording, upTo int32) {
	for ; w.codeN <= upTo; w.codeN++ {
		c := rec.codes[w.codeN]
		w.b = appendString(append(w.b, tagCode), c.Name)
		w.uint(c.FirstLine)
		w.b = append(w.b, byte(c.Flags))
	}
}

func (w *traceWriter) names(rec *recording, upTo int32) {
	for ; w.nameN <= upTo; w.nameN++ {
		w.b = appendString(append(w.b, tagName), rec.names[w.nameN])
	}
}

func (w *traceWriter) values(rec *recording, upTo int32) {
	for ; w.valueN <= upTo; w.valueN++ {
		flags := byte(0)
		if rec.cut[w.valueN] {
			flags = 1
		}
		w.b = appendString(append(w.b, tagValue, flags), rec.values[w.valueN])
	}
}

func (w *traceWriter) end(e *endRecord) {
	w.b = append(w.b, tagEnd, e.outcome)
	w.uint(e.events)
	w.uint(e.lost)
	alive := byte(0)
	if e.alive {
		alive = 1
	}
	w.b = append(w.b, alive)
	w.uint(e.output + 1)
	for _, s := range []string{e.exceptionType, e.exceptionMessage, e.arguments} {
		w.b = appendString(w.b, s)
	}
	w.uint(int32(len(e.notes)))
	for _, note := range e.notes {
		w.b = appendString(w.b, note)
	}
	w.b = append(w.b, e.nonce[:]...)
}

// encodeResult writes a server's answer.
func encodeResult(x *result) []byte {
	b := binary.AppendUvarint([]byte{msgResult}, x.job)
	b = binary.AppendUvarint(b, uint64(x.index))
	b = append(b, x.end)
	b = binary.AppendUvarint(b, uint64(x.code))
	b = binary.AppendUvarint(b, x.stdoutTotal)
	b = appendString(b, string(x.stdout))
	b = binary.AppendUvarint(b, x.stderrTotal)
	b = appendString(b, string(x.stderr))
	b = append(b, x.nonce[:]...)
	return appendString(b, string(x.trace))
}

// sample is a small whole recording: main calls f, which is left by an exception that main catches, and returns.
func sample() *recording {
	k := schema.KindLine
	return &recording{
		codes:  []schema.Code{{Name: "main", FirstLine: 9}, {Name: "f", FirstLine: 1}},
		frames: []schema.Frame{{Code: 0}, {Code: 1}},
		names:  []string{"x", "ключ"},
		values: []string{"1", "'a\\n…'", "ValueError('no')", "None"},
		cut:    []bool{false, true, false, false},
		events: []schema.Event{
			{Kind: schema.KindCall, Frame: 0, Line: 9, Depth: 1, Back: -1, Value: -1},
			{Kind: k, Frame: 0, Line: 10, Depth: 1, Back: -1, Value: -1},
			{Kind: schema.KindCall, Frame: 1, Line: 1, Depth: 2, Back: 0, Value: -1, Changes: 2},
			{Kind: k, Frame: 1, Line: 2, Depth: 2, Back: -1, Value: -1, Changes: 3},
			{Kind: schema.KindException, Flags: schema.FlagTraceback, Frame: 1, Line: 2, Depth: 2, Back: -1, Value: 2, Changes: 3},
			{Kind: schema.KindUnwind, Frame: 1, Line: 2, Depth: 2, Back: -1, Value: -1, Changes: 3},
			{Kind: schema.KindException, Flags: schema.FlagTraceback, Frame: 0, Line: 10, Depth: 1, Back: -1, Value: 2, Changes: 3},
			{Kind: schema.KindReturn, Frame: 0, Line: 11, Depth: 1, Back: -1, Value: 3, Changes: 3},
		},
		changes: []schema.Change{{Name: 0, Value: 0}, {Name: 1, Value: 1}, {Name: 0, Value: -1}},
		end: &endRecord{
			outcome: outcomeReturned, events: 8, alive: true, output: 3, arguments: "d41d", notes: []string{"clock"},
			nonce: [nonceSize]byte{1, 2, 3},
		},
	}
}
