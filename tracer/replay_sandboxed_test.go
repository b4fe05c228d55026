package tracer

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// Programs that change their process: what sessions of it report when they share one, and when they do not.
func TestReplayShared(t *testing.T) { eachRuntime(t, testReplayShared) }

func testReplayShared(t *testing.T, rt sandbox.Runtime) {
	limits := Limits{Wall: 2 * time.Second, CPU: 2 * time.Second, Bytes: 2 << 20}
	tr := newTracer(t, rt, Options{Limits: limits})
	for _, test := range []struct {
		name, program string
		shared        []string // the locals at the stop after two steps, session by session
		together      int      // sessions that shared a process
		alone         string   // the same of each session that was alone
	}{
		{"nothing", "def f():\n    x = 1\n    return x\n", []string{"x=1", "x=1", "x=1"}, 3, "x=1"},
		{"counter in the library", "import sys\ndef f():\n    x = sys.count = getattr(sys, 'count', 0) + 1\n    return x\n",
			[]string{"x=1", "x=2", "x=3"}, 3, "x=1"},
		{"moves on from where it was", "import os, random, time\ndef f():\n    x = time.time_ns() % 1000007, random.randrange(10**6), os.urandom(2), random.Random().randrange(10**6)\n    return x\n",
			nil, 3, ""},
		{"builtins and streams", "import builtins, sys\ndef f():\n    x = hasattr(builtins, 'mine'), sys.stdout is None\n    builtins.mine = 1\n    sys.stdout = None\n    return x\n",
			[]string{"x=(False, False)", "x=(False, False)", "x=(False, False)"}, 3, "x=(False, False)"},
		{"module is fresh", "n = []\ndef f():\n    x = n.append(1) or len(n)\n    return x\n", []string{"x=1", "x=1", "x=1"}, 3, "x=1"},
		{"ends the process", "import os\ndef f():\n    x = 1\n    os._exit(3)\n", []string{"x=1", "x=1", "x=1"}, 1, "x=1"},
		{"does not end", "def f():\n    x = 1\n    while True:\n        pass\n", []string{"x=1", "x=1", "x=1"}, 1, "x=1"},
		{"leaves a thread", "import threading\ndef f():\n    x = threading.active_count()\n    threading.Thread(target=threading.Event().wait, daemon=True).start()\n    return x\n",
			[]string{"x=1", "x=1", "x=1"}, 2, "x=1"},
		{"forks", "import os\ndef f():\n    x = 1\n    if os.fork():\n        os.wait()\n    return x\n", []string{"x=1", "x=1", "x=1"}, 3, "x=1"},
	} {
		job := program(test.program, "f()")
		session := Session{
			Function: job.Function, Call: "f()", Debugger: DebuggerPDB, Start: 1, // main, which the wrapper makes, comes first
			Actions: []schema.Action{{Kind: schema.StepInto}, {Kind: schema.StepInto}},
		}
		sessions := []Session{session, session, session}
		shared, err := tr.Replay(t.Context(), sessions)
		if err != nil {
			t.Fatal(err)
		}
		for i := range sessions {
			sessions[i].Alone = true
		}
		alone, err := tr.Replay(t.Context(), sessions)
		if err != nil {
			t.Fatal(err)
		}
		together, got, single := 0, []string{}, []string{}
		for i := range sessions {
			if shared[i].Shared {
				together++
			}
			got, single = append(got, lastLocals(&shared[i])), append(single, lastLocals(&alone[i]))
			if alone[i].Shared || shared[i].End != EndExhausted || alone[i].End != EndExhausted || len(shared[i].Stops) != 3 {
				t.Errorf("%s: session %d ends %s %s, alone %s %s", test.name, i, shared[i].End, shared[i].Detail, alone[i].End, alone[i].Detail)
			}
		}
		if test.shared == nil {
			test.shared, test.alone = single, single[0]
		}
		if together != test.together || !slices.Equal(got, test.shared) {
			t.Errorf("%s: %d sessions together, locals %v, want %d, %v", test.name, together, got, test.together, test.shared)
		}
		if !slices.Equal(single, []string{test.alone, test.alone, test.alone}) {
			t.Errorf("%s: alone, locals %v, want %s", test.name, single, test.alone)
		}
	}
}

func lastLocals(r *Replayed) string {
	if len(r.Stops) == 0 {
		return "no stop"
	}
	return fmt.Sprintf("x=%s", r.Stops[len(r.Stops)-1].Locals["x"])
}
