package harvest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tracemill/tracemill/sandbox"
)

// blame is what speaks against a request: ends of the analyzer while it had nothing else to do.
type blame struct {
	deaths int // its own
	kills  int // from outside
}

const (
	maxDeaths = 2 // one may be chance
	// maxKills is larger, as nothing that is parsed can kill from outside; but a file that the machine cannot bear must not end
	// every build.
	maxKills = 5
	// maxFailures bounds how often in a row the infrastructure may fail.
	maxFailures = 6
)

// mend replaces an analyzer that failed. It returns how the analyzer ended once that is to be blamed on the request, and an error
// once it is to be blamed on the infrastructure; with neither, the request is to be tried again, alone.
func (h *Harvester) mend(ctx context.Context, failure error, b *blame) (*sandbox.ExitError, error) {
	exit, err := h.autopsy(ctx, failure)
	switch {
	case err != nil:
		return nil, h.later(ctx, err)
	case exit.FromOutside():
		b.kills++
	default:
		b.deaths++
	}
	if b.deaths < maxDeaths && b.kills < maxKills {
		return nil, nil
	}
	return exit, nil
}

// later counts a failure of the infrastructure, and waits.
func (h *Harvester) later(ctx context.Context, err error) error {
	switch h.failures++; {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, sandbox.ErrUnavailable):
		return err // the runtime has waited for itself
	case h.failures >= maxFailures:
		return fmt.Errorf("gave up after %d failures in a row, which `tracemill doctor` may explain: %w", h.failures, err)
	}
	return sandbox.Pause(ctx, h.backoff(h.failures))
}

// exitWait is how long an analyzer that takes no more requests may take to say that it has ended.
const exitWait = 10 * time.Second

// autopsy ends an analyzer that failed. When it had died, and a new one works, it says how.
func (h *Harvester) autopsy(ctx context.Context, failure error) (*sandbox.ExitError, error) {
	var exit *sandbox.ExitError
	if ctx.Err() == nil && h.process != nil && !errors.As(failure, &exit) {
		// A send fails before the end of the process is known.
		wait, cancel := context.WithTimeout(ctx, exitWait)
		for err := error(nil); err == nil; {
			_, err = h.process.Receive(wait)
			errors.As(err, &exit)
		}
		cancel()
	}
	closeErr := h.Close()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case exit == nil:
		return nil, failure
	case closeErr != nil:
		return nil, fmt.Errorf("end analyzer %s: %w", h.spec.Name, closeErr)
	}
	if err := h.probe(ctx); err != nil {
		return nil, fmt.Errorf("%w (it was started anew because of: %w)", err, failure)
	}
	return exit, nil
}

// probe makes sure that a new analyzer works: that it does not is no item's fault.
func (h *Harvester) probe(ctx context.Context) error {
	items := []Item{{Text: "def f():\n    pass\n", Entry: "f", Inputs: []Input{{}}}}
	result := &Result{}
	if _, err := h.analyze(ctx, items, result); err != nil {
		return errors.Join(fmt.Errorf("analyzer %s does not answer: %w", h.spec.Name, err), h.Close())
	}
	if len(result.Units) != 1 {
		return fmt.Errorf("analyzer %s finds nothing in a plain function", h.spec.Name)
	}
	return nil
}
