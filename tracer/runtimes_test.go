package tracer

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
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
}

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

// processesOf lists what runs in the sandboxes that this process's tests started with a runtime, as it is seen from outside.
func processesOf(t *testing.T, rt sandbox.Runtime) []string {
	t.Helper()
	var all []string
	switch rt.Name() {
	case "docker":
		all = containerProcesses(t)
	default:
		t.Fatalf("cannot look into %s", rt.Name())
	}
	if len(all) == 0 {
		t.Errorf("no process of a sandbox is seen in %s", rt.Name())
	}
	return all
}

func containerProcesses(t *testing.T) []string {
	t.Helper()
	if _, err := exec.LookPath("docker"); err != nil {
		missing(t, "the docker command")
	}
	docker := func(args ...string) []string {
		out, err := exec.CommandContext(t.Context(), "docker", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("docker %v: %v: %s", args, err, out)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	var all []string
	for _, id := range docker("ps", "-q", "--filter", "label=tracemill.build="+buildID) {
		if id != "" {
			all = append(all, docker("top", id, "-o", "pid,args")[1:]...)
		}
	}
	return all
}
