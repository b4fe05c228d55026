package actions

import (
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// longTrace is a loop that calls a function, over and over.
func longTrace(rounds int) (*schema.Trace, *schema.Function) {
	trace := &schema.Trace{ID: "long", Status: schema.StatusOK, Wrapper: schema.WrapNone}
	trace.Codes = []schema.Code{{Name: "f", FirstLine: 1}, {Name: "g", FirstLine: 4}}
	trace.Names, trace.Values = []string{"i"}, []string{"0", "1"}
	trace.Frames = append(trace.Frames, schema.Frame{})
	add := func(kind schema.Kind, frame, line, back int32) {
		trace.Changes = append(trace.Changes, schema.Change{Value: int32(len(trace.Events)) & 1})
		trace.Events = append(trace.Events, schema.Event{
			Kind: kind, Frame: frame, Line: line, Back: back, Value: -1, Changes: int32(len(trace.Changes)),
		})
	}
	add(schema.KindCall, 0, 1, -1)
	for n := range rounds {
		add(schema.KindLine, 0, 2, -1)
		trace.Frames = append(trace.Frames, schema.Frame{Code: 1})
		add(schema.KindCall, int32(n)+1, 4, 0)
		add(schema.KindLine, int32(n)+1, 5, -1)
		add(schema.KindReturn, int32(n)+1, 5, -1)
	}
	add(schema.KindReturn, 0, 3, -1)
	return trace, &schema.Function{Program: "def f():\n for i in x: g()\n return\ndef g():\n return\n"}
}

func BenchmarkTree(b *testing.B) {
	trace, fn := longTrace(25_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(trace, fn); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(trace.Events)), "ns/event")
}

func BenchmarkSample(b *testing.B) {
	tree, err := New(longTrace(25_000))
	if err != nil {
		b.Fatal(err)
	}
	opts := DefaultOptions()
	opts.Policy = "into"
	b.ReportAllocs()
	states := 0
	for b.Loop() {
		walks, err := tree.Sample(opts)
		if err != nil {
			b.Fatal(err)
		}
		states = 0
		for _, w := range walks {
			states += len(w.Document().States)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(states), "ns/state")
}
