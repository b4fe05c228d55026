package sandbox

import (
	"cmp"
	_ "embed"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/inside.py
var inside string

// facts is what testdata/inside.py finds out.
type facts struct {
	Status     map[string]string // of /proc/self/status, of PID 1
	Child      map[string]string // the same of a child that became nobody
	PID        int
	Env        map[string]string
	Interfaces []string
	Connect    string
	Hostname   string
	Writable   []string // directories and files that nobody can write to
	RootWrites []string // places where root could write
	Files      map[string]string
	PIDs       string
	Memory     string
	Limits     map[string][2]int
	Mounts     map[string]string
	SysV       string
	SysVMax    string
	Reached    []string // of PID 1, by the child
	Killed     bool
	UIDMap     string
}

// hardened is what differs between the runtimes.
type hardened struct {
	caps, bounding, ambient string // of the server
	child                   string // the user of its children
	pids, memory            string // limits of the whole, as seen inside
	segments                string // of System V memory that there may be
	tmp                     []string
}

const (
	noCaps  = "0000000000000000"
	changes = "00000000000000e0" // KILL, SETGID, SETUID
)

// hardenedAs gives what is to be found. What bubblewrap gives to root, it gives as ambient capabilities, and it leaves
// the bounding set as it is: no-new-privileges makes it one of nothing.
func hardenedAs(t *testing.T, r variant, p Process) hardened {
	want := hardened{
		caps: changes, bounding: changes, ambient: noCaps, child: "65534", pids: "40", memory: "134217728", segments: "0",
		tmp: []string{"noexec", "nosuid", "nodev", "size=65536k"},
	}
	if r.Name() == "docker" {
		return want
	}
	want.bounding, want.ambient = firstField(t, "/proc/self/status", "CapBnd:"), changes
	want.segments = firstLine("/proc/sys/kernel/shmmni")
	want.pids, want.memory = "", ""
	if r.user {
		want.caps, want.bounding, want.ambient, want.child = noCaps, noCaps, noCaps, insideUser
	}
	if g := p.(*process).keeper.(*bwrapped).cgroup; r.groups {
		pids := firstLine(filepath.Join(cmp.Or(g.dirs[""], g.dirs[cgroupPIDs]), "pids.max"))
		memory := filepath.Join(g.dirs[cgroupMemory], "memory.limit_in_bytes")
		if dir := g.dirs[""]; dir != "" {
			memory = filepath.Join(dir, "memory.max")
		}
		if limit := firstLine(memory); limit != "134217728" || pids != "41" {
			t.Errorf("the control group's limits: memory %q, pids %q", limit, pids)
		}
	}
	return want
}

func firstField(t *testing.T, file, key string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, key); ok {
			return strings.TrimSpace(value)
		}
	}
	t.Fatalf("%s has no %s", file, key)
	return ""
}

func TestHardening(t *testing.T) { eachRuntime(t, testHardening) }

func testHardening(t *testing.T, r variant) {
	p := startSpec(t, r, "main.py", Spec{
		Files:  map[string][]byte{"main.py": []byte(inside)},
		Env:    map[string]string{"LC_ALL": "C.UTF-8"},
		Limits: Limits{Memory: 128 << 20, PIDs: 40},
	})
	var got facts
	want := hardenedAs(t, r, p)
	receiveJSON(t, p, &got)

	equal := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	equal("pid", got.PID, 1)
	environment := map[string]string{"HOME": "/tmp", "LC_ALL": "C.UTF-8"}
	if r.Name() == "bwrap" {
		environment["PWD"] = "/" // bubblewrap's own; the shim takes it away
	}
	equal("environment", got.Env, environment)
	equal("interfaces", got.Interfaces, []string{"lo"})
	equal("connect", got.Connect, "Network is unreachable")
	equal("hostname", got.Hostname, "tracemill")
	equal("capabilities", got.Status["CapEff"], want.caps)
	equal("permitted", got.Status["CapPrm"], want.caps)
	equal("bounding", got.Status["CapBnd"], want.bounding)
	equal("ambient", got.Status["CapAmb"], want.ambient)
	equal("no new privileges", got.Status["NoNewPrivs"], "1")
	equal("seccomp", got.Status["Seccomp"], "2")
	equal("child's capabilities", got.Child["CapEff"], "0000000000000000")
	equal("child's user", got.Child["Uid"], strings.Repeat("\t"+want.child, 4)[1:])
	equal("child's groups", got.Child["Groups"], "")
	equal("reached of PID 1", got.Reached, []string{})
	equal("child was killed by PID 1", got.Killed, true)
	equal("writable to the child", got.Writable, []string{"/tmp"})
	equal("writable to root", got.RootWrites, []string{"/tmp"})
	equal("files", got.Files, map[string]string{"main.py": "0o444"})
	equal("pids", got.PIDs, want.pids)
	equal("memory", got.Memory, want.memory)
	equal("core files", got.Limits["core"], [2]int{0, 0})
	equal("open files", got.Limits["nofile"], [2]int{maxOpenFiles, maxOpenFiles})
	equal("System V memory", got.SysV, "Operation not permitted")
	equal("System V segments that there may be", got.SysVMax, want.segments)
	for _, option := range want.tmp {
		if !slices.Contains(strings.Split(got.Mounts["/tmp"], ","), option) {
			t.Errorf("/tmp is mounted with %s, without %s", got.Mounts["/tmp"], option)
		}
	}
	fixed := []string{"/", FilesDir, "/dev"}
	if r.Name() == "bwrap" {
		for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
			fixed = append(fixed, "/dev/"+name)
		}
	}
	for _, path := range fixed {
		if !slices.Contains(strings.Split(got.Mounts[path], ","), "ro") {
			t.Errorf("%s is mounted with %s", path, got.Mounts[path])
		}
	}
	if _, ok := got.Mounts["/dev/shm"]; ok {
		t.Error("there is a /dev/shm")
	}
	t.Logf("uid map: %s", got.UIDMap)
}
