//go:build linux

package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func openUnsandboxed(t *testing.T) *unsandboxed {
	t.Helper()
	r, err := OpenUnsandboxed(testContext(t), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r.(*unsandboxed)
}

// TestUnsandboxed: what is no matter of isolation is as in a sandbox.
func TestUnsandboxed(t *testing.T) {
	v := variant{Runtime: openUnsandboxed(t)}
	for name, test := range map[string]func(*testing.T, variant){
		"echo": testEcho, "big frame": testBigFrame, "send too large": testSendTooLarge, "forged length": testForgedLength, "cancel": testCancel,
		"send is cut": testSendIsCut, "close": testClose, "nobody receives": testNobodyReceives, "start cancelled": testStartCancelled, "bad spec": testBadSpec,
	} {
		t.Run(name, func(t *testing.T) { test(t, v) })
	}
}

// Closing a process ends what descends from it, and leaves no file.
func TestUnsandboxedLeavesNothing(t *testing.T) {
	u := openUnsandboxed(t)
	before := len(descendants(os.Getpid()))
	p := startScript(t, u, say+`
import time
place = os.environ["`+PlaceVariable+`"]
os.makedirs(place + "/closed/inner")
open(place + "/closed/inner/file", "w").close()
os.chmod(place + "/closed", 0)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        time.sleep(999)
say(place)
time.sleep(999)
`)
	var place string
	receiveJSON(t, p, &place)
	if n := len(descendants(os.Getpid())) - before; n != 4 {
		t.Errorf("%d processes", n)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if n := len(descendants(os.Getpid())) - before; n != 0 {
		t.Errorf("%d processes are left", n)
	}
	if left, _ := filepath.Glob(u.dir + "/*"); len(left) > 0 || !strings.HasPrefix(place, u.dir) {
		t.Errorf("left of %s: %v", place, left)
	}
}

// What outlives the command, and is nobody's descendant any more, is found too.
func TestUnsandboxedOrphans(t *testing.T) {
	u := openUnsandboxed(t)
	p := startScript(t, u, say+`
import time
pid = os.fork()
if pid == 0:
    os.setsid()
    os.close(0), os.close(1), os.close(2)
    time.sleep(999)
say(pid)
os._exit(0)
`)
	var pid int
	receiveJSON(t, p, &pid)
	if _, err := p.Receive(testContext(t)); err == nil {
		t.Fatal("it goes on")
	}
	if startOf(pid) == "" {
		t.Fatal("the orphan ended by itself")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if startOf(pid) != "" {
		t.Error("the orphan lives")
	}
}
