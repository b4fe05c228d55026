package seccomp

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
)

// answers are what a filter says.
const (
	answerAllow = 0x7fff0000
	answerErrno = 0x00050000 // and an errno
	answerKill  = 0x80000000
)

const enolck = 37 // what flock is answered with

// filter is a compiled profile in a machine that runs it.
type filter struct {
	t       *testing.T
	machine *arch.Info
	vm      *bpf.VM
}

func compiled(t *testing.T, setting string, opts Options) *filter {
	t.Helper()
	machine, err := arch.GetInfo("")
	if err != nil {
		t.Skip(err)
	}
	text, err := Compile(setting, opts)
	if err != nil {
		t.Fatal(err)
	}
	raw := make([]bpf.RawInstruction, len(text)/8)
	if err := binary.Read(bytes.NewReader(text), binary.NativeEndian, raw); err != nil {
		t.Fatal(err)
	}
	program, all := bpf.Disassemble(raw)
	if !all {
		t.Fatal("there are instructions that are none")
	}
	vm, err := bpf.NewVM(program)
	if err != nil {
		t.Fatal(err)
	}
	return &filter{t, machine, vm}
}

// call is the answer to a call. The machine reads big-endian words, whatever this one is.
func (f *filter) call(name string, args ...uint64) uint32 {
	f.t.Helper()
	number, known := f.machine.SyscallNames[name]
	if !known {
		f.t.Fatalf("there is no %s here", name)
	}
	return f.raw(uint32(number), uint32(f.machine.ID), args...)
}

func (f *filter) raw(number, architecture uint32, args ...uint64) uint32 {
	f.t.Helper()
	data := make([]byte, argsAt+6*8)
	binary.BigEndian.PutUint32(data[numberAt:], number)
	binary.BigEndian.PutUint32(data[archAt:], architecture)
	for i, arg := range args {
		binary.BigEndian.PutUint32(data[word(i, 0):], uint32(arg))
		binary.BigEndian.PutUint32(data[word(i, 1):], uint32(arg>>32))
	}
	answer, err := f.vm.Run(data)
	if err != nil {
		f.t.Fatal(err)
	}
	return uint32(answer)
}

func TestCompiledProfile(t *testing.T) {
	root, user := compiled(t, Default, Options{}), compiled(t, Default, Options{SameUser: true})
	const upper = 1 << 32 // bits that the kernel does not look at in an int
	for _, test := range []struct {
		name       string
		args       []uint64
		root, user uint32
	}{
		{"read", nil, answerAllow, answerAllow},
		{"ptrace", nil, answerErrno | eperm, answerErrno | eperm},
		{"clone3", nil, answerErrno | enosys, answerErrno | enosys},
		{"clone", []uint64{17}, answerAllow, answerAllow},
		{"clone", []uint64{0x10000000 | 17}, answerErrno | eperm, answerErrno | eperm}, // CLONE_NEWUSER
		{"socket", []uint64{2, 1, 6}, answerAllow, answerAllow},
		{"socket", []uint64{2, 1 | 0o2000000, 0}, answerAllow, answerAllow}, // SOCK_CLOEXEC
		{"socket", []uint64{2, 3, 1}, answerErrno | eperm, answerErrno | eperm},
		{"flock", []uint64{3, 2}, answerErrno | enolck, answerErrno | enolck},
		{"fcntl", []uint64{3, 1030, 10}, answerAllow, answerAllow},                // F_DUPFD_CLOEXEC
		{"fcntl", []uint64{3, 1026, 1}, answerErrno | eperm, answerErrno | eperm}, // F_NOTIFY
		{"fcntl", []uint64{3, upper | 1026, 1}, answerErrno | eperm, answerErrno | eperm},
		{"prlimit64", []uint64{0, 7}, answerAllow, answerAllow},
		{"prlimit64", []uint64{1, 7}, answerAllow, answerErrno | eperm},
		{"setpriority", []uint64{0, 0, 5}, answerAllow, answerAllow},
		{"setpriority", []uint64{upper, 0, 5}, answerAllow, answerAllow},
		{"setpriority", []uint64{0, 1, 5}, answerErrno | eperm, answerErrno | eperm},
		{"setpriority", []uint64{1, 0, 5}, answerErrno | eperm, answerErrno | eperm}, // PRIO_PGRP
		{"setpriority", []uint64{2, 0, 5}, answerErrno | eperm, answerErrno | eperm}, // PRIO_USER
		{"setpriority", []uint64{upper | 2, 0, 5}, answerErrno | eperm, answerErrno | eperm},
		{"kill", []uint64{1, 0}, answerAllow, answerErrno | eperm},
		{"kill", []uint64{upper | 1, 9}, answerAllow, answerErrno | eperm},
		{"kill", []uint64{2, 9}, answerAllow, answerAllow},
		{"sched_setaffinity", []uint64{0}, answerErrno | eperm, answerErrno | eperm},
	} {
		if got := root.call(test.name, test.args...); got != test.root {
			t.Errorf("%s%#x: %#x, want %#x", test.name, test.args, got, test.root)
		}
		if got := user.call(test.name, test.args...); got != test.user {
			t.Errorf("%s%#x, for one user: %#x, want %#x", test.name, test.args, got, test.user)
		}
	}
	if got := root.raw(0, uint32(root.machine.ID)^1); got != answerKill {
		t.Errorf("a call of another architecture: %#x", got)
	}
	if got := root.raw(x32, uint32(root.machine.ID)); got != answerErrno|enosys {
		t.Errorf("a call of the x32 table: %#x", got)
	}
}

