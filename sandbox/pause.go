package sandbox

import (
	"context"
	"time"
)

// Backoff is the delay after the nth failure in a row of what is tried again: 0.1 s, 0.4 s, 1.6 s, and then 6.4 s each.
func Backoff(n int) time.Duration { return 100 * time.Millisecond << (2 * min(n-1, 3)) }

// Pause waits, or says why ctx has ended.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
