//go:build !linux

package sandbox

import (
	"context"
	"fmt"
	"runtime"
)

// OpenBwrap fails: bubblewrap is made of Linux's namespaces.
func OpenBwrap(context.Context, BwrapOptions) (Runtime, error) {
	return nil, fmt.Errorf("bwrap: %w: there is none on %s; use runtime docker", ErrUnavailable, runtime.GOOS)
}

// OpenUnsandboxed fails: it tells processes apart by what only Linux has.
func OpenUnsandboxed(context.Context, string) (Runtime, error) {
	return nil, fmt.Errorf("%s: %w: there is none on %s; use runtime docker", Unsandboxed, ErrUnavailable, runtime.GOOS)
}
