package seccomp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	engine "github.com/moby/profiles/seccomp"
	"github.com/opencontainers/runtime-spec/specs-go"
)

// A rule that the engine's default has for a call: nil arguments allow all of them.
type rules map[string][][]specs.LinuxSeccompArg

func allowed(p *specs.LinuxSeccomp) rules {
	all := rules{}
	for _, s := range p.Syscalls {
		if s.Action == specs.ActAllow {
			for _, name := range s.Names {
				all[name] = append(all[name], s.Args)
			}
		}
	}
	return all
}

// The container has these capabilities; the engine's default allows more calls to those that have more.
func spec() *specs.Spec {
	caps := []string{"CAP_SETUID", "CAP_SETGID", "CAP_KILL"}
	return &specs.Spec{Process: &specs.Process{Capabilities: &specs.LinuxCapabilities{Bounding: caps, Effective: caps, Permitted: caps}}}
}

// implies says whether all that one argument rule lets through, the other one does. It knows the shapes that the two profiles have.
func implies(ours, theirs specs.LinuxSeccompArg) bool {
	switch {
	case ours.Index != theirs.Index:
		return false
	case ours.Op == specs.OpEqualTo && theirs.Op == specs.OpEqualTo:
		return ours.Value == theirs.Value
	case ours.Op == specs.OpEqualTo && theirs.Op == specs.OpNotEqual:
		return ours.Value != theirs.Value
	case ours.Op == specs.OpEqualTo && theirs.Op == specs.OpLessThan:
		return ours.Value < theirs.Value
	case ours.Op == specs.OpMaskedEqual && theirs.Op == specs.OpMaskedEqual: // Value is the mask, ValueTwo what it is to leave
		return ours.Value&theirs.Value == theirs.Value && ours.ValueTwo&theirs.Value == theirs.ValueTwo
	}
	return false
}

func covered(ours []specs.LinuxSeccompArg, theirs [][]specs.LinuxSeccompArg) bool {
	return slices.ContainsFunc(theirs, func(rule []specs.LinuxSeccompArg) bool {
		for _, want := range rule {
			if !slices.ContainsFunc(ours, func(a specs.LinuxSeccompArg) bool { return implies(a, want) }) {
				return false
			}
		}
		return true
	})
}

func TestTighterThanTheEngines(t *testing.T) {
	theirs, err := engine.GetDefaultProfile(spec())
	if err != nil {
		t.Fatal(err)
	}
	ours, err := engine.LoadProfile(string(profile), spec())
	if err != nil {
		t.Fatal(err)
	}
	if ours.DefaultAction != specs.ActErrno || len(ours.Architectures) > 1 {
		t.Errorf("default action %s, architectures %v", ours.DefaultAction, ours.Architectures)
	}
	limit := allowed(theirs)
	for name, rules := range allowed(ours) {
		for _, args := range rules {
			if !covered(args, limit[name]) {
				t.Errorf("%s %v: the engine's default does not allow it", name, args)
			}
		}
	}
	if a, b := len(allowed(ours)), len(limit); a >= b {
		t.Errorf("%d calls, the engine's default has %d", a, b)
	}
}

// A name that no architecture has is a mistake: engines pass over it. And each has what its C library makes everything of.
func TestNames(t *testing.T) {
	profile, err := engine.LoadProfile(string(profile), spec())
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, s := range profile.Syscalls {
		for _, name := range s.Names {
			listed[name] = true
			_, amd64 := arch.X86_64.SyscallNames[name]
			if _, arm64 := arch.AARCH64.SyscallNames[name]; !amd64 && !arm64 {
				t.Errorf("%s is no system call of x86-64 or arm64", name)
			}
		}
	}
	for _, machine := range []*arch.Info{arch.X86_64, arch.AARCH64} {
		for _, name := range []string{
			"brk", "clone", "clone3", "close", "dup3", "epoll_create1", "epoll_pwait", "execve", "exit_group", "faccessat", "fcntl", "futex", "getdents64", "getrandom",
			"ioctl", "kill", "lseek", "mkdirat", "mmap", "mprotect", "munmap", "newfstatat", "openat", "pipe2", "ppoll", "prlimit64", "pselect6", "read", "readlinkat",
			"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "set_robust_list", "set_tid_address", "setresuid", "socketpair", "statx", "unlinkat", "wait4", "write",
		} {
			if _, known := numberOf(machine, name); !known || !listed[name] {
				t.Errorf("%s of %s: known %v, listed %v", name, machine.Name, known, listed[name])
			}
		}
	}
}

// What the comparison rests on tells more from less.
func TestCovered(t *testing.T) {
	arg := func(op specs.LinuxSeccompOperator, value, two uint64) []specs.LinuxSeccompArg {
		return []specs.LinuxSeccompArg{{Index: 0, Op: op, Value: value, ValueTwo: two}}
	}
	for _, test := range []struct {
		name         string
		ours, theirs []specs.LinuxSeccompArg
		want         bool
	}{
		{"all in all", nil, nil, true},
		{"some in all", arg(specs.OpEqualTo, 1, 0), nil, true},
		{"all in some", nil, arg(specs.OpEqualTo, 1, 0), false},
		{"another value", arg(specs.OpEqualTo, 1, 0), arg(specs.OpEqualTo, 2, 0), false},
		{"not the one refused", arg(specs.OpEqualTo, 1, 0), arg(specs.OpNotEqual, 40, 0), true},
		{"the one refused", arg(specs.OpEqualTo, 40, 0), arg(specs.OpNotEqual, 40, 0), false},
		{"more flags refused", arg(specs.OpMaskedEqual, 7, 0), arg(specs.OpMaskedEqual, 6, 0), true},
		{"fewer flags refused", arg(specs.OpMaskedEqual, 4, 0), arg(specs.OpMaskedEqual, 6, 0), false},
	} {
		if got := covered(test.ours, [][]specs.LinuxSeccompArg{test.theirs}); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	if covered(nil, nil) {
		t.Error("a call that no rule allows is covered")
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine := `{"defaultAction": "SCMP_ACT_ALLOW"}`
	for setting, want := range map[string]string{"": string(profile), Default: string(profile), Engine: "", write("mine.json", mine): mine} {
		if got, err := Load(setting); err != nil || string(got) != want {
			t.Errorf("%q: %d bytes, %v", setting, len(got), err)
		}
	}
	for setting, want := range map[string]string{
		filepath.Join(dir, "none.json"):      "no such file or directory; give",
		write("text.json", "no JSON"):        "must be in Docker's JSON",
		write("other.json", `{"version":1}`): "it has no defaultAction",
	} {
		if _, err := Load(setting); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", setting, err, want)
		}
	}
}
