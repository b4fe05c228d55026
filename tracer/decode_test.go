package tracer

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracemill/tracemill/schema"
)

// content is a recording without what only the decoder knows of it.
func content(rec recording) recording {
	rec.whole, rec.entered, rec.hole, rec.running = "", 0, "", nil
	return rec
}

func TestDecodeSample(t *testing.T) {
	want := sample()
	raw := encodeTrace(want)
	got, err := decode(raw, 8)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(content(got), *want) {
		t.Errorf("got  %+v\nwant %+v", got, *want)
	}
	if got.whole != string(raw[:len(raw)-nonceSize]) || got.entered != 1 || got.hole != "" || len(got.running) > 0 {
		t.Errorf("whole %d of %d, entered %d, hole %q, running %v", len(got.whole), len(raw), got.entered, got.hole, got.running)
	}
}

// A process that is killed leaves a trace that ends anywhere. Every cut keeps the whole records, and is no error.
func TestDecodeCutAnywhere(t *testing.T) {
	full := sample()
	raw := encodeTrace(full)
	last := 0
	for n := 0; n < len(raw); n++ {
		got, err := decode(raw[:n], 8)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if got.end != nil || len(got.events) < last || len(got.whole) > n {
			t.Fatalf("cut at %d: end %v, %d events after %d, whole %d", n, got.end, len(got.events), last, len(got.whole))
		}
		if last = len(got.events); last > 0 && int(got.events[last-1].Changes) != len(got.changes) {
			t.Fatalf("cut at %d: %d changes, the last event's end at %d", n, len(got.changes), got.events[last-1].Changes)
		}
		if again, err := decode([]byte(got.whole), 8); err != nil || !reflect.DeepEqual(again, got) && got.whole != "" {
			t.Fatalf("cut at %d: the whole records alone give another recording: %v", n, err)
		}
	}
	if last != len(full.events) {
		t.Errorf("%d events before the end record, want %d", last, len(full.events))
	}
}

func TestDecodeRefuses(t *testing.T) {
	head := string(append([]byte(traceMagic), wireVersion))
	call := head + "\x01\x01f\x01\x00" + "\x11\x00\x00\x01\x01\x00\x00\x00"
	for _, test := range []struct{ name, raw, want string }{
		{"another magic", "TMX\x01", "does not begin with TMT"},
		{"another version", "TMT\x63", "version 99, this reader knows 1"},
		{"an unknown tag", head + "\x55", "byte 4: unknown tag 0x55"},
		{"a kind that is none", head + "\x18\x00\x00\x00\x00", "unknown tag 0x18"},
		{"code flags", head + "\x01\x01f\x01\x08", "code flags 0x8"},
		{"value flags", head + "\x03\x02\x00", "value flags 0x2"},
		{"event flags", call + "\x13\x40\x00\x01\x00", "event flags 0x40"},
		{"text that is not UTF-8", head + "\x02\x01\xff", "byte 4: text is not UTF-8"},
		{"a lone surrogate", head + "\x03\x00\x03\xed\xa0\x80", "text is not UTF-8"},
		{"a number above 2^31", call + "\x13\x00\x00\xff\xff\xff\xff\xff\x01\x00", "number out of range"},
		{"a number above 2^64", call + "\x13\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x00", "number out of range"},
		{"a frame that was not called", head + "\x13\x00\x00\x01\x00", "frame 0 of 0"},
		{"a frame out of order", head + "\x01\x01f\x01\x00" + "\x11\x00\x01\x01\x01\x00\x00\x00", "call of frame 1, code 0, after 0 frames, 1 codes"},
		{"a code that is not defined", head + "\x11\x00\x00\x01\x01\x00\x00\x00", "call of frame 0, code 0, after 0 frames, 0 codes"},
		{"a caller that is not there", head + "\x01\x01f\x01\x00" + "\x11\x00\x00\x01\x01\x01\x00\x00", "caller 0 of 0 frames"},
		{"a value that is not defined", call + "\x14\x00\x00\x01\x00\x00", "value 0 of 0"},
		{"a change of an unknown name", call + "\x13\x00\x00\x01\x01\x00\x00", "change of name 0 to value -1, of 0 and 0"},
		{"a change to an unknown value", head + "\x02\x01x" + call[4:] + "\x13\x00\x00\x01\x01\x00\x01", "change of name 0 to value 0, of 1 and 0"},
		{"more events than the limit", call + strings.Repeat("\x13\x00\x00\x01\x00", 10), "more than 8 events"},
		{"an outcome that is none", head + "\x7f\x07\x00\x00\x01\x00\x00\x00\x00\x00" + strings.Repeat("n", 16), "outcome 7"},
		{"no outcome", head + "\x7f\x00\x00\x00\x01\x00\x00\x00\x00\x00" + strings.Repeat("n", 16), "outcome 0"},
		{"alive", head + "\x7f\x01\x00\x00\x02\x00\x00\x00\x00\x00" + strings.Repeat("n", 16), "alive 2"},
		{"an output that is not defined", head + "\x7f\x01\x00\x00\x01\x01\x00\x00\x00\x00" + strings.Repeat("n", 16), "output 0 of 0 values"},
		{"too many notes", head + "\x7f\x01\x00\x00\x01\x00\x00\x00\x00\x41", "65 notes, more than 64"},
		{"a long note", head + "\x7f\x01\x00\x00\x01\x00\x00\x00\x00\x01\x41" + strings.Repeat("n", 65), "a note of 65 bytes"},
		{"bytes after the end", head + "\x7f\x01\x00\x00\x01\x00\x00\x00\x00\x00" + strings.Repeat("n", 17), "1 bytes after the end"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec, err := decode([]byte(test.raw), 8)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			check(t, &rec)
		})
	}
}

