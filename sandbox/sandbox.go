// Package sandbox runs a command where it can do no harm: a hardened process with framed stdio, and why it ended.
//
// An Image and a Spec go in, a Process comes out. A Process owns the goroutines that feed and drain it; they end
// when it is closed, and closing it leaves nothing of it behind. Cancelling the context of Start or Receive ends
// the wait, not the process: Close does that.
//
// The package knows nothing of Python programs or traces. What runs inside, and what its frames mean, is the
// business of its callers.
package sandbox

import (
	"context"
	"errors"
	"fmt"
)

// Spec is what to run.
type Spec struct {
	Name    string            // for messages and labels: "tracer-0"
	Command []string          // argv, as seen inside; the image's interpreter is at Image.Python
	Env     map[string]string // the whole environment
	Files   map[string][]byte // relative path -> content, put read-only under FilesDir
	Limits  Limits
}

// FilesDir is where a Spec's files are, inside.
const FilesDir = "/tracemill"

// Limits bound a whole sandbox. What runs inside sets tighter ones for its own children. A zero field takes the
// default, which says its reason.
type Limits struct {
	Memory int64   // bytes, swap included; default 1 GiB: a case's own limit, its server and the tmpfs
	PIDs   int64   // processes and threads; default 128: a fork bomb meets it at once, threads rarely
	CPUs   float64 // cores; default 1: more would only let a case steal from its neighbours
	Tmpfs  int64   // bytes of /tmp, counted in Memory; default 64 MiB
}

// MaxFrame bounds a frame in either direction, so that a forged length cannot exhaust memory.
const MaxFrame = 256 << 20

// Runtime starts processes from one image.
type Runtime interface {
	Name() string // "docker", "bwrap"
	Image() Image
	// Start waits for an engine that went away, for as long as a restart may take. Where it does not come back, or cannot be
	// used for another reason that the next Start would meet too, the error wraps ErrUnavailable.
	Start(ctx context.Context, spec Spec) (Process, error)
	// Close ends what is still running and removes what the runtime made, but for the image.
	Close() error
}

// Image is the file system that processes see. Its ID is part of a build's fingerprint.
type Image struct {
	Name    string // as asked for: "host", a reference, a tar's path
	ID      string // content digest
	Python  string // path of the interpreter inside
	Version string // its full version: "3.11.7"
}

// Process is a running sandbox. Its stdio carries frames: a little-endian uint32 length, then as many bytes.
// One goroutine may send while another receives.
type Process interface {
	// Send writes one frame. It blocks while the process does not read; ctx bounds the wait.
	Send(ctx context.Context, frame []byte) error
	// Receive returns the next frame; it is the caller's. Its error is an *ExitError when the process has ended.
	Receive(ctx context.Context) ([]byte, error)
	// Close kills whatever is left of the process and removes it. It is safe to call twice.
	Close() error
}

// ExitError says why a process ended, for one that was not asked to.
type ExitError struct {
	Name   string // the Spec's
	Code   int    // exit code; 137 for SIGKILL
	OOM    bool   // the kernel killed it, or one of its children, for memory
	Stderr string // the end of what it wrote to stderr
}

func (e *ExitError) Error() string {
	why := fmt.Sprintf("exit code %d", e.Code)
	if e.OOM {
		why += ", out of memory"
	}
	if e.Stderr != "" {
		why += ": " + e.Stderr
	}
	return fmt.Sprintf("sandbox %s ended: %s", e.Name, why)
}

// FromOutside says whether the end came from outside: an engine that restarted, an operator, a connection that was cut.
// Nothing in a sandbox can kill its first process: the kernel keeps SIGKILL from it, but for its own when memory is short, which
// is OOM. And a command that ends with its stdin, with 0, has lost it to somebody else while its Process is not closed.
func (e *ExitError) FromOutside() bool { return e.Code == 0 || e.Code == 137 && !e.OOM }

// ErrUnavailable is wrapped by errors that say that the runtime itself cannot be used: no engine, no permission.
var ErrUnavailable = errors.New("sandbox runtime unavailable")
