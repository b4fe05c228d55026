package sandbox

import (
	"context"
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// passing is an engine that can be away: it answers pings at a socket that comes and goes.
type passing struct {
	t       *testing.T
	path    string
	server  *http.Server
	pings   atomic.Int32
	serving sync.WaitGroup
}

func newPassing(t *testing.T) *passing {
	p := &passing{t: t, path: filepath.Join(t.TempDir(), "engine.sock")}
	p.come()
	t.Cleanup(p.leave)
	return p
}

func (p *passing) come() {
	listener, err := net.Listen("unix", p.path)
	if err != nil {
		p.t.Error(err)
		return
	}
	p.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.pings.Add(1)
		w.Header().Set("Api-Version", "1.41")
	})}
	server := p.server
	p.serving.Go(func() { _ = server.Serve(listener) })
}

func (p *passing) leave() {
	_ = p.server.Close()
	p.serving.Wait()
}

// connect counts what the engine's user is told.
func (p *passing) connect() (*engine, *[]string) {
	var mu sync.Mutex
	var said []string
	e, err := connect(testContext(p.t), DockerOptions{Host: "unix://" + p.path, Log: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, line)
	}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = e.api.Close() })
	return e, &said
}

// Everybody waits for an engine that restarts, and one of them says so.
func TestEngineComesBack(t *testing.T) {
	p := newPassing(t)
	e, said := p.connect()
	p.leave()
	lost := make(chan struct{}, 8)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			first := true
			err := e.retry(testContext(t), "start", func(ctx context.Context) error {
				err := e.ping(ctx)
				if first {
					first = false
					lost <- struct{}{}
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range 8 {
		<-lost // nobody has found it there
	}
	p.come()
	all.Wait()
	if len(*said) > 2 {
		t.Errorf("said %q", *said)
	}
}

// An engine that stays away is given up once for all, with the way out.
func TestEngineStaysAway(t *testing.T) {
	p := newPassing(t)
	e, said := p.connect()
	e.outage.returns = 300 * time.Millisecond
	p.leave()
	for range 3 {
		err := e.retry(testContext(t), "start", e.ping)
		if !errors.Is(err, ErrUnavailable) {
			t.Fatal(err)
		}
		for _, want := range []string{p.path, "did not come back within 300ms", "systemctl start docker", "run the same command again"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not say %q", err, want)
			}
		}
	}
	if len(*said) != 1 || !strings.Contains((*said)[0], "waiting for it, for at most 300ms") {
		t.Errorf("said %q", *said)
	}
	p.come()
	if err := e.retry(testContext(t), "start", e.ping); err != nil {
		t.Errorf("an engine that answers at the first try: %v", err)
	}
}

func TestOutageCancelled(t *testing.T) {
	p := newPassing(t)
	e, _ := p.connect()
	p.leave()
	ctx, cancel := context.WithCancel(testContext(t))
	defer cancel()
	e.log = func(string) { cancel() }
	if err := e.retry(ctx, "start", e.ping); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// An engine that answers pings, and nothing else.
func TestEngineHangs(t *testing.T) {
	e, _ := newPassing(t).connect()
	e.outage.answers = 20 * time.Millisecond
	calls := 0
	err := e.retry(testContext(t), "start", func(ctx context.Context) error {
		calls++
		<-ctx.Done()
		return ctx.Err()
	})
	if !errors.Is(err, errSlow) || calls != attempts {
		t.Errorf("%v after %d calls", err, calls)
	}
}