// A length or count that is claimed costs nothing: the bytes have to be there.
func TestDecodeAllocatesWhatIsThere(t *testing.T) {
	head := string(append([]byte(traceMagic), wireVersion))
	huge := "\xff\xff\xff\xff\x07" // 2^31 - 1
	for _, raw := range []string{
		head + "\x02" + huge,
		head + "\x03\x00" + huge + "abc",
		head + "\x01\x01f\x01\x00" + "\x11\x00\x00\x01\x01\x00\x00" + huge,
	} {
		got := testing.AllocsPerRun(10, func() {
			rec, err := decode([]byte(raw), 8)
			if err != nil || rec.end != nil {
				t.Errorf("%q: %v", raw, err)
			}
		})
		if got > 12 {
			t.Errorf("%q: %v allocations", raw, got)
		}
	}
}

// check is what every recording holds, whatever bytes it was made of.
func check(t interface{ Errorf(string, ...any) }, rec *recording) {
	trace := (&finding{recording: *rec}).view()
	last := int32(0)
	for i := range trace.Events {
		e := &trace.Events[i]
		if !e.Kind.Valid() || e.Changes < last || int(e.Changes) > len(trace.Changes) || int(e.Frame) >= len(trace.Frames) ||
			int(e.Back) >= len(trace.Frames) || int(e.Value) >= len(trace.Values) || e.Line < 0 {
			t.Errorf("event %d: %+v", i, *e)
			return
		}
		last = e.Changes
		_ = trace.CodeOf(i)
		for _, c := range trace.ChangesOf(i) {
			_ = trace.Names[c.Name]
			_ = valueOf(&trace, c.Value)
		}
	}
	if int(last) != len(trace.Changes) || len(trace.Cut) != len(trace.Values) {
		t.Errorf("%d changes, the last event's end at %d; %d values, %d cuts", len(trace.Changes), last, len(trace.Values), len(trace.Cut))
	}
	if rec.end != nil && int(rec.end.output) >= len(rec.values) {
		t.Errorf("output %d of %d", rec.end.output, len(rec.values))
	}
}

