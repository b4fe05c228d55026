package tracer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if err := os.RemoveAll(cacheDir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		os.Exit(code)
	}))
}

func TestRunInOrder(t *testing.T) {
	var seen []string
	rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
		seen = append(seen, c.wrapper)
		if c.entry != "main" || c.line != 4 || c.mode&^modeTogether != modeTraced || c.mode == modeTogether != (c.size > 1) {
			t.Errorf("entry %q at line %d, mode %d", c.entry, c.line, c.mode)
		}
		return good(), nil
	}}
	tr := newFake(t, rt, Options{})
	for range 2 { // the second run finds the server of the first
		if got := statuses(runAll(t, tr, jobs(20))); !maps.Equal(got, map[schema.Status]int{schema.StatusOK: 39}) {
			t.Errorf("statuses %v", got)
		}
	}
	if rt.starts != 1 || len(seen) != 78 {
		t.Errorf("%d starts, %d executions", rt.starts, len(seen))
	}
	if got, want := tr.Stats(), (Stats{Executions: 78, Events: 78 * 8, Bytes: 78 * int64(len(whole(nil)))}); got != want {
		t.Errorf("stats %+v, want %+v", got, want)
	}
	if runAll(t, tr, nil) != nil {
		t.Error("traces of no jobs")
	}
	if all := runAll(t, tr, []Job{program("x = 1\n"), program("x = 1\ny = 2\n", "f([])")}); len(all) != 2 || len(all[0]) != 0 || len(all[1]) != 1 {
		t.Errorf("a job without cases: %v", all)
	}
}

// A server has the next job before it has answered the one before.
func TestTwoInFlight(t *testing.T) {
	rt := &fakeRuntime{}
	tr := newFake(t, rt, Options{})
	var answered atomic.Int32
	taken := make(chan struct{}, 100)
	tr.main.spec.Name = "in-flight"
	rt.script = func(c fakeCase) (*result, error) {
		taken <- struct{}{}
		return good(), nil
	}
	err := tr.Run(t.Context(), jobs(12), func(job int, _ []*schema.Trace) error {
		answered.Add(1)
		if job == 0 {
			// Job 0 is not handed over yet, and job 1 is under way all the same.
			for range len(jobs(12)[0].Cases) + 1 {
				<-taken
			}
		}
		return nil
	})
	if err != nil || answered.Load() != 12 {
		t.Errorf("%v after %d jobs", err, answered.Load())
	}
}

// A case that takes the server down is found, is given the status of what was seen, and costs the others nothing.
func TestCaseTakesServerDown(t *testing.T) {
	for _, test := range []struct {
		name   string
		err    error
		want   schema.Status
		detail string
	}{
		{"exit", errCrash, schema.StatusCrashed, "took its sandbox down: sandbox fake ended: exit code 1: dead"},
		{"out of memory", errOOM, schema.StatusMemoryLimit, "out of memory"},
		{"garbage", errGarbage, schema.StatusCrashed, "not a message of that type"},
		{"another job", errWrong, schema.StatusCrashed, "was due"},
		{"silence", errHang, schema.StatusTimeout, "no answer within"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
				if strings.Contains(c.program, "return 2") && strings.Contains(c.wrapper, "f(2)") {
					return nil, test.err
				}
				return good(), nil
			}}
			tr := newFake(t, rt, Options{Limits: Limits{Wall: 10 * time.Millisecond, CPU: 10 * time.Millisecond}})
			if test.err == errHang {
				tr.grace = 300 * time.Millisecond
			}
			all := runAll(t, tr, jobs(7))
			for i, traces := range all {
				for j, trace := range traces {
					if i == 2 && j == 1 {
						if trace.Status != test.want || !strings.Contains(trace.StatusDetail, test.detail) || !trace.Truncated {
							t.Errorf("the case: %s (%s)", trace.Status, trace.StatusDetail)
						}
					} else if trace.Status != schema.StatusOK || trace.CaseID != jobs(7)[i].Cases[j].ID {
						t.Errorf("job %d case %d: %s (%s), %s", i, j, trace.Status, trace.StatusDetail, trace.CaseID)
					}
				}
			}
			if s := tr.Stats(); s.Restarts != 3 || s.Retries != 0 {
				t.Errorf("stats %+v", s)
			}
		})
	}
}

