package tracer

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
)

// missing skips a test for want of something that a machine may not have. In CI it has to be there.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("CI needs %s", what)
	}
	t.Skipf("needs %s", what)
}

// buildID labels what this process's tests start, apart from those of others on the same engine.
var buildID = "tracer-test-" + strings.ToLower(rand.Text()[:8])

// opener opens a runtime whose image is made from an interpreter of this machine, python3 where it is "".
type opener struct {
	name  string
	needs string // what a machine lacks where it cannot be opened
	open  func(ctx context.Context, python string, log func(string)) (sandbox.Runtime, error)
}

// openers are the runtimes that have to do the same.
var openers = []opener{
	{"docker", "a Docker engine", func(ctx context.Context, python string, log func(string)) (sandbox.Runtime, error) {
		return sandbox.OpenDocker(ctx, sandbox.DockerOptions{Image: "host", Python: python, BuildID: buildID, Log: log})
	}},
	{"bwrap", "bubblewrap", openBwrap(0)},
	{"bwrap as a user", "bubblewrap and user namespaces", openBwrap(65534)},
}

func openBwrap(user uint32) func(context.Context, string, func(string)) (sandbox.Runtime, error) {
	return func(ctx context.Context, python string, log func(string)) (sandbox.Runtime, error) {
		if err := os.MkdirAll(cacheDir, 0o755); err != nil {
			return nil, err
		}
		opts := sandbox.BwrapOptions{Python: python, CacheDir: cacheDir, Log: log}
		if os.Geteuid() == 0 {
			opts.User = user
		}
		return sandbox.OpenBwrap(ctx, opts)
	}
}

// cacheDir is for the root file systems of this process's tests, where every user can read them.
var cacheDir = filepath.Join(os.TempDir(), buildID)

// eachRuntime runs a test on every runtime, each a subtest that is skipped where the machine does not have it.
func eachRuntime(t *testing.T, test func(t *testing.T, rt sandbox.Runtime)) {
	for _, o := range openers {
		t.Run(o.name, func(t *testing.T) { test(t, o.openWith(t, "")) })
	}
}

// openRuntime opens the default runtime, for tests that are about something else.
func openRuntime(t testing.TB) sandbox.Runtime {
	t.Helper()
	return openers[0].openWith(t, "")
}

func (o opener) openWith(t testing.TB, python string) sandbox.Runtime {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	rt, err := o.open(ctx, python, func(s string) { t.Log(s) })
	if errors.Is(err, sandbox.ErrUnavailable) {
		missing(t, o.needs+": "+err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt
}
