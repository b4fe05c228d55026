package pipelines

import (
	"fmt"
	"math"
	"testing"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
)

// tries is a function's tried calls, each by its generator, its status and the lines that it reached.
func tries(id string, calls ...attempt) *plant {
	p := &plant{unit: &harvest.Unit{Function: schema.Function{ID: id, Entry: "f"}}, tried: calls}
	for i := range p.tried {
		one := &p.tried[i]
		one.Call = fmt.Sprintf("f(%d)", i)
		one.own = harvest.Own(one.Generator)
		if one.signature == [16]byte{} {
			one.signature = [16]byte{byte(i), byte(i >> 8), 1}
		}
	}
	return p
}

func call(generator string, status schema.Status, lines ...int32) attempt {
	a := attempt{Case: schema.Case{Generator: generator}, status: status, reached: reached{features: map[feature]bool{}}}
	for _, n := range lines {
		a.features[line(n)] = true
	}
	return a
}

func chosen(t *testing.T, c CasesConfig, p *plant) (kept []string, reasons map[harvest.Reason]int) {
	t.Helper()
	h := &harvest.Result{}
	w := &worker{config: &Config{Cases: c}}
	for _, one := range w.choose(p, h) {
		kept = append(kept, one.Call)
	}
	reasons = map[harvest.Reason]int{}
	for _, d := range h.Drops {
		reasons[d.Reason]++
	}
	if h.CasesFound != len(kept)+len(h.Drops) {
		t.Errorf("%d tried, %d kept and %d dropped", h.CasesFound, len(kept), len(h.Drops))
	}
	return kept, reasons
}

func TestChoose(t *testing.T) {
	c := defaultCases()
	c.Exceptions = 0
	const ok = schema.StatusOK
	same := call("typed", ok, 1)
	same.signature = [16]byte{0, 0, 1} // of the first call
	guess := call("typed", schema.StatusException)
	guess.guess = true
	for _, test := range []struct {
		name    string
		cap     int
		weights GeneratorsConfig
		calls   []attempt
		kept    string
		reasons string
	}{
		{"most new lines first", 2, GeneratorsConfig{Typed: 1},
			[]attempt{call("typed", ok, 1), call("typed", ok, 1, 2, 3), call("typed", ok, 1, 2), call("typed", ok, 4)}, "[f(1) f(3)]", "map[over_cap:2]"},
		{"by weight where nothing is new", 4, GeneratorsConfig{Typed: 1, Mutated: 3},
			[]attempt{call("typed", ok, 1), call("typed", ok, 1), call("typed", ok, 1), call("mutated", ok, 1), call("mutated", ok, 1), call("mutated", ok, 1)},
			"[f(3) f(4) f(0) f(5)]", "map[over_cap:2]"},
		{"the source's own, whatever they do", 1, GeneratorsConfig{Typed: 1},
			[]attempt{call("doctest", schema.StatusTimeout), call("assert", schema.StatusException), call("typed", ok, 1)}, "[f(0) f(1)]", "map[over_cap:1]"},
		{"what is no good", 9, GeneratorsConfig{Typed: 1},
			[]attempt{call("typed", ok, 1), same, guess, call("typed", schema.StatusEventLimit, 1), call("typed", schema.StatusException, 1)},
			"[f(0)]", "map[exception_share:1 not_run:1 same_trace:1 wrong_guess:1]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.PerFunction, c.Generators = test.cap, test.weights
			kept, reasons := chosen(t, c, tries("id", test.calls...))
			if fmt.Sprint(kept) != test.kept || fmt.Sprint(reasons) != test.reasons {
				t.Errorf("kept %v, dropped %v; want %v and %v", kept, reasons, test.kept, test.reasons)
			}
		})
	}
}

// The share of exceptions holds over many functions, although each has few cases.
func TestExceptionShare(t *testing.T) {
	c := defaultCases()
	for _, want := range []float64{0, 0.1, 0.5, 1} {
		c.Exceptions = want
		failed, all := 0, 0
		for i := range 400 {
			var calls []attempt
			for range 20 {
				calls = append(calls, call("typed", schema.StatusOK, 1), call("typed", schema.StatusException, 2))
			}
			h := &harvest.Result{}
			w := &worker{config: &Config{Cases: c}}
			p := tries(fmt.Sprint(i), calls...)
			ends := map[string]schema.Status{}
			for _, one := range p.tried {
				ends[one.Call] = one.status
			}
			for _, one := range w.choose(p, h) {
				all++
				if ends[one.Call] == schema.StatusException {
					failed++
				}
			}
		}
		if got := float64(failed) / float64(all); math.Abs(got-want) > 0.02 {
			t.Errorf("share %g: %.3f of %d cases end in an exception", want, got, all)
		}
	}
}
