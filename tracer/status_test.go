package tracer

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// end makes the result of an execution whose END a test changes.
func end(change func(*endRecord)) *result {
	x := good()
	x.trace = whole(func(rec *recording) { change(rec.end) })
	return x
}

// holed makes the result of an execution of whose events n are missing from at on.
func holed(at, n int) *result {
	x := good()
	x.trace = whole(func(rec *recording) {
		rec.events = slices.Delete(rec.events, at, at+n)
		rec.end.events = int32(len(rec.events))
	})
	return x
}

func TestStatus(t *testing.T) {
	none := good()
	none.trace = none.trace[:len(none.trace)-nonceSize-1]
	tests := []struct {
		name      string
		x         *result
		want      schema.Status
		detail    string
		events    int
		truncated bool
	}{
		{"returns", good(), schema.StatusOK, "", 8, false},
		{"exit status after the end", &result{code: 70, nonce: good().nonce, trace: good().trace}, schema.StatusOK, "", 8, false},
		{"raises", end(func(e *endRecord) {
			e.outcome, e.output, e.exceptionType, e.exceptionMessage = outcomeRaised, -1, "m.Error", "a\nb"
		}), schema.StatusException, "m.Error: a b", 8, false},
		{"raises without a message", end(func(e *endRecord) { e.outcome, e.exceptionType = outcomeRaised, "ValueError" }), schema.StatusException, "ValueError", 8, false},
		{"MemoryError", end(func(e *endRecord) { e.outcome, e.exceptionType = outcomeRaised, "MemoryError" }), schema.StatusMemoryLimit, "MemoryError; raise trace.limits.memory", 8, false},
		{"SystemExit", end(func(e *endRecord) { e.outcome, e.exceptionType, e.exceptionMessage = outcomeExited, "SystemExit", "x" }), schema.StatusExited, "SystemExit: x", 8, false},
		{"event limit", end(func(e *endRecord) { e.outcome = outcomeEventLimit }), schema.StatusEventLimit, "raise trace.limits.events", 8, true},
		{"byte limit", end(func(e *endRecord) { e.outcome = outcomeByteLimit }), schema.StatusByteLimit, "raise trace.limits.bytes", 8, true},
		{"does not compile", end(func(e *endRecord) {
			e.outcome, e.exceptionType, e.exceptionMessage = outcomeUnimportable, "SyntaxError", "bad"
		}), schema.StatusUnimportable, "SyntaxError: bad", 8, false},
		{"tracer removed", end(func(e *endRecord) { e.alive = false }), schema.StatusTracerLost, "the tracer was not in place", 8, true},
		{"events lost", end(func(e *endRecord) { e.lost = 3 }), schema.StatusTracerLost, "3 events could not be recorded", 8, true},
		{"raises after the tracer was removed", end(func(e *endRecord) { e.alive, e.outcome = false, outcomeRaised }), schema.StatusTracerLost, "", 8, true},
		{"another count of events", end(func(e *endRecord) { e.events = 9 }), schema.StatusTracerLost, "counts 9 events, and 8 were read", 8, false},
		{"another nonce", end(func(e *endRecord) { e.nonce[0]++ }), schema.StatusCrashed, "forged", 8, false},
		{"the entry never ends", &result{nonce: good().nonce, trace: whole(func(rec *recording) {
			rec.events = rec.events[:7]
			rec.end.events = 7
		})}, schema.StatusTracerLost, "was never seen to end", 7, true},
		{"a callee never ends", holed(5, 1), schema.StatusTracerLost, "events are missing before event 5, exception of main at line 10: the frame of f was never seen to end", 7, true},
		{"a frame goes on after its end", &result{nonce: good().nonce, trace: whole(func(rec *recording) {
			rec.events[3].Kind = schema.KindUnwind
		})}, schema.StatusTracerLost, "events are missing before event 4, exception of f at line 2: the frame is not running", 8, true},
		{"the entry's end is missing", holed(6, 2), schema.StatusTracerLost, "the frame of main was never seen to end", 6, true},
		{"a callee never ends, then the event limit", &result{nonce: good().nonce, trace: whole(func(rec *recording) {
			rec.events = slices.Delete(rec.events, 5, 6)
			rec.end.events, rec.end.outcome = 7, outcomeEventLimit
		})}, schema.StatusTracerLost, "the frame of f was never seen to end", 7, true},
		{"the event limit in a callee", &result{nonce: good().nonce, trace: whole(func(rec *recording) {
			rec.events = rec.events[:4]
			rec.end.events, rec.end.outcome = 4, outcomeEventLimit
		})}, schema.StatusEventLimit, "raise trace.limits.events", 4, true},
		{"no frame", &result{nonce: good().nonce, trace: whole(func(rec *recording) {
			rec.events, rec.changes, rec.end.events = nil, nil, 0
		})}, schema.StatusTracerLost, "entered no function", 0, true},
		{"_exit", none, schema.StatusExited, "exit status 0", 8, true},
		{"_exit 3", &result{code: 3, trace: none.trace}, schema.StatusExited, "exit status 3", 8, true},
		{"no trace", &result{code: 1}, schema.StatusExited, "exit status 1", 0, true},
		{"writes to the tracer's channel", &result{trace: append(none.trace[:20:20], 0x7e)}, schema.StatusCrashed, "wrote to the tracer's channel: trace: byte", 1, true},
		{"segmentation fault", &result{end: endSignal, code: 11, trace: none.trace}, schema.StatusCrashed, "SIGSEGV", 8, true},
		{"another signal", &result{end: endSignal, code: 40, trace: none.trace}, schema.StatusCrashed, "signal 40", 8, true},
		{"a signal after the end", &result{end: endSignal, code: 6, nonce: good().nonce, trace: good().trace}, schema.StatusCrashed, "SIGABRT", 8, true},
		{"CPU limit", &result{end: endSignal, code: sigXCPU, trace: none.trace}, schema.StatusTimeout, "raise trace.limits.wall", 0, true},
		{"time", &result{end: endTime, trace: none.trace}, schema.StatusTimeout, "raise trace.limits.wall", 0, true},
		{"output", &result{end: endOutput, trace: none.trace}, schema.StatusOutputLimit, "raise trace.limits.output", 0, true},
		{"memory", &result{end: endMemory, trace: none.trace}, schema.StatusMemoryLimit, "raise trace.limits.memory", 0, true},
		{"time, whatever the trace is", &result{end: endTime, trace: []byte("garbage")}, schema.StatusTimeout, "", 0, true},
	}
	opts, _ := Options{}.WithDefaults()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := judge(test.x, &opts, true)
			if f.status != test.want || !strings.Contains(f.detail, test.detail) || f.truncated != test.truncated {
				t.Errorf("%s (%s), truncated %v; want %s (%s), %v", f.status, f.detail, f.truncated, test.want, test.detail, test.truncated)
			}
			if len(f.events) != test.events {
				t.Errorf("%d events, want %d", len(f.events), test.events)
			}
			if strings.ContainsAny(f.detail, "\n\r") || (f.detail == "") != (f.status == schema.StatusOK) {
				t.Errorf("detail %q", f.detail)
			}
		})
	}
}

