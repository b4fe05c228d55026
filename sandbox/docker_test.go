package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == orphanArg {
		orphan(os.Args[2], os.Args[3])
	}
	goleak.VerifyTestMain(m)
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

func openDocker(t testing.TB) *docker {
	t.Helper()
	return openWith(t, DockerOptions{Image: "host"})
}

func openWith(t testing.TB, opts DockerOptions) *docker {
	t.Helper()
	opts.BuildID, opts.Log = "test", func(s string) { t.Log(s) }
	r, err := OpenDocker(testContext(t), opts)
	if errors.Is(err, ErrUnavailable) {
		missing(t, "a Docker engine", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := r.(*docker)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func startScript(t testing.TB, d *docker, script string) Process {
	t.Helper()
	return startSpec(t, d, script, Spec{})
}

func startSpec(t testing.TB, d *docker, script string, spec Spec) Process {
	t.Helper()
	if spec.Name == "" {
		spec.Name = "test"
	}
	spec.Command = []string{d.Image().Python, "-I", "-S", FilesDir + "/main.py"}
	spec.Files = map[string][]byte{"main.py": []byte(script)}
	p, err := d.Start(testContext(t), spec)
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

func TestEcho(t *testing.T) {
	d := openDocker(t)
	p := startScript(t, d, echo)
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
