package tracer

import (
	"math"
	"unicode/utf8"
)

// fault says why a reader stopped. Running out of bytes is told apart from bytes that cannot be: the first is
// what a process that was killed leaves, the second is no work of the shim.
type fault uint8

const (
	faultNone  fault = iota
	faultShort       // the bytes end inside a field
	faultRange       // a number that does not fit its field
	faultText        // a str that is not UTF-8
)

// reader reads fields from bytes that it does not trust. After a fault every further read gives zero, so that a
// record is read as a whole and checked once. Strings are substrings of text, which is a copy of b.
type reader struct {
	b     []byte
	text  string
	p     int
	fault fault
}

func (r *reader) stop(f fault) {
	if r.fault == faultNone {
		r.fault = f
	}
	r.p = len(r.b)
}

func (r *reader) byte() byte {
	if r.p >= len(r.b) {
		r.stop(faultShort)
		return 0
	}
	c := r.b[r.p]
	r.p++
	return c
}

// uint reads a number below 2^31: everything that is counted or indexed is. The first byte, which is nearly always all of
// it, is read in line.
func (r *reader) uint() int32 {
	if r.p < len(r.b) && r.b[r.p] < 0x80 {
		r.p++
		return int32(r.b[r.p-1])
	}
	return r.longUint()
}

func (r *reader) longUint() int32 {
	n := r.uint64()
	if n > math.MaxInt32 {
		r.stop(faultRange)
		return 0
	}
	return int32(n)
}

func (r *reader) uint64() uint64 {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		if r.p >= len(r.b) {
			r.stop(faultShort)
			return 0
		}
		c := r.b[r.p]
		r.p++
		if shift == 63 && c > 1 {
			break
		}
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	r.stop(faultRange)
	return 0
}

// span reads a length and gives the span of as many bytes, which must be there.
func (r *reader) span() (from, to int) {
	n := int(r.uint())
	if n > len(r.b)-r.p {
		r.stop(faultShort)
		return 0, 0
	}
	from = r.p
	r.p += n
	return from, r.p
}

// bytes is the caller's to keep only as long as the frame.
func (r *reader) bytes() []byte {
	from, to := r.span()
	return r.b[from:to:to]
}

func (r *reader) str() string {
	from, to := r.span()
	s := r.text[from:to]
	if !utf8.ValidString(s) {
		r.stop(faultText)
		return ""
	}
	return s
}

func (r *reader) fixed(into []byte) {
	if len(r.b)-r.p < len(into) {
		r.stop(faultShort)
		return
	}
	r.p += copy(into, r.b[r.p:])
}
