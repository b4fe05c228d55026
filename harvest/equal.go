package harvest

import (
	"context"
	"fmt"
)

// EqualLiterals says whether two texts are Python literals of equal values, by Python's own ==. It is nil when one of
// them is no literal. An error is never the texts' fault.
func (h *Harvester) EqualLiterals(ctx context.Context, a, b string) (*bool, error) {
	frame, err := (&request{Equal: &[2]string{a, b}}).frame(nil)
	if err != nil {
		return nil, err
	}
	reply, err := h.exchange(ctx, frame)
	if err != nil {
		return nil, fmt.Errorf("compare literals: %w", err)
	}
	if reply == nil {
		return nil, nil // they bring the analyzer down, and cannot be compared
	}
	got, err := decodeAnswer(reply)
	if err != nil {
		return nil, nil
	}
	return got.Equal, nil
}

func (h *Harvester) ask(ctx context.Context, frame []byte) ([]byte, error) {
	if h.process == nil {
		if err := h.start(ctx); err != nil {
			return nil, err
		}
	}
	if err := h.process.Send(ctx, frame); err != nil {
		return nil, err
	}
	return h.receive(ctx)
}
