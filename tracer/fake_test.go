package tracer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// fakeRuntime runs servers in process. What they do is the test's script.
type fakeRuntime struct {
	// script answers one case: a result, or an error that says what becomes of the server. start counts servers from 1.
	script func(c fakeCase) (*result, error)
	// refuse says why the nth start fails.
	refuse func(start int) error

	mu     sync.Mutex
	starts int
	live   int
	check  []bool // per start: it was configured as the check
}

// fakeCase is what a server is asked for.
type fakeCase struct {
	start   int
	check   bool
	mode    byte
	program string
	wrapper string
	line    int32
	entry   string
	size    int // cases of its job
}

// What a script may say instead of giving a result.
var (
	errHang    = errors.New("hang")            // say nothing
	errGarbage = errors.New("garbage")         // send a frame that is none
	errWrong   = errors.New("wrong")           // answer another job
	errNetwork = errors.New("connection lost") // an error of the transport
	errCrash   = &sandbox.ExitError{Name: "fake", Code: 1, Stderr: "dead"}
	errKilled  = &sandbox.ExitError{Name: "fake", Code: 137}
	errEOF     = &sandbox.ExitError{Name: "fake", Code: 0}
	errOOM     = &sandbox.ExitError{Name: "fake", Code: 137, OOM: true}
)

func (f *fakeRuntime) Name() string { return "fake" }
func (f *fakeRuntime) Close() error { return nil }
func (f *fakeRuntime) Image() sandbox.Image {
	return sandbox.Image{Name: "fake", ID: "sha256:fake", Python: "/python3", Version: "3.11.7"}
}

func (f *fakeRuntime) Start(ctx context.Context, spec sandbox.Spec) (sandbox.Process, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.starts++
	if f.refuse != nil {
		if err := f.refuse(f.starts); err != nil {
			return nil, err
		}
	}
	if len(spec.Files["server.py"]) == 0 || spec.Command[0] != "/python3" || spec.Env["PYTHONHASHSEED"] == "" {
		return nil, fmt.Errorf("spec %v of %d files", spec.Command, len(spec.Files))
	}
	f.live++
	p := &fakeProcess{rt: f, start: f.starts, in: make(chan []byte), out: make(chan []byte), end: make(chan struct{}), stop: make(chan struct{})}
	p.done.Go(p.serve)
	return p, nil
}

type fakeProcess struct {
	rt     *fakeRuntime
	start  int
	in     chan []byte
	out    chan []byte
	end    chan struct{} // closed when the server has ended: why says how
	why    error
	stop   chan struct{}
	closed sync.Once
	done   sync.WaitGroup
}

func (p *fakeProcess) Send(ctx context.Context, frame []byte) error {
	select {
	case p.in <- frame:
		return nil
	case <-p.end:
		return errors.New("broken pipe")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *fakeProcess) Receive(ctx context.Context) ([]byte, error) {
	select {
	case frame := <-p.out:
		return frame, nil
	case <-p.end:
		return nil, p.why
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *fakeProcess) Close() error {
	p.closed.Do(func() {
		close(p.stop)
		p.done.Wait()
		p.rt.mu.Lock()
		p.rt.live--
		p.rt.mu.Unlock()
	})
	return nil
}

func (p *fakeProcess) serve() {
	defer close(p.end)
	p.why = &sandbox.ExitError{Name: "fake", Code: 137}
	var config configuration
	for {
		var frame []byte
		select {
		case frame = <-p.in:
		case <-p.stop:
			return
		}
		if frame[0] == msgConfigure {
			if err := json.Unmarshal(frame[2:], &config); err != nil {
				p.why = err
				return
			}
			p.rt.mu.Lock()
			p.rt.check = append(p.rt.check, config.Check)
			p.rt.mu.Unlock()
			if !p.answer([]byte("H\x01{\"version\": \"3.11.7\"}")) {
				return
			}
			continue
		}
		if !p.job(frame, config.Check) {
			return
		}
	}
}

func (p *fakeProcess) answer(frame []byte) bool {
	select {
	case p.out <- frame:
		return true
	case <-p.stop:
		return false
	}
}

// job answers a job's cases, and says whether the server lives on.
func (p *fakeProcess) job(frame []byte, check bool) bool {
	r := reader{b: frame, text: string(frame), p: 1}
	number, mode, program, n := r.uint64(), r.byte(), r.str(), r.uint()
	for i := range n {
		c := fakeCase{start: p.start, check: check, mode: mode &^ modeArguments, program: program, wrapper: r.str(), line: r.uint(), entry: r.str(), size: int(n)}
		x, err := p.rt.script(c)
		switch {
		case err == errHang:
			<-p.stop
			return false
		case err == errGarbage:
			return p.answer([]byte("?"))
		case err == errWrong:
			return p.answer(encodeResult(&result{job: number + 7, index: i, trace: whole(nil)}))
		case err != nil:
			p.why = err
			return false
		}
		reply := *x
		reply.job, reply.index = number, i
		if !p.answer(encodeResult(&reply)) {
			return false
		}
	}
	return r.fault == faultNone
}

// whole is a trace with an END, changed as a test wants.
func whole(change func(*recording)) []byte {
	rec := sample()
	if change != nil {
		change(rec)
	}
	return encodeTrace(rec)
}

// good is the result of a case that returns.
func good() *result { return &result{nonce: sample().end.nonce, trace: whole(nil)} }

// newFake makes a Tracer on a script, without delays.
func newFake(t testing.TB, rt *fakeRuntime, opts Options) *Tracer {
	t.Helper()
	if opts.Limits.Wall == 0 {
		opts.Limits.Wall = time.Second
	}
	tr := newTracer(t, rt, opts)
	tr.grace = 20 * time.Second
	tr.backoff = func(int) time.Duration { return 0 }
	return tr
}

// jobs makes n jobs of one to three cases.
func jobs(n int) []Job {
	var all []Job
	for i := range n {
		text := fmt.Sprintf("def f(x):\n    return %d\n", i)
		all = append(all, program(text, []string{"f(1)", "f(2)", "f(3)"}[:1+i%3]...))
	}
	return all
}

// statuses counts traces by status.
func statuses(all [][]*schema.Trace) map[schema.Status]int {
	counts := map[schema.Status]int{}
	for _, traces := range all {
		for _, trace := range traces {
			counts[trace.Status]++
		}
	}
	return counts
}
