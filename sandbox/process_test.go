package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/moby/moby/client"
)

func TestBigFrame(t *testing.T) { eachRuntime(t, testBigFrame) }

func testBigFrame(t *testing.T, r variant) {
	p := startScript(t, r, echo)
	frame := bytes.Repeat([]byte("0123456789abcdef"), 4<<20)
	sent := make(chan error, 1)
	go func() { sent <- p.Send(testContext(t), frame) }()
	got, err := p.Receive(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, frame) {
		t.Fatalf("64 MiB came back as %d bytes, or changed", len(got))
	}
}

func TestSendTooLarge(t *testing.T) { eachRuntime(t, testSendTooLarge) }

func testSendTooLarge(t *testing.T, r variant) {
	p := startScript(t, r, echo)
	if err := p.Send(testContext(t), make([]byte, MaxFrame+1)); err == nil {
		t.Fatal("a frame larger than MaxFrame was sent")
	}
	if err := p.Send(testContext(t), []byte("x")); err != nil {
		t.Fatalf("after a frame that was refused: %v", err)
	}
}

func TestEnds(t *testing.T) { eachRuntime(t, testEnds) }

func testEnds(t *testing.T, r variant) {
	for _, test := range []struct {
		name, script string
		limits       Limits
		frames       int
		want         ExitError
		ungrouped    *ExitError // where no control group limits the whole
	}{
		{name: "returned", script: say + "say(1)", frames: 1, want: ExitError{Code: 0}},
		{name: "exit code", script: "raise SystemExit(7)", want: ExitError{Code: 7}},
		{name: "traceback", script: "1/0", want: ExitError{Code: 1, Stderr: "ZeroDivisionError: division by zero"}},
		{name: "stderr flood", script: "import sys\nfor i in range(300000): print('line', i, file=sys.stderr)\nsys.exit(3)",
			want: ExitError{Code: 3, Stderr: "line 299999"}},
		{name: "cut frame", script: "import sys\nsys.stdout.buffer.write(b'\\xff\\0\\0\\0half')\nsys.stdout.flush()\nsys.exit(4)",
			want: ExitError{Code: 4}},
		{name: "not utf-8", script: "import os\nos.write(2, b'\\xff!')\nos._exit(5)", want: ExitError{Code: 5, Stderr: "\ufffd!"}},
		{name: "memory", script: "a = []\nwhile True: a.append(bytearray(1 << 20))", limits: Limits{Memory: 64 << 20},
			want: ExitError{Code: 137, OOM: true}, ungrouped: &ExitError{Code: 1, Stderr: "MemoryError"}},
		{name: "memory by tmpfs", script: "f = open('/tmp/x', 'wb')\nwhile True: f.write(bytes(1 << 20))",
			limits: Limits{Memory: 64 << 20, Tmpfs: 256 << 20}, want: ExitError{Code: 137, OOM: true},
			ungrouped: &ExitError{Code: 1, Stderr: "No space left on device"}},
		{name: "tmpfs full", script: "f = open('/tmp/x', 'wb')\nwhile True: f.write(bytes(1 << 20))",
			limits: Limits{Tmpfs: 8 << 20}, want: ExitError{Code: 1, Stderr: "No space left on device"}},
		{name: "thread bomb", script: "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
			limits: Limits{PIDs: 32}, want: ExitError{Code: 1, Stderr: "can't start new thread"}},
	} {
		if !r.groups && test.ungrouped != nil {
			test.want = *test.ungrouped
		}
		t.Run(test.name, func(t *testing.T) {
			p := startSpec(t, r, test.script, Spec{Name: test.name, Limits: test.limits})
			for range test.frames {
				if _, err := p.Receive(testContext(t)); err != nil {
					t.Fatal(err)
				}
			}
			_, err := p.Receive(testContext(t))
			var got *ExitError
			if !errors.As(err, &got) {
				t.Fatalf("ended with %v, want an ExitError", err)
			}
			if got.Name != test.name || got.Code != test.want.Code || got.OOM != test.want.OOM || !strings.HasSuffix(got.Stderr, test.want.Stderr) {
				t.Errorf("ended with %+v, want %+v", got, test.want)
			}
			if len(got.Stderr) > tailSize {
				t.Errorf("kept %d bytes of stderr", len(got.Stderr))
			}
			if _, again := p.Receive(testContext(t)); again != err {
				t.Errorf("then %v", again)
			}
		})
	}
}

func TestForgedLength(t *testing.T) { eachRuntime(t, testForgedLength) }

func testForgedLength(t *testing.T, r variant) {
	for name, script := range map[string]string{
		"too large": "import os, time\nos.write(1, b'\\xff\\xff\\xff\\xff')\ntime.sleep(999)",
		"a print":   "print('hello from a program that owns stdout', flush=True)\nimport time; time.sleep(999)",
	} {
		t.Run(name, func(t *testing.T) {
			p := startScript(t, r, script)
			_, err := p.Receive(testContext(t))
			if !errors.Is(err, errFrame) {
				t.Fatalf("got %v, want %v", err, errFrame)
			}
		})
	}
}

