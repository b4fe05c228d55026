package pipelines

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/tracemill/tracemill/schema"
)

// feature is something that a call can reach: a line, a branch (a line after another in one frame), or an exception's type at a line.
type feature uint64

// reached is what a trial's trace shows.
type reached struct {
	features  map[feature]bool
	signature [16]byte // equal for traces of equal events and values
	guess     bool     // it ended by a wrong guess of an argument's type, before anything else happened
}

// observe reads what a call reached. Lines behind the program's are the call's own.
func observe(trace *schema.Trace, lines int32) reached {
	r := reached{features: map[feature]bool{}}
	last := make([]int32, len(trace.Frames))
	visits := map[int32]int{}
	settled := true // no line ran twice, and no function of the program has returned
	for i := range trace.Events {
		e := &trace.Events[i]
		inside := e.Line > 0 && e.Line <= lines
		switch e.Kind {
		case schema.KindLine:
			if !inside {
				continue
			}
			r.features[line(e.Line)] = true
			r.features[branch(last[e.Frame], e.Line)] = true
			last[e.Frame] = e.Line
			if visits[e.Line]++; visits[e.Line] > 1 {
				settled = false
			}
		case schema.KindException:
			if inside && !trace.Internal(i) {
				r.features[raised(e.Line, exceptionType(trace, e))] = true
			}
		case schema.KindReturn, schema.KindYield:
			if inside {
				settled = false
			}
		}
	}
	wrongType := trace.ExceptionType == "TypeError" || trace.ExceptionType == "AttributeError"
	r.guess = trace.Status == schema.StatusException && wrongType && settled
	r.signature = signature(trace)
	return r
}

func line(n int32) feature              { return hashed('L', uint64(n), 0, "") }
func branch(from, to int32) feature     { return hashed('B', uint64(from), uint64(to), "") }
func raised(at int32, t string) feature { return hashed('X', uint64(at), 0, t) }

func hashed(kind byte, a, b uint64, text string) feature {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64([]byte{kind}, a), b))
	h.Write([]byte(text))
	return feature(h.Sum64())
}

// exceptionType is the type in a rendered exception: up to its bracket.
func exceptionType(trace *schema.Trace, e *schema.Event) string {
	if e.Value < 0 {
		return ""
	}
	text := trace.Values[e.Value]
	for i, c := range text {
		if c == '(' {
			return text[:i]
		}
	}
	return text
}

// signature hashes all that a trace shows: kinds, lines, frames, values, and the changes of variables.
func signature(trace *schema.Trace) (sum [16]byte) {
	h := fnv.New128a()
	var b []byte
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	value := func(v int32) {
		if v < 0 {
			b = append(b, 0xff)
			return
		}
		text(trace.Values[v])
	}
	for i := range trace.Events {
		e := &trace.Events[i]
		b = append(b[:0], byte(e.Kind), byte(e.Flags))
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(e.Frame)), uint64(e.Line))
		value(e.Value)
		for _, c := range trace.ChangesOf(i) {
			text(trace.Names[c.Name])
			value(c.Value)
		}
		h.Write(b)
	}
	h.Sum(sum[:0])
	return sum
}
