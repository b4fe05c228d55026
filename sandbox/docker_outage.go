package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
)

// attempts bounds how often a container is tried: an engine under load fails now and then, a bad request always.
const attempts = 4

// outage is what starts share while the engine is away: one of them asks for it, the others wait for that one.
type outage struct {
	turn    chan struct{} // holds one token
	over    error         // the engine was given up
	returns time.Duration // how long it may stay away
	answers time.Duration // how long it may take for one attempt
}

// engineReturns is the default of DockerOptions.Patience.
const engineReturns = 2 * time.Minute

// startTimeout bounds one attempt to start a container, as an engine that hangs never answers. A slow disk takes seconds.
const startTimeout = 2 * time.Minute

func newOutage(patience time.Duration) outage {
	if patience == 0 {
		patience = engineReturns
	}
	return outage{turn: make(chan struct{}, 1), returns: patience, answers: startTimeout}
}

// retry calls try until it succeeds, fails for good, or was called often enough. It waits for an engine that is away.
func (e *engine) retry(ctx context.Context, what string, try func(context.Context) error) error {
	pause := 200 * time.Millisecond
	for i := 1; ; i++ {
		err := e.bounded(ctx, try)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case isLost(err):
			if gone := e.await(ctx, err); gone != nil {
				return gone
			}
		case !isTransient(err):
			return err
		}
		if i == attempts {
			return e.final(err)
		}
		if isLost(err) {
			continue // the wait was long enough
		}
		if i == 1 {
			e.log(fmt.Sprintf("%s failed; it is tried %d times in all: %v", what, attempts, err))
		}
		if err := Pause(ctx, pause); err != nil {
			return err
		}
		pause *= 3
	}
}

// errSlow is an attempt's error where the engine took too long.
var errSlow = errors.New("the engine did not answer in time")

func (e *engine) bounded(ctx context.Context, try func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, e.outage.answers)
	defer cancel()
	err := try(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return fmt.Errorf("%w (%s)", errSlow, e.outage.answers)
	}
	return err
}

// final is the error of the last attempt. What the next start would meet too ends the build at once.
func (e *engine) final(err error) error {
	if isFull(err) {
		return fmt.Errorf("docker at %s: %w: %w; its disk is full: make room there (docker system df shows what takes it), then run the same command again",
			e.api.DaemonHost(), ErrUnavailable, err)
	}
	return err
}

// await returns when the engine answers again, or with an error once it was away for too long. It says so once.
func (e *engine) await(ctx context.Context, cause error) error {
	o := &e.outage
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if o.over != nil {
		return o.over
	}
	began := time.Now()
	pause := 100 * time.Millisecond
	said := false
	for {
		err := e.ping(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			if said {
				e.log(fmt.Sprintf("docker at %s is back after %s", e.api.DaemonHost(), time.Since(began).Round(100*time.Millisecond)))
			}
			return nil
		case time.Since(began) >= o.returns:
			o.over = fmt.Errorf("docker at %s: %w: it went away (%w) and did not come back within %s: %w; %s, then run the same command again: what is done is kept",
				e.api.DaemonHost(), ErrUnavailable, cause, o.returns, err, wayOut(err, e.api.DaemonHost()))
			return o.over
		case !said:
			said = true
			e.log(fmt.Sprintf("docker at %s does not answer; waiting for it, for at most %s: %v", e.api.DaemonHost(), o.returns, err))
		}
		if err := Pause(ctx, pause); err != nil {
			return err
		}
		pause = min(2*pause, 3*time.Second)
	}
}

// ping asks over a connection of its own: an open one goes on where a socket was removed.
func (e *engine) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	api, err := e.fresh()
	if err != nil {
		return err
	}
	defer api.Close()
	_, err = api.Ping(ctx, client.PingOptions{})
	return err
}

// isLost says whether it is the engine that did not answer, rather than that it refused.
func isLost(err error) bool {
	for _, broken := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNREFUSED, errSlow} {
		if errors.Is(err, broken) {
			return true
		}
	}
	var dial *net.OpError
	return client.IsErrConnectionFailed(err) || errors.As(err, &dial) && dial.Op == "dial"
}

func isTransient(err error) bool {
	return isLost(err) || errdefs.IsInternal(err) || errdefs.IsUnavailable(err) || errdefs.IsResourceExhausted(err)
}

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "no space left on device")
}