// A server that dies once, or that loses its connection a few times, leaves no mark in the data.
func TestPassingTrouble(t *testing.T) {
	for _, test := range []struct {
		name  string
		err   error
		times int
	}{{"a death", errCrash, 1}, {"the kernel, for memory", errOOM, 1}, {"the network", errNetwork, maxFailures - 1}} {
		t.Run(test.name, func(t *testing.T) {
			failed := 0
			rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
				if strings.Contains(c.program, "return 4") && failed < test.times {
					failed++
					return nil, test.err
				}
				return good(), nil
			}}
			tr := newFake(t, rt, Options{})
			if got := statuses(runAll(t, tr, jobs(8))); got[schema.StatusOK] != 15 || len(got) != 1 {
				t.Errorf("statuses %v", got)
			}
			if s := tr.Stats(); s.Restarts != int64(test.times) {
				t.Errorf("stats %+v", s)
			}
		})
	}
}

// A server that somebody kills, or whose input somebody ends, says nothing of the case that it ran.
func TestKilledFromOutside(t *testing.T) {
	for _, test := range []struct {
		name  string
		err   error
		times int
		want  schema.Status
	}{
		{"killed", errKilled, maxKills, schema.StatusOK}, // once with the others, and then alone
		{"cut off", errEOF, maxKills, schema.StatusOK},
		{"whenever the case runs", errKilled, 1000, schema.StatusCrashed},
	} {
		t.Run(test.name, func(t *testing.T) {
			failed := 0
			rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
				if strings.Contains(c.program, "return 3") && failed < test.times {
					failed++
					return nil, test.err
				}
				return good(), nil
			}}
			tr := newFake(t, rt, Options{})
			all := runAll(t, tr, jobs(6))
			for i, traces := range all {
				want := schema.StatusOK
				if i == 3 {
					want = test.want
				}
				for _, trace := range traces {
					if trace.Status != want {
						t.Errorf("job %d: %s (%s)", i, trace.Status, trace.StatusDetail)
					}
				}
			}
			if want := min(test.times, 1+maxKills); failed != want || tr.Stats().Retries != int64(want) {
				t.Errorf("%d deaths, stats %+v", failed, tr.Stats())
			}
		})
	}
}

// A case is not struck for a server that dies where no other program lives either.
func TestNoStrikeWhereNothingLives(t *testing.T) {
	deaths := 0
	rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
		if deaths < maxFailures && (strings.Contains(c.program, "return 1") || strings.Contains(c.program, "pass")) {
			deaths++
			return nil, errCrash
		}
		return good(), nil
	}}
	tr := newFake(t, rt, Options{})
	if got := statuses(runAll(t, tr, jobs(3))); got[schema.StatusOK] != 6 || len(got) != 1 {
		t.Errorf("statuses %v after %d deaths", got, deaths)
	}
}

// A server that dies of everything is no program's doing.
func TestEverythingDies(t *testing.T) {
	for _, err := range []error{errCrash, errNetwork} {
		rt := &fakeRuntime{script: func(c fakeCase) (*result, error) { return nil, err }}
		tr := newFake(t, rt, Options{})
		got := tr.Run(t.Context(), jobs(3), func(int, []*schema.Trace) error { t.Error("a job was handed over"); return nil })
		var infrastructure *InfrastructureError
		if !errors.As(got, &infrastructure) || !errors.Is(got, err) {
			t.Errorf("error %v", got)
		}
		if rt.live != 0 {
			t.Errorf("%d servers live", rt.live)
		}
	}
}

