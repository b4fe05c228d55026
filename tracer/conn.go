package tracer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tracemill/tracemill/sandbox"
)

const (
	startGrace = 60 * time.Second // from the start of a sandbox to its hello
	exitGrace  = 5 * time.Second  // from a frame that could not be sent to the reason
)

// conn is a running server. Two goroutines move its frames, so that it never waits for us to read while we wait for it to
// read; they end with close.
type conn struct {
	proc   sandbox.Process
	hello  hello
	out    chan []byte
	in     chan received
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// received is a frame, or why there will be no more.
type received struct {
	frame []byte
	err   error
}

// dial starts a server and configures it. Its errors are of the infrastructure: no program has run yet.
func dial(ctx context.Context, rt sandbox.Runtime, spec sandbox.Spec, configure []byte) (*conn, error) {
	proc, err := rt.Start(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("start sandbox %s: %w", spec.Name, err)
	}
	h, err := greet(ctx, proc, configure)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("configure the tracer in sandbox %s: %w", spec.Name, err), proc.Close())
	}
	// The context of the goroutines is the conn's own: a caller's deadline must not end a server that is to be kept.
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &conn{proc: proc, hello: h, out: make(chan []byte, inFlight), in: make(chan received), cancel: cancel}
	c.done.Go(func() { c.send(own) })
	c.done.Go(func() { c.receive(own) })
	return c, nil
}

func greet(ctx context.Context, proc sandbox.Process, configure []byte) (hello, error) {
	ctx, cancel := context.WithTimeout(ctx, startGrace)
	defer cancel()
	if err := proc.Send(ctx, configure); err != nil {
		return hello{}, err
	}
	frame, err := proc.Receive(ctx)
	if err != nil {
		return hello{}, err
	}
	return decodeHello(frame)
}

func (c *conn) send(ctx context.Context) {
	for {
		select {
		case frame := <-c.out:
			if err := c.proc.Send(ctx, frame); err != nil {
				c.report(ctx, err)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// report gives receive the time to learn why the process ended, which says more than that it takes no frame.
func (c *conn) report(ctx context.Context, err error) {
	select {
	case <-time.After(exitGrace):
	case <-ctx.Done():
		return
	}
	select {
	case c.in <- received{err: fmt.Errorf("send: %w", err)}:
	case <-ctx.Done():
	}
}

func (c *conn) receive(ctx context.Context) {
	for {
		frame, err := c.proc.Receive(ctx)
		select {
		case c.in <- received{frame, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (c *conn) close() error {
	c.cancel()
	err := c.proc.Close()
	c.done.Wait()
	return err
}
