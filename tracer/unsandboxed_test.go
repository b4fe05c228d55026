//go:build linux

package tracer

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// Without a sandbox a server still ends what a program leaves, empties where it may write, and touches nothing else.
func TestUnsandboxed(t *testing.T) {
	bystander := filepath.Join(t.TempDir(), "bystander")
	if err := os.WriteFile(bystander, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	rt, err := sandbox.OpenUnsandboxed(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	limits := Limits{Wall: 2 * time.Second, CPU: time.Second, Memory: 64 << 20, Output: 1 << 16}
	tr := newTracer(t, rt, Options{Limits: limits, Differential: true, Determinism: DeterminismCheck})
	const leaves = "import os, select, sys\ndef f():\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            select.select([], [], [], 1000)\n        os._exit(0)\n    return 1\n"
	for _, test := range []struct {
		text string
		want schema.Status
	}{
		{total, schema.StatusOK},
		{leaves, schema.StatusOK},
		{"def f(*a):\n    while True:\n        pass\n", schema.StatusEventLimit},
		{"def f(*a):\n    return sum(range(10**11))\n", schema.StatusTimeout},
		{"def f(*a):\n    return 'x' * 10**9\n", schema.StatusMemoryLimit},
		{"import os\ndef f(*a):\n    os._exit(3)\n", schema.StatusExited},
		{"def f(*a):\n    open('mine', 'w').close()\n    return 1\n", schema.StatusOK},
		{"import os\ndef f(*a):\n    return os.listdir()\n", schema.StatusOK},
	} {
		call := "f([1, 2])"
		if test.text == leaves {
			call = "f()"
		}
		got := runAll(t, tr, []Job{program(test.text, call)})[0][0]
		if got.Status != test.want {
			t.Errorf("%s: %s (%s), want %s", test.text, got.Status, got.StatusDetail, test.want)
		}
		if got.Status == schema.StatusOK && got.Output == "['mine']" {
			t.Error("a file outlives its execution")
		}
		if n := len(below(os.Getpid())); n != 2 {
			t.Errorf("%s: %d processes, want two servers", test.text, n)
		}
	}
	if _, err := os.Stat(bystander); err != nil {
		t.Errorf("a file of somebody else: %v", err)
	}
}

// below are the processes that descend from one.
func below(root int) []int {
	var all []int
	for _, pid := range allPIDs() {
		if parent := procField(pid, "PPid"); parent == "\t"+strconv.Itoa(root) {
			all = append(append(all, pid), below(pid)...)
		}
	}
	return all
}