func TestStartFails(t *testing.T) {
	broken := errors.New("no space left on device")
	for _, test := range []struct {
		name   string
		refuse func(int) error
		starts int
		want   error
	}{
		{"twice", func(n int) error { return map[bool]error{true: broken}[n <= 2] }, 3, nil},
		{"always", func(int) error { return broken }, firstFailures, broken},
		{"no engine", func(int) error { return fmt.Errorf("docker: %w", sandbox.ErrUnavailable) }, 1, sandbox.ErrUnavailable},
	} {
		t.Run(test.name, func(t *testing.T) {
			rt := &fakeRuntime{refuse: test.refuse, script: func(fakeCase) (*result, error) { return good(), nil }}
			tr := newFake(t, rt, Options{})
			err := tr.Run(t.Context(), jobs(3), func(int, []*schema.Trace) error { return nil })
			var infrastructure *InfrastructureError
			if !errors.Is(err, test.want) || (err != nil) != errors.As(err, &infrastructure) || rt.starts != test.starts {
				t.Errorf("error %v after %d starts, want %v after %d", err, rt.starts, test.want, test.starts)
			}
		})
	}
}

func TestRefusesAnotherInterpreter(t *testing.T) {
	rt := &otherVersion{fakeRuntime{script: func(fakeCase) (*result, error) { return good(), nil }}}
	tr := newTracer(t, rt, Options{})
	tr.backoff = func(int) time.Duration { return 0 }
	err := tr.Run(t.Context(), jobs(1), func(int, []*schema.Trace) error { return nil })
	if err == nil || !strings.Contains(err.Error(), `the image says Python 3.12.1, its interpreter says "3.11.7"`) {
		t.Errorf("error %v", err)
	}
}

type otherVersion struct{ fakeRuntime }

func (o *otherVersion) Image() sandbox.Image {
	return sandbox.Image{Python: "/python3", Version: "3.12.1"}
}

// Our own end is no program's outcome: nothing more is handed over, and no server is left.
func TestCancel(t *testing.T) {
	for _, how := range []string{"hang", "killed"} {
		t.Run(how, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
				if strings.Contains(c.program, "return 3") {
					cancel()
					if how == "hang" {
						return nil, errHang
					}
					return &result{end: endSignal, code: sigTerm}, nil
				}
				return good(), nil
			}}
			tr := newFake(t, rt, Options{})
			err := tr.Run(ctx, jobs(8), func(job int, traces []*schema.Trace) error {
				for _, trace := range traces {
					if job > 3 || trace.Status != schema.StatusOK {
						t.Errorf("job %d: %s", job, trace.Status)
					}
				}
				return nil
			})
			if !errors.Is(err, context.Canceled) || rt.live != 0 {
				t.Errorf("error %v, %d servers live", err, rt.live)
			}
			if got := statuses(runAll(t, tr, jobs(2))); got[schema.StatusOK] != 3 {
				t.Errorf("a run after it: %v", got)
			}
		})
	}
}

func TestEachEndsRun(t *testing.T) {
	rt := &fakeRuntime{script: func(fakeCase) (*result, error) { return good(), nil }}
	tr := newFake(t, rt, Options{Determinism: DeterminismCheck})
	full := errors.New("disk full")
	calls := 0
	err := tr.Run(t.Context(), jobs(8), func(int, []*schema.Trace) error { calls++; return full })
	if err != full || calls != 1 || rt.live != 0 {
		t.Errorf("error %v, %d calls, %d servers live", err, calls, rt.live)
	}
}

// A signal that somebody outside may have sent is believed the second time.
func TestSignalFromOutside(t *testing.T) {
	runs := 0
	rt := &fakeRuntime{script: func(c fakeCase) (*result, error) {
		if strings.Contains(c.program, "return 2") && strings.Contains(c.wrapper, "f(3)") {
			if runs++; runs == 1 || c.size != 1 {
				return &result{end: endSignal, code: sigTerm}, nil
			}
		}
		if strings.Contains(c.program, "return 1") {
			return &result{end: endSignal, code: sigKill}, nil
		}
		return good(), nil
	}}
	all := runAll(t, newFake(t, rt, Options{}), jobs(3))
	if all[2][2].Status != schema.StatusOK || runs != 2 {
		t.Errorf("once: %s after %d runs", all[2][2].Status, runs)
	}
	if all[1][0].Status != schema.StatusCrashed || all[1][0].StatusDetail != "died of SIGKILL" {
		t.Errorf("always: %s (%s)", all[1][0].Status, all[1][0].StatusDetail)
	}
}
