package sandbox

import (
	_ "embed"
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
	Killed     bool
	UIDMap     string
}

func TestHardening(t *testing.T) {
	d := openDocker(t)
	p := startSpec(t, d, "main.py", Spec{
		Files:  map[string][]byte{"main.py": []byte(inside)},
		Env:    map[string]string{"LC_ALL": "C.UTF-8"},
		Limits: Limits{Memory: 128 << 20, PIDs: 40},
	})
	var got facts
	receiveJSON(t, p, &got)

	equal := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	equal("pid", got.PID, 1)
	equal("environment", got.Env, map[string]string{"HOME": "/tmp", "LC_ALL": "C.UTF-8"})
	equal("interfaces", got.Interfaces, []string{"lo"})
	equal("connect", got.Connect, "Network is unreachable")
	equal("hostname", got.Hostname, "tracemill")
	const killSetgidSetuid = "00000000000000e0"
	for _, set := range []string{"CapPrm", "CapEff", "CapBnd"} {
		equal(set, got.Status[set], killSetgidSetuid)
	}
	equal("ambient", got.Status["CapAmb"], "0000000000000000")
	equal("no new privileges", got.Status["NoNewPrivs"], "1")
	equal("seccomp", got.Status["Seccomp"], "2")
	equal("child's capabilities", got.Child["CapEff"], "0000000000000000")
	equal("child's user", got.Child["Uid"], "65534\t65534\t65534\t65534")
	equal("child's groups", got.Child["Groups"], "")
	equal("child was killed by PID 1", got.Killed, true)
	equal("writable to the child", got.Writable, []string{"/tmp"})
	equal("writable to root", got.RootWrites, []string{"/tmp"})
	equal("files", got.Files, map[string]string{"main.py": "0o444"})
	equal("pids", got.PIDs, "40")
	equal("memory", got.Memory, "134217728")
	equal("core files", got.Limits["core"], [2]int{0, 0})
	equal("open files", got.Limits["nofile"], [2]int{maxOpenFiles, maxOpenFiles})
	equal("System V memory", got.SysV, "Operation not permitted")
	equal("System V segments that there may be", got.SysVMax, "0")
	for _, option := range []string{"noexec", "nosuid", "nodev", "size=65536k"} {
		if !slices.Contains(strings.Split(got.Mounts["/tmp"], ","), option) {
			t.Errorf("/tmp is mounted with %s, without %s", got.Mounts["/tmp"], option)
		}
	}
	for _, path := range []string{"/", FilesDir} {
		if !slices.Contains(strings.Split(got.Mounts[path], ","), "ro") {
			t.Errorf("%s is mounted with %s", path, got.Mounts[path])
		}
	}
	if _, ok := got.Mounts["/dev/shm"]; ok {
		t.Error("there is a /dev/shm")
	}
	t.Logf("uid map: %s", got.UIDMap)
}
