package shard

import (
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// testRowCode codes rows one after another into the same one, so that what a longer row left would show.
func testRowCode[T schema.Row](t *testing.T, make func(int, string) *T) {
	t.Helper()
	var got T
	for n := range 60 {
		want := make(59-n, "train")
		code := encodeRow(nil, want)
		if err := decodeRow(code, &got); err != nil {
			t.Fatalf("row %d: %v", n, err)
		}
		sameRows(t, []T{got}, []T{*want})
		for _, bad := range [][]byte{code[:len(code)-1], append(code, 0)} {
			if err := decodeRow(bad, new(T)); err == nil {
				t.Errorf("row %d: %d bytes of %d were read without an error", n, len(bad), len(code))
			}
		}
	}
}

func TestRowCode(t *testing.T) {
	testRowCode(t, functionRow)
	testRowCode(t, traceRow)
	testRowCode(t, trajectoryRow)
}

// FuzzDecodeRow reads what was written by nobody, and what is a row all the same must be the same row when it is written.
func FuzzDecodeRow(f *testing.F) {
	for n := range 5 {
		f.Add(encodeRow(nil, traceRow(n, "train")))
		f.Add(encodeRow(nil, trajectoryRow(n, "train")))
	}
	f.Add([]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01})
	f.Fuzz(func(t *testing.T, code []byte) {
		fuzzRow[schema.TraceRow](t, code)
		fuzzRow[schema.TrajectoryRow](t, code)
	})
}

func fuzzRow[T schema.Row](t *testing.T, code []byte) {
	t.Helper()
	var row, again T
	if decodeRow(code, &row) != nil {
		return
	}
	if err := decodeRow(encodeRow(nil, &row), &again); err != nil {
		t.Fatalf("%+v: %v", row, err)
	}
	sameRows(t, []T{again}, []T{row})
}
