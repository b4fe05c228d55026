package tracer

import (
	"strings"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// Programs whose behaviour depends on what a case must not depend on. Python versions differ in what watching changes.
func TestGuardedPrograms(t *testing.T) { eachRuntime(t, testGuardedPrograms) }

func testGuardedPrograms(t *testing.T, rt sandbox.Runtime) {
	locals := schema.StatusPerturbed
	if v := rt.Image().Version; strings.HasPrefix(v, "3.13.") || strings.HasPrefix(v, "3.14.") {
		locals = schema.StatusOK
	}
	tests := []struct {
		name, text, call string
		want             schema.Status
		detail           string
	}{
		{"pure", total, "f([1, 2])", schema.StatusOK, ""},
		{"raises the same each time", "def f():\n    raise ValueError('no')\n", "f()", schema.StatusException, "ValueError: no"},
		{"iterates over locals()", "def f(a, b):\n    ret = {}\n    for k, v in locals().items():\n        ret[k] = v\n    return ret\n", "f(1, 2)", locals, ""},
		{"asks whether it is traced", "import sys\ndef f():\n    return sys.gettrace() is None\n", "f()", schema.StatusPerturbed, "output = "},
		{"prints whether it is traced", "import sys\ndef f():\n    print(sys.gettrace() is None)\n", "f()", schema.StatusPerturbed, "stdout"},
		{"tells its argument whether it is traced", "import sys\ndef f(x):\n    x.append(sys.gettrace() is None)\n", "f([])", schema.StatusPerturbed, "arguments after the call"},
		{"fills a set", "def f(x):\n    x.update('abcdef')\n", "f(set())", schema.StatusOK, ""},
		{"sorts its argument", "def f(x):\n    x.sort()\n", "f([2, 1])", schema.StatusOK, ""},
		{"order of a set of strings", "def f():\n    return [s for s in {'a', 'b', 'c', 'd', 'e', 'f'}]\n", "f()", schema.StatusNondeterministic, "two runs differ: "},
		{"hash of a string", "def f():\n    x = hash('a')\n    return 1\n", "f()", schema.StatusNondeterministic, "line 3: x = "},
		{"id", "def f():\n    x = id([])\n    return x\n", "f()", schema.StatusNondeterministic, ": x = "},
		{"clock", "import time\ndef f():\n    return time.time()\n", "f()", schema.StatusNondeterministic, "two runs differ: "},
		{"process id", "import os\ndef f():\n    return os.getpid()\n", "f()", schema.StatusNondeterministic, "two runs differ: "},
		{"entropy of the system", "def f():\n    with open('/dev/urandom', 'rb') as r:\n        return r.read(8)\n", "f()", schema.StatusNondeterministic, "two runs differ: "},
		{"seeded random", "import random\ndef f():\n    return random.random()\n", "f()", schema.StatusOK, ""},
		{"elapsed time", "import time\ndef f():\n    t = time.monotonic()\n    return time.monotonic() - t < 100\n", "f()", "", ""},
		{"a file does not outlive its execution", "import os\ndef f():\n    seen = os.path.exists('/tmp/case/seen')\n    open('/tmp/case/seen', 'w').close()\n    return seen\n", "f()", schema.StatusOK, ""},
	}
	for _, determinism := range []Determinism{DeterminismOff, DeterminismRequire} {
		on := determinism == DeterminismRequire
		tr := newTracer(t, rt, Options{Determinism: determinism, Differential: on})
		var jobs []Job
		for _, test := range tests {
			jobs = append(jobs, program(test.text, test.call))
		}
		all := runAll(t, tr, jobs)
		for i, test := range tests {
			got := all[i][0]
			if !on {
				if !got.Status.Usable() || got.Deterministic != "unchecked" {
					t.Errorf("%s: %s (%s), %s, without guards", test.name, got.Status, got.StatusDetail, got.Deterministic)
				}
				continue
			}
			t.Logf("%s: %s (%s) %v", test.name, got.Status, got.StatusDetail, got.Notes)
			if test.want != "" && got.Status != test.want || !strings.Contains(got.StatusDetail, test.detail) {
				t.Errorf("%s: %s (%s), want %s (%s)", test.name, got.Status, got.StatusDetail, test.want, test.detail)
			}
			if got.Status.Usable() && got.Deterministic != "checked" {
				t.Errorf("%s: %s", test.name, got.Deterministic)
			}
		}
		if guards := tr.Stats().Guards; (guards == 0) == on {
			t.Errorf("%d executions for guards", guards)
		}
	}
}
