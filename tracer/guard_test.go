package tracer

import (
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

// recorded is the result of an execution whose recording a test changes.
func recorded(change func(*recording)) *result {
	return &result{nonce: good().nonce, trace: whole(change)}
}

// untraced is what a server reports of the same execution without a tracer.
func untraced(change func(*endRecord)) *result {
	return recorded(func(rec *recording) {
		rec.events, rec.changes, rec.frames, rec.end.events, rec.end.alive = nil, nil, nil, 0, false
		if change != nil {
			change(rec.end)
		}
	})
}

func printing(x *result, text string) *result {
	x.stdout, x.stdoutTotal = []byte(text), uint64(len(text))
	return x
}

func TestGuards(t *testing.T) {
	nonce := func(rec *recording) { rec.end.nonce[3]++ }
	another := recorded(nonce)
	another.nonce[3]++
	raised := func(e *endRecord) {
		e.outcome, e.output, e.exceptionType, e.exceptionMessage = outcomeRaised, -1, "KeyError", "'a'"
	}
	tests := []struct {
		name           string
		first          *result
		plain          *result // nil: as a good one
		again          *result // nil: likewise
		want           schema.Status
		detail         string
		deterministic  string
		ofRequire      schema.Status // where it differs with require
		guards, events int64
	}{
		{"nothing differs", good(), nil, another, schema.StatusOK, "", "checked", "", 2, 8},
		{"the same exception", end(raised), untraced(raised), end(raised), schema.StatusException, "KeyError: 'a'", "checked", "", 2, 8},
		{"untraced output", good(), untraced(func(e *endRecord) { e.output = 0 }), nil, schema.StatusPerturbed, "traced and untraced runs differ: output = None / 1", "checked", "", 2, 8},
		{"untraced raises", good(), untraced(raised), nil, schema.StatusPerturbed, "status = ok / exception (KeyError: 'a')", "checked", "", 2, 8},
		{"another exception", end(raised), untraced(func(e *endRecord) { raised(e); e.exceptionType = "E" }), end(raised), schema.StatusPerturbed, "exception type = KeyError / E", "checked", "", 2, 8},
		{"another message", end(raised), untraced(func(e *endRecord) { raised(e); e.exceptionMessage = "'b'" }), end(raised), schema.StatusPerturbed, "exception message = 'a' / 'b'", "checked", "", 2, 8},
		{"untraced arguments", good(), untraced(func(e *endRecord) { e.arguments = "x" }), nil, schema.StatusPerturbed, "arguments after the call", "checked", "", 2, 8},
		{"untraced stdout", printing(good(), "abc"), printing(untraced(nil), "abd"), printing(good(), "abc"), schema.StatusPerturbed, `stdout, byte 2 = "abc" / "abd"`, "checked", "", 2, 8},
		{"untraced takes too long", good(), &result{end: endTime}, nil, schema.StatusPerturbed, "status = ok / timeout", "checked", "", 2, 8},
		{"a value", good(), nil, recorded(func(rec *recording) { rec.values[0] = "2" }), schema.StatusNondeterministic, "two runs differ: event 2 line 1: x = 1 / 2", "checked", "", 2, 8},
		{"a returned value", good(), nil, recorded(func(rec *recording) { rec.values[3] = "0" }), schema.StatusNondeterministic, "event 7 line 11: return = None / 0", "checked", "", 2, 8},
		{"a line", good(), nil, recorded(func(rec *recording) { rec.events[3].Line = 5 }), schema.StatusNondeterministic, "event 3 line 2: line of line 2 / line of line 5", "checked", "", 2, 8},
		{"a frame", good(), nil, recorded(func(rec *recording) { rec.events[2].Depth++ }), schema.StatusNondeterministic, "event 2 line 1: frame = f, frame 1 at depth 2", "checked", "", 2, 8},
		{"a name", good(), nil, recorded(func(rec *recording) { rec.names[1] = "y" }), schema.StatusNondeterministic, "changed = ключ / y", "checked", "", 2, 8},
		{"fewer events", good(), nil, recorded(func(rec *recording) { rec.events = rec.events[:7]; rec.end.events = 7 }), schema.StatusNondeterministic, "event 7: 8 events / 7 events", "checked", "", 2, 8},
		{"stdout", printing(good(), "a"), printing(untraced(nil), "a"), printing(good(), "b"), schema.StatusNondeterministic, `stdout, byte 0 = "a" / "b"`, "checked", "", 2, 8},
		{"nondeterministic, and so untraced too", good(), untraced(func(e *endRecord) { e.output = 0 }), recorded(func(rec *recording) { rec.values[0] = "2" }), schema.StatusNondeterministic, "x = 1 / 2", "checked", "", 2, 8},
		{"the second run crashes", good(), nil, &result{end: endSignal, code: 11}, schema.StatusNondeterministic, "status = ok / crashed (died of SIGSEGV)", "checked", "", 2, 8},
		{"the second run takes too long", good(), nil, &result{end: endTime}, schema.StatusOK, "", "unchecked", schema.StatusNondeterministic, 2, 8},
		{"not usable: no guards", end(func(e *endRecord) { e.outcome = outcomeEventLimit }), nil, nil, schema.StatusEventLimit, "", "unchecked", "", 0, 8},
	}
	for _, test := range tests {
		for _, level := range []Determinism{DeterminismCheck, DeterminismRequire} {
			t.Run(test.name+"/"+string(level), func(t *testing.T) {
				rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
					x := test.first
					if c.check {
						x = test.again
					} else if c.mode&modeUntraced != 0 {
						if x = test.plain; x == nil {
							x = untraced(nil)
						}
					}
					if x == nil {
						x = good()
					}
					return x, nil
				}}
				tr := newFake(t, rt, Options{Determinism: level, Differential: true})
				got := runAll(t, tr, []Job{program(total, "f([1])")})[0][0]
				want := test.want
				if level == DeterminismRequire && test.ofRequire != "" {
					want = test.ofRequire
				}
				if got.Status != want || !strings.Contains(got.StatusDetail, test.detail) || got.Deterministic != test.deterministic {
					t.Errorf("%s (%s), %s; want %s (%s), %s", got.Status, got.StatusDetail, got.Deterministic, want, test.detail, test.deterministic)
				}
				if s := tr.Stats(); s.Guards != test.guards || s.Executions != 1 || s.Events != test.events {
					t.Errorf("stats %+v", s)
				}
			})
		}
	}
}

