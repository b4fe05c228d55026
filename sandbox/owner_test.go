package sandbox

import (
	"os"
	"os/exec"
	"testing"
)

func TestOwner(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("needs /proc: elsewhere nobody is ever taken for dead")
	}
	me := self()
	if back := ownerOf(me.labels()); back != me {
		t.Fatalf("%+v came back from its labels as %+v", me, back)
	}
	// A living process with another pid than ours, and a dead one.
	sleeper := exec.Command("sleep", "60")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	other := me
	other.pid, other.start = sleeper.Process.Pid, startOf(sleeper.Process.Pid)
	if other.start == "" || other.isDead(me) {
		t.Errorf("a living process is dead: %+v", other)
	}
	_ = sleeper.Process.Kill()
	_ = sleeper.Wait()
	if !other.isDead(me) {
		t.Errorf("a dead process is alive: %+v", other)
	}

	boot := me.boot
	for name, test := range map[string]struct {
		change     func(*owner)
		dead, past bool
	}{
		"this process":           {func(o *owner) {}, false, false},
		"its pid, reused":        {func(o *owner) { o.start = "1" }, true, false},
		"its pid, unknown start": {func(o *owner) { o.start = "" }, false, false},
		"no pid":                 {func(o *owner) { o.pid = 0 }, false, false},
		"no labels":              {func(o *owner) { *o = ownerOf(nil) }, false, false},
		"another machine":        {func(o *owner) { o.host, o.start = "other/id", "1" }, false, false},
		"another pid namespace":  {func(o *owner) { o.boot, o.start = boot+"x", "1" }, false, false},
		"an earlier boot":        {func(o *owner) { o.boot = "other/ns" }, false, true},
		"another's earlier boot": {func(o *owner) { o.host, o.boot = "other/id", "other/ns" }, false, false},
	} {
		o := me
		test.change(&o)
		if dead, past := o.isDead(me), o.isPast(me); dead != test.dead || past != test.past {
			t.Errorf("%s: dead %t, past %t, want %t, %t", name, dead, past, test.dead, test.past)
		}
	}
}