func TestCompiledConditions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profile.json")
	write := func(rules string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(`{"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, "syscalls": [`+rules+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"names": ["kill"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_KILL"]}},
		{"names": ["read"], "action": "SCMP_ACT_ALLOW", "excludes": {"caps": ["CAP_KILL"]}},
		{"names": ["write"], "action": "SCMP_ACT_ALLOW", "includes": {"arches": ["none"]}},
		{"names": ["dup", "no_such_call"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 1, "op": "SCMP_CMP_EQ"}, {"index": 0, "value": 2, "op": "SCMP_CMP_EQ"}]}`)
	with, without := compiled(t, path, Options{Caps: []string{"CAP_KILL"}}), compiled(t, path, Options{})
	for _, test := range []struct {
		name          string
		arg           uint64
		with, without uint32
	}{
		{"kill", 5, answerAllow, answerErrno | enosys},
		{"read", 0, answerErrno | enosys, answerAllow},
		{"write", 0, answerErrno | enosys, answerErrno | enosys},
		{"dup", 1, answerAllow, answerAllow}, // either of two values
		{"dup", 2, answerAllow, answerAllow},
		{"dup", 3, answerErrno | enosys, answerErrno | enosys},
	} {
		if got := with.call(test.name, test.arg); got != test.with {
			t.Errorf("%s(%d), with the capability: %#x, want %#x", test.name, test.arg, got, test.with)
		}
		if got := without.call(test.name, test.arg); got != test.without {
			t.Errorf("%s(%d): %#x, want %#x", test.name, test.arg, got, test.without)
		}
	}
	for rules, want := range map[string]string{
		`{"names": ["read"], "action": "SCMP_ACT_NOTIFY"}`:                                                         "SCMP_ACT_NOTIFY",
		`{"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 1, "op": "SCMP_CMP_GT"}]}`: "SCMP_CMP_GT",
		`{"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 6, "value": 1, "op": "SCMP_CMP_EQ"}]}`: "argument 6",
		`{"names": "read"}`: "cannot unmarshal",
	} {
		write(rules)
		if _, err := Compile(path, Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q and the path in it", rules, err, want)
		}
	}
	if text, err := Compile(Engine, Options{}); text != nil || err != nil {
		t.Errorf("the engine's own: %d bytes, %v", len(text), err)
	}
}
