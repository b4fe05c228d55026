package harvest

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracemill/tracemill/sandbox"
)

// EqualLiterals says whether two texts are Python literals of equal values, by Python's own ==. It is nil when one of
// them is no literal. An error is never the texts' fault.
func (h *Harvester) EqualLiterals(ctx context.Context, a, b string) (*bool, error) {
	frame, err := (&request{Equal: &[2]string{a, b}}).frame(nil)
	if err != nil {
		return nil, err
	}
	if h.process == nil {
		if err := h.start(ctx); err != nil {
			return nil, err
		}
	}
	if err := h.process.Send(ctx, frame); err != nil {
		return nil, fmt.Errorf("compare literals: %w", err)
	}
	reply, err := h.process.Receive(ctx)
	var exit *sandbox.ExitError
	if errors.As(err, &exit) {
		// The texts brought the analyzer down: they cannot be compared, and the next request starts another.
		return nil, h.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compare literals: %w", err)
	}
	got, err := decodeAnswer(reply)
	if err != nil {
		return nil, nil
	}
	return got.Equal, nil
}