func TestCancel(t *testing.T) { eachRuntime(t, testCancel) }

func testCancel(t *testing.T, r variant) {
	p := startScript(t, r, echo)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Receive(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("receive: %v", err)
	}
	if err := p.Send(ctx, []byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("send: %v", err)
	}
	// A wait that was given up costs nothing: the process goes on.
	if err := p.Send(testContext(t), []byte("still here")); err != nil {
		t.Fatal(err)
	}
	got, err := p.Receive(testContext(t))
	if err != nil || string(got) != "still here" {
		t.Fatalf("then received %q, %v", got, err)
	}
}

func TestSendIsCut(t *testing.T) { eachRuntime(t, testSendIsCut) }

func testSendIsCut(t *testing.T, r variant) {
	p := startScript(t, r, say+"import time\nos.read(0, 4)\nsay('begun')\ntime.sleep(999)")
	ctx, cancel := context.WithCancel(context.Background())
	sent := make(chan error, 1)
	go func() { sent <- p.Send(ctx, make([]byte, 64<<20)) }()
	var begun string
	receiveJSON(t, p, &begun)
	// Some of it is on its way when a second sender has to wait.
	short, stop := context.WithTimeout(context.Background(), 1)
	defer stop()
	if err := p.Send(short, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("second send: %v", err)
	}
	cancel()
	if err := <-sent; !errors.Is(err, context.Canceled) {
		t.Fatalf("send: %v", err)
	}
	if err := p.Send(testContext(t), []byte("x")); err == nil || !strings.Contains(err.Error(), "only in part") {
		t.Fatalf("after half a frame: %v", err)
	}
}

func TestClose(t *testing.T) { eachRuntime(t, testClose) }

func testClose(t *testing.T, r variant) {
	p := startScript(t, r, "import time\ntime.sleep(999)")
	var waits sync.WaitGroup
	waits.Go(func() {
		if _, err := p.Receive(testContext(t)); !errors.Is(err, os.ErrClosed) {
			t.Errorf("receive: %v", err)
		}
	})
	waits.Go(func() {
		if err := p.Send(testContext(t), make([]byte, 64<<20)); !errors.Is(err, os.ErrClosed) {
			t.Errorf("send: %v", err)
		}
	})
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	waits.Wait()
	if err := p.Send(testContext(t), nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("send after close: %v", err)
	}
}

// TestNobodyReceives closes a process that is blocked because its frames are not taken.
func TestNobodyReceives(t *testing.T) { eachRuntime(t, testNobodyReceives) }

func testNobodyReceives(t *testing.T, r variant) {
	p := startScript(t, r, say+"while True: say('x' * 100000)")
	if _, err := p.Receive(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestRuntimeClose(t *testing.T) {
	d := openWith(t, DockerOptions{Image: imageHost})
	for range 3 {
		startSpec(t, d, "main.py", Spec{Files: map[string][]byte{"main.py": []byte("import time\ntime.sleep(999)")}})
	}
	// What was started by somebody who was interrupted in between.
	if _, err := d.api.ContainerCreate(testContext(t), client.ContainerCreateOptions{
		Config: d.config(d.root, Spec{Name: "lost", Command: []string{"/x"}}),
	}); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	check := openDocker(t)
	mine := client.Filters{}.Add("label", labelRuntime+"="+d.id)
	containers, err := check.api.ContainerList(testContext(t), client.ContainerListOptions{All: true, Filters: mine})
	if err != nil || len(containers.Items) != 0 {
		t.Errorf("%d containers left, %v", len(containers.Items), err)
	}
	volumes, err := check.api.VolumeList(testContext(t), client.VolumeListOptions{Filters: mine})
	if err != nil || len(volumes.Items) != 0 {
		t.Errorf("%d volumes left, %v", len(volumes.Items), err)
	}
	if _, err := d.Start(testContext(t), Spec{Name: "late", Command: []string{d.image.Python}}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("start after close: %v", err)
	}
}

func TestStartCancelled(t *testing.T) { eachRuntime(t, testStartCancelled) }

func testStartCancelled(t *testing.T, r variant) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Start(ctx, Spec{Name: "x", Command: []string{r.Image().Python}, Files: map[string][]byte{"a": nil}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestBadSpec(t *testing.T) { eachRuntime(t, testBadSpec) }

func testBadSpec(t *testing.T, r variant) {
	python := []string{r.Image().Python}
	for name, spec := range map[string]Spec{
		"absolute path":  {Name: "x", Command: []string{"python3"}},
		"clean relative": {Name: "x", Command: python, Files: map[string][]byte{"../etc/passwd": nil}},
		"environment":    {Name: "x", Command: python, Env: map[string]string{"A=B": "C"}},
		"no such file":   {Name: "x", Command: []string{"/no/such/program"}},
	} {
		if _, err := r.Start(testContext(t), spec); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