func TestPartialKeepsEvents(t *testing.T) {
	x := &result{end: endTime, trace: good().trace}
	opts, _ := Options{Partial: true}.WithDefaults()
	if f := judge(x, &opts, true); len(f.events) != 8 || f.status != schema.StatusTimeout {
		t.Errorf("%d events, %s", len(f.events), f.status)
	}
}

// row runs one case on a server that gives x.
func row(t *testing.T, x *result, opts Options) *schema.Trace {
	t.Helper()
	rt := &fakeRuntime{script: func(fakeCase) (*result, error) { return x, nil }}
	return runAll(t, newFake(t, rt, opts), []Job{program(total, "f([1])")})[0][0]
}

func TestRow(t *testing.T) {
	x := good()
	x.stdout, x.stdoutTotal = []byte("é\xff\x00é"[:6]), 1000
	x.stderr, x.stderrTotal = []byte("warning"), 7
	got := row(t, x, Options{})
	want := sample()
	job := program(total, "f([1])")
	for _, c := range []struct{ name, got, want string }{
		{"case", got.CaseID, job.Cases[0].ID}, {"function", got.FunctionID, job.Function.ID}, {"call", got.Call, "f([1])"},
		{"wrapper", string(got.Wrapper), "main"}, {"python", got.PythonVersion, "3.11.7"}, {"image", got.Image, "sha256:fake"},
		{"output", got.Output, "None"}, {"exception", got.ExceptionType, ""}, {"stdout", got.Stdout, "é\\xff\x00é"},
		{"stderr", got.Stderr, "warning"}, {"deterministic", got.Deterministic, "unchecked"},
		{"notes", strings.Join(got.Notes, " "), "clock stdout_cut"}, {"matches", got.OutputMatches, ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	if !reflect.DeepEqual(got.Events, want.events) || !reflect.DeepEqual(got.Changes, want.changes) || !reflect.DeepEqual(got.Cut, want.cut) {
		t.Errorf("events %v", got.Events)
	}
}

// An id is made of what was recorded and how, not of what merely differs from run to run.
func TestTraceID(t *testing.T) {
	first := row(t, good(), Options{})
	other := end(func(e *endRecord) { e.nonce = [nonceSize]byte{9} })
	other.nonce = [nonceSize]byte{9}
	if got := row(t, other, Options{}); got.ID != first.ID || got.Status != schema.StatusOK {
		t.Errorf("another nonce changes the id, or the status: %s", got.Status)
	}
	if got := row(t, good(), Options{Limits: Limits{Events: 10_000}, Values: Budget{Depth: 8}}); got.ID != first.ID {
		t.Error("a default that is written out changes the id")
	}
	for name, got := range map[string]*schema.Trace{
		"another option": row(t, good(), Options{Values: Budget{Depth: 9}}),
		"another seed":   row(t, good(), Options{Seed: 1}),
		"another output": row(t, end(func(e *endRecord) { e.output = 0 }), Options{}),
		"no end":         row(t, &result{trace: good().trace[:100]}, Options{}),
	} {
		if got.ID == first.ID {
			t.Errorf("%s does not change the id", name)
		}
	}
}

func TestUnrepeatableOutput(t *testing.T) {
	x := &result{end: endTime, stdout: []byte("tick"), stdoutTotal: 4}
	if got := row(t, x, Options{}).Stdout; got != "" {
		t.Errorf("output %q of a program that was stopped somewhere", got)
	}
	if got := row(t, x, Options{Partial: true}).Stdout; got != "tick" {
		t.Errorf("output %q", got)
	}
	x = &result{end: endOutput, stdout: []byte("0123456789"), stdoutTotal: 10}
	if got := row(t, x, Options{Limits: Limits{Output: 4}}).Stdout; got != "0123" {
		t.Errorf("output %q above the limit", got)
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct{ in, cut, text string }{
		{"", "", ""}, {"aé", "aé", "aé"}, {"aé"[:2], "a", `a\xc3`}, {"\xff", "\xff", `\xff`}, {"€"[:1], "", `\xe2`},
		{"😀"[:3], "", `\xf0\x9f\x98`}, {"a\x80\x80\x80\x80", "a\x80\x80\x80\x80", `a\x80\x80\x80\x80`}, {"\xed\xa0\x80", "\xed\xa0\x80", `\xed\xa0\x80`},
	} {
		if got := string(wholeRunes([]byte(test.in))); got != test.cut {
			t.Errorf("whole runes of %q: %q, want %q", test.in, got, test.cut)
		}
		if got := validText([]byte(test.in)); got != test.text {
			t.Errorf("text of %q: %q, want %q", test.in, got, test.text)
		}
	}
	if got := oneLine(" a\n\tb " + strings.Repeat("é", 400)); len(got) > detailSize+3 || !strings.HasPrefix(got, "a b é") || !strings.HasSuffix(got, "é...") {
		t.Errorf("%q", got)
	}
}

func TestOptions(t *testing.T) {
	o, set := Options{Limits: Limits{Events: 7}, Wrapper: schema.WrapNone}.WithDefaults()
	if o.Limits.Events != 7 || o.Wrapper != schema.WrapNone || o.Limits.Wall == 0 || o.Values.Mode != ValueRepr || o.Determinism != DeterminismOff {
		t.Errorf("%+v", o)
	}
	for _, d := range set {
		if d.Key == "limits.events" || d.Key == "wrapper" || d.Reason == "" {
			t.Errorf("default %+v", d)
		}
	}
	if again, set := o.WithDefaults(); again != o || set != nil {
		t.Errorf("defaults of defaults: %v", set)
	}
	for _, test := range []struct {
		opts Options
		want string
	}{
		{Options{}, ""},
		{Options{Limits: Limits{Events: -1}}, "limits.events: -1 is not in the range"},
		{Options{Limits: Limits{Wall: time.Nanosecond}}, "limits.wall"},
		{Options{Limits: Limits{Memory: 1}}, "limits.memory"},
		{Options{Values: Budget{Depth: 1000}}, "values.depth: 1000"},
		{Options{Values: Budget{Mode: "json"}}, `values.mode: "json" is neither "repr" nor "typed"`},
		{Options{Wrapper: "both"}, `wrapper: "both"`},
		{Options{Determinism: "on"}, `determinism: "on" is none of "off", "check" and "require"`},
	} {
		err := test.opts.Validate()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.opts, err, test.want)
		}
	}
	if _, err := New(t.Context(), &fakeRuntime{}, "t", Options{Determinism: "on"}); err == nil {
		t.Error("a Tracer of options that are wrong")
	}
}

func TestDigest(t *testing.T) {
	files, err := shim()
	if err != nil || len(files["server.py"]) == 0 || len(Digest()) != 32 {
		t.Errorf("digest %q of %d files: %v", Digest(), len(files), err)
	}
}

// A case meets its own limits before its sandbox's.
func TestSandboxLimits(t *testing.T) {
	opts, _ := Options{}.WithDefaults()
	if got, want := sandboxLimits(opts.Limits), (sandbox.Limits{Memory: 1 << 30, PIDs: 128, Tmpfs: 64 << 20}); got != want {
		t.Errorf("with defaults %+v, want %+v", got, want)
	}
	l := Limits{Memory: 4 << 30, Processes: 1000, File: 1 << 30}
	if got := sandboxLimits(l); got.Memory <= l.Memory+got.Tmpfs || got.PIDs <= 1000 || got.Tmpfs < l.File {
		t.Errorf("%+v for %+v", got, l)
	}
}
