package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == orphanArg {
		orphan(os.Args[2], os.Args[3])
	}
	code := m.Run()
	if err := closeShared(); err != nil {
		fmt.Fprintln(os.Stderr, "close the shared runtimes:", err)
		code = 1
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// shared is the runtime of all tests that do not change it; opening one takes longer than most of them.
var shared struct {
	sync.Once
	d   *docker
	err error
}

// echo answers every frame with itself, and ends with its stdin, as a server should.
const echo = `
import struct, sys
i, o = sys.stdin.buffer, sys.stdout.buffer
while True:
    head = i.read(4)
    if len(head) < 4:
        break
    o.write(head + i.read(struct.unpack("<I", head)[0]))
    o.flush()
`

// say defines what test programs use to send one frame of JSON.
const say = `
import json, os, struct, sys
def say(x):
    b = json.dumps(x).encode()
    sys.stdout.buffer.write(struct.pack("<I", len(b)) + b)
    sys.stdout.buffer.flush()
`

func testContext(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// missing skips a test for want of something, but not in CI, where everything must be there.
func missing(t testing.TB, what string, err error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is needed in CI: %v", what, err)
	}
	t.Skipf("needs %s: %v", what, err)
}

func sharedDocker() (*docker, error) {
	shared.Do(func() {
		var r Runtime
		if r, shared.err = OpenDocker(context.Background(), DockerOptions{Image: imageHost, BuildID: "test"}); shared.err == nil {
			shared.d = r.(*docker)
		}
	})
	return shared.d, shared.err
}

func openDocker(t testing.TB) *docker {
	t.Helper()
	d, err := sharedDocker()
	requireDocker(t, err)
	return d
}

func requireDocker(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ErrUnavailable) {
		missing(t, "a Docker engine", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func openWith(t testing.TB, opts DockerOptions) *docker {
	t.Helper()
	opts.BuildID, opts.Log = "test", func(s string) { t.Log(s) }
	r, err := OpenDocker(testContext(t), opts)
	requireDocker(t, err)
	d := r.(*docker)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func startScript(t testing.TB, r Runtime, script string) Process {
	t.Helper()
	return startSpec(t, r, script, Spec{})
}

// startSpec runs script, which is a name if the spec has files.
func startSpec(t testing.TB, r Runtime, script string, spec Spec) Process {
	t.Helper()
	if spec.Name == "" {
		spec.Name = "test"
	}
	spec.Command = []string{r.Image().Python, "-I", "-S", "-c", script}
	if len(spec.Files) > 0 {
		spec.Command = append(spec.Command[:3], FilesDir+"/"+script)
	}
	p, err := r.Start(testContext(t), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func receiveJSON(t testing.TB, p Process, into any) {
	t.Helper()
	frame, err := p.Receive(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(frame, into); err != nil {
		t.Fatalf("%v: %s", err, frame)
	}
}

func TestEcho(t *testing.T) { eachRuntime(t, testEcho) }

func testEcho(t *testing.T, r variant) {
	p := startSpec(t, r, "bin/echo.py", Spec{Files: map[string][]byte{"bin/echo.py": []byte(echo), "data": nil}})
	for _, frame := range []string{"", "a", "hello", strings.Repeat("x", 100_000)} {
		if err := p.Send(testContext(t), []byte(frame)); err != nil {
			t.Fatal(err)
		}
		got, err := p.Receive(testContext(t))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != frame {
			t.Fatalf("sent %d bytes, received %d", len(frame), len(got))
		}
	}
}
