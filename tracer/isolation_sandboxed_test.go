package tracer

import (
	"slices"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// What a case does to its process is not seen by the next case of its function, whether it is put back or the next one gets
// another process.
func TestCasesThatShareAProcess(t *testing.T) { eachRuntime(t, testCasesThatShareAProcess) }

func testCasesThatShareAProcess(t *testing.T, rt sandbox.Runtime) {
	tests := []struct{ name, text string }{
		{"nothing", "def f(n):\n    return n"},
		{"module", "seen = []\ndef f(n):\n    seen.append(n)\n    return seen"},
		{"builtins", "import builtins\ndef f(n):\n    was = len('ab')\n    builtins.len = lambda x: -n\n    return was"},
		{"streams", "import sys, io\ndef f(n):\n    print('out', n)\n    sys.stdout = io.StringIO()\n    print('lost')\n    return n"},
		{"finalizer prints", "class C:\n    def __del__(self):\n        print('late')\ndef f(n):\n    global c\n    c = C()\n    c.c = c\n    print(n)"},
		{"environment", "import os\ndef f(n):\n    was = os.environ.get('SEEN')\n    os.environ['SEEN'] = '1'\n    return was"},
		{"directory", "import os\ndef f(n):\n    was = os.getcwd()\n    os.chdir('/')\n    return was"},
		{"recursion limit", "import sys\ndef f(n):\n    was = sys.getrecursionlimit()\n    sys.setrecursionlimit(n + 500)\n    return was"},
		{"random", "import random\ndef f(n):\n    return random.random()"},
		{"clock", "import time\ndef f(n):\n    return time.time()"},
		{"path", "import sys\ndef f(n):\n    was = list(sys.path)\n    sys.path.append('x')\n    return was"},
		{"file", "import os\ndef f(n):\n    was = os.listdir('.')\n    open('x%d' % n, 'w').close()\n    return was"},
		{"descriptor", "import os\ndef f(n):\n    return os.open('/dev/null', os.O_RDONLY)"},
		{"thread", "import threading, time\ndef f(n):\n    threading.Thread(target=lambda: [time.time() for _ in iter(int, 1)], daemon=True).start()\n    return threading.active_count()"},
		{"process", "import os, time\ndef f(n):\n    if os.fork() == 0:\n        while True: time.sleep(1)\n    return n"},
		{"orphan", "import os, time\ndef f(n):\n    if os.fork() == 0:\n        if os.fork() == 0:\n            while True: time.sleep(1)\n        os._exit(0)\n    os.wait()\n    return n"},
		{"signal handler", "import signal\ndef f(n):\n    return str(signal.signal(signal.SIGUSR1, signal.SIG_IGN))"},
		{"alarm", "import signal\ndef f(n):\n    return signal.alarm(5)"},
		{"umask", "import os\ndef f(n):\n    return os.umask(0o77)"},
		{"exit", "import os\ndef f(n):\n    if n == 1: os._exit(3)\n    return n"},
		{"raises", "def f(n):\n    raise ValueError(n)"},
		{"events without end", "def f(n):\n    while n == 1: pass\n    return n"},
		{"close everything", "import os\ndef f(n):\n    os.closerange(0, 300)\n    return n"},
		{"output of each", "import os, sys\ndef f(n):\n    if n != 2:\n        os.write(1, b'o%d' % n * 9000)\n        print('e', n, file=sys.stderr)\n    return n"},
		{"traces that fill the room", "def f(n):\n    for i in range(2500): s = str(i) * 100\n    return n"},
		{"stack", "def g(n): return g(n + 1)\ndef f(n):\n    try: g(0)\n    except RecursionError: return n"},
	}
	var jobs []Job
	for _, test := range tests {
		jobs = append(jobs, program(test.text+"\n", "f(1)", "f(2)", "f(3)"))
	}
	sharing := newTracer(t, rt, Options{})
	together := runAll(t, sharing, jobs)
	if n := sharing.Stats().Restarts; n != 0 {
		t.Errorf("%d servers were replaced", n)
	}
	alone := runAll(t, newTracer(t, rt, Options{Isolation: PerCase}), jobs)
	for i, test := range tests {
		for j, want := range alone[i] {
			if got := together[i][j]; got.ID != want.ID || got.Status != want.Status || string(got.Stdout) != string(want.Stdout) {
				t.Errorf("%s, case %d: %s (%s) %q, stdout %q, want %s (%s) %q, stdout %q", test.name, j+1,
					got.Status, got.StatusDetail, got.Output, got.Stdout, want.Status, want.StatusDetail, want.Output, want.Stdout)
			}
		}
	}
}

// What is not put back is found by the run in another order, and then each case has a process of its own.
func TestCasesThatDependOnEachOther(t *testing.T) { eachRuntime(t, testCasesThatDependOnEachOther) }

func testCasesThatDependOnEachOther(t *testing.T, rt sandbox.Runtime) {
	job := program("import decimal\ndef f(n):\n    decimal.getcontext().prec += n\n    return decimal.getcontext().prec\n", "f(1)", "f(2)", "f(3)")
	for _, test := range []struct {
		opts      Options
		outputs   []string
		separated int64
	}{
		{Options{}, []string{"29", "31", "34"}, 0}, // they do share
		{Options{Isolation: PerCase}, []string{"29", "30", "31"}, 0},
		{Options{Isolation: PerContainer}, []string{"29", "30", "31"}, 0},
		{Options{Determinism: DeterminismCheck}, []string{"29", "30", "31"}, 1},
		{Options{Determinism: DeterminismRequire, Differential: true}, []string{"29", "30", "31"}, 1},
	} {
		tr := newTracer(t, rt, test.opts)
		var outputs []string
		for _, trace := range runAll(t, tr, []Job{job})[0] {
			outputs = append(outputs, trace.Output)
			if trace.Status != schema.StatusOK {
				t.Errorf("%+v: %s (%s)", test.opts, trace.Status, trace.StatusDetail)
			}
		}
		if !slices.Equal(outputs, test.outputs) || tr.Stats().Separated != test.separated {
			t.Errorf("%+v: outputs %q, %d functions separated", test.opts, outputs, tr.Stats().Separated)
		}
	}
}
