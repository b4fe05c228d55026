package sandbox

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// startsAtOnce bounds concurrent starts. Engines slow down, and some break, when many containers are made at once.
const startsAtOnce = 4

// live is a runtime's processes, from the first start to its Close.
type live struct {
	runtime  string // its name, for messages
	starting chan struct{}
	life     context.Context // ends at close, and with it the starts that are under way
	end      context.CancelFunc

	mu        sync.Mutex
	processes map[*process]struct{}
	closed    bool
	starts    sync.WaitGroup // added to only while not closed
}

func newLive(runtime string) *live {
	l := &live{runtime: runtime, starting: make(chan struct{}, startsAtOnce), processes: map[*process]struct{}{}}
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// start checks a spec and calls try in its turn. The context of try ends with the runtime, too.
func (l *live) start(ctx context.Context, spec Spec, try func(context.Context) (*process, error)) (Process, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	if err := l.enter(); err != nil {
		return nil, err
	}
	defer l.starts.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.life, func() { cancel(os.ErrClosed) })()
	p, err := l.inTurn(ctx, try)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("start sandbox %s: %w", spec.Name, err)
	}
	return p, nil
}

func (l *live) inTurn(ctx context.Context, try func(context.Context) (*process, error)) (*process, error) {
	select {
	case l.starting <- struct{}{}:
		defer func() { <-l.starting }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return try(ctx)
}

// enter makes close wait for a start.
func (l *live) enter() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return fmt.Errorf("%s runtime: %w", l.runtime, os.ErrClosed)
	}
	l.starts.Add(1)
	return nil
}

// keep makes a process one that close closes, until it is closed.
func (l *live) keep(p *process) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.processes[p] = struct{}{}
	p.forget = func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.processes, p)
	}
}

// close ends starts and processes. It reports whether it is the first that does.
func (l *live) close() (first bool, err error) {
	l.mu.Lock()
	first = !l.closed
	l.closed = true
	l.mu.Unlock()
	if !first {
		return false, nil
	}
	l.end()
	l.starts.Wait()
	l.mu.Lock()
	left := slices.Collect(maps.Keys(l.processes))
	l.mu.Unlock()
	var group errgroup.Group
	group.SetLimit(startsAtOnce)
	for _, p := range left {
		group.Go(p.Close)
	}
	return true, group.Wait()
}

// check refuses what no runtime can start, before anything is made.
func (s Spec) check() error {
	if len(s.Command) == 0 || !strings.HasPrefix(s.Command[0], "/") {
		return fmt.Errorf("sandbox %s: command %q must begin with an absolute path, such as Image.Python", s.Name, s.Command)
	}
	for name := range s.Files {
		if !fs.ValidPath(name) || name == "." {
			return fmt.Errorf("sandbox %s: file %q must be a clean relative path", s.Name, name)
		}
	}
	for key := range s.Env {
		if key == "" || strings.ContainsAny(key, "=\x00") {
			return fmt.Errorf("sandbox %s: bad name of an environment variable %q", s.Name, key)
		}
	}
	return nil
}