// drawRecording makes any recording that a shim could write.
func drawRecording(t *rapid.T) *recording {
	number := rapid.Int32Range(0, 1<<31-1)
	text := rapid.String()
	rec := &recording{
		names:  rapid.SliceOfN(text, 1, 5).Draw(t, "names"),
		values: rapid.SliceOfN(text, 1, 5).Draw(t, "values"),
		codes: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) schema.Code {
			return schema.Code{Name: text.Draw(t, "name"), FirstLine: number.Draw(t, "line"), Flags: schema.CodeFlags(rapid.IntRange(0, codeMask).Draw(t, "flags"))}
		}), 1, 3).Draw(t, "codes"),
		events: []schema.Event{}, changes: []schema.Change{},
	}
	rec.cut = make([]bool, len(rec.values))
	index := func(n int) int32 { return int32(rapid.IntRange(0, n-1).Draw(t, "index")) }
	var depth []int32
	for range rapid.IntRange(0, 20).Draw(t, "events") {
		e := schema.Event{Kind: schema.KindCall, Flags: schema.Flags(rapid.IntRange(0, flagsMask).Draw(t, "flags")), Line: number.Draw(t, "line"), Back: -1, Value: -1}
		if len(rec.frames) > 0 {
			e.Kind = rapid.SampledFrom(schema.Kinds).Draw(t, "kind")
		}
		if e.Kind.Opens() {
			e.Depth, e.Back = number.Draw(t, "depth"), index(len(rec.frames)+1)-1
		}
		if e.Kind == schema.KindCall {
			e.Frame = int32(len(rec.frames))
			rec.frames = append(rec.frames, schema.Frame{Code: index(len(rec.codes))})
			depth = append(depth, 0)
		} else {
			e.Frame = index(len(rec.frames))
		}
		if e.Kind.Opens() {
			depth[e.Frame] = e.Depth
		}
		e.Depth = depth[e.Frame]
		switch e.Kind {
		case schema.KindReturn, schema.KindYield, schema.KindException:
			e.Value = index(len(rec.values))
		}
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			rec.changes = append(rec.changes, schema.Change{Name: index(len(rec.names)), Value: index(len(rec.values)+1) - 1})
		}
		e.Changes = int32(len(rec.changes))
		rec.events = append(rec.events, e)
	}
	rec.end = &endRecord{
		outcome: byte(rapid.IntRange(outcomeReturned, outcomeUnimportable).Draw(t, "outcome")), events: int32(len(rec.events)),
		lost: number.Draw(t, "lost"), alive: rapid.Bool().Draw(t, "alive"), output: index(len(rec.values)+1) - 1,
		exceptionType: text.Draw(t, "type"), exceptionMessage: text.Draw(t, "message"), arguments: text.Draw(t, "arguments"),
	}
	copy(rec.end.nonce[:], rapid.SliceOfN(rapid.Byte(), nonceSize, nonceSize).Draw(t, "nonce"))
	return rec
}

func TestDecodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawRecording(t)
		got, err := decode(encodeTrace(want), len(want.events))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(content(got), *want) {
			t.Fatalf("got  %+v\nwant %+v", got, *want)
		}
	})
}

func FuzzDecode(f *testing.F) {
	raw := encodeTrace(sample())
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	for _, at := range []int{4, 20, 40, len(raw) - 40} {
		mutated := bytes.Clone(raw)
		mutated[at] ^= 0x81
		f.Add(mutated)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		rec, err := decode(raw, 1000)
		check(t, &rec)
		if len(rec.whole) > len(raw) || len(rec.events) > 1000 {
			t.Errorf("whole %d of %d, %d events", len(rec.whole), len(raw), len(rec.events))
		}
		if err != nil || rec.end == nil || content(rec).unused() {
			return
		}
		again, err := decode(encodeTrace(&rec), 1000)
		if err != nil || !reflect.DeepEqual(content(again), content(rec)) {
			t.Errorf("encoded and decoded again: %v\n%+v\n%+v", err, rec, again)
		}
	})
}

// unused says that the encoder cannot write this: it never leaves these nil.
func (rec recording) unused() bool { return rec.events == nil || rec.changes == nil }

func FuzzDecodeResult(f *testing.F) {
	f.Add(encodeResult(&result{job: 3, index: 1, stdout: []byte("out"), stdoutTotal: 3, trace: encodeTrace(sample())}))
	f.Fuzz(func(t *testing.T, frame []byte) {
		x, err := decodeResult(frame)
		if err != nil {
			return
		}
		again, err := decodeResult(encodeResult(x))
		if err != nil || !reflect.DeepEqual(x, again) {
			t.Errorf("encoded and decoded again: %v\n%+v\n%+v", err, x, again)
		}
	})
}

// BenchmarkDecode decodes 10,000 events of a loop that changes one variable in each, a new value in every eighth.
func BenchmarkDecode(b *testing.B) {
	rec := sample()
	rec.events, rec.changes = rec.events[:1:1], nil
	for i := range 10_000 {
		if i%8 == 0 {
			rec.values = append(rec.values, fmt.Sprintf("[%d, 'a', {'key': %d}]", i, i*i))
			rec.cut = append(rec.cut, false)
		}
		rec.changes = append(rec.changes, schema.Change{Name: int32(i % 2), Value: int32(len(rec.values) - 1)})
		rec.events = append(rec.events, schema.Event{
			Kind: schema.KindLine, Line: int32(10 + i%7), Depth: 1, Back: -1, Value: -1, Changes: int32(len(rec.changes)),
		})
	}
	rec.end.events = int32(len(rec.events))
	raw := encodeTrace(rec)
	b.ReportAllocs()
	for b.Loop() {
		got, err := decode(raw, len(rec.events))
		if err != nil || len(got.events) != len(rec.events) {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rec.events)), "ns/event")
	b.ReportMetric(float64(len(raw))/float64(len(rec.events)), "B/event")
}