// Each guard runs what is usable, on the server that it is for, and nothing else.
func TestGuardsRunOnlyWhatIsUsable(t *testing.T) {
	for _, test := range []struct {
		opts                 Options
		plain, again, starts int
	}{
		{Options{}, 0, 0, 1},
		{Options{Differential: true}, 13, 0, 1},
		{Options{Determinism: DeterminismCheck}, 0, 13, 2},
		{Options{Differential: true, Determinism: DeterminismCheck}, 13, 13, 2},
	} {
		counts := make(chan fakeCase, 1000)
		rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
			counts <- c
			if strings.Contains(c.wrapper, "f(2)") {
				return &result{end: endTime}, nil
			}
			return good(), nil
		}}
		all := runAll(t, newFake(t, rt, test.opts), jobs(10))
		close(counts)
		plain, again := 0, 0
		for c := range counts {
			if c.mode&modeUntraced != 0 {
				plain++
			}
			if c.check {
				again++
			}
			if (c.check || c.mode&modeUntraced != 0) && strings.Contains(c.wrapper, "f(2)") {
				t.Errorf("a guard ran %q", c.wrapper)
			}
		}
		if plain != test.plain || again != test.again || rt.starts != test.starts {
			t.Errorf("%+v: %d untraced, %d again, %d servers", test.opts, plain, again, rt.starts)
		}
		if len(all) != 10 {
			t.Errorf("%d jobs", len(all))
		}
	}
}
