package sandbox

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"

	"github.com/tracemill/tracemill/sandbox/seccomp"
)

//go:embed testdata/syscalls.py
var makeSyscalls string

//go:embed testdata/stdlib.py
var useStdlib string

// rule is what a test needs of a profile's rule.
type rule struct {
	Names    []string          `json:"names"`
	Action   string            `json:"action"`
	ErrnoRet *int              `json:"errnoRet,omitempty"`
	Args     []json.RawMessage `json:"args,omitempty"`
}

// refusals are the calls that a profile allows with no argument, by name, and what it says to each.
func refusals(t *testing.T, profile []byte, otherwise int) (numbers, errnos map[string]int) {
	t.Helper()
	var p struct{ Syscalls []rule }
	if err := json.Unmarshal(profile, &p); err != nil {
		t.Fatal(err)
	}
	machine, err := arch.GetInfo("")
	if err != nil {
		t.Skip(err)
	}
	numbers, errnos = map[string]int{}, map[string]int{}
	for number, name := range machine.SyscallNumbers {
		if name == "fstatat" { // as the table of arm64 calls it
			name = "newfstatat"
		}
		numbers[name], errnos[name] = number, otherwise
	}
	// The kernel shows these to no filter, and ends a process that makes them where no probe is.
	delete(numbers, "uretprobe")
	delete(numbers, "uprobe")
	for _, r := range p.Syscalls {
		for _, name := range r.Names {
			if r.Action == "SCMP_ACT_ALLOW" {
				delete(numbers, name)
				delete(errnos, name)
			} else if _, known := numbers[name]; known {
				errnos[name] = *r.ErrnoRet
			}
		}
	}
	return numbers, errnos
}

// Every call of this machine's table that the profile does not allow is refused, by the filter and not for want of a right or a
// good argument: for this test it leaves them to a tracer that is not there, so that the kernel says ENOSYS, which no call that
// exists says by itself.
func TestSyscallsRefused(t *testing.T) {
	profile, err := seccomp.Load(seccomp.Default)
	if err != nil {
		t.Fatal(err)
	}
	var marked map[string]any
	if err := json.Unmarshal(profile, &marked); err != nil {
		t.Fatal(err)
	}
	marked["defaultAction"] = "SCMP_ACT_TRACE"
	text, err := json.Marshal(marked)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "marked.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	eachRuntime(t, func(t *testing.T, r variant) { testSyscallsRefused(t, r.under(t, path), profile) })
}

func testSyscallsRefused(t *testing.T, r Runtime, profile []byte) {
	const mark = int(syscall.ENOSYS)
	numbers, errnos := refusals(t, profile, mark)
	machine, _ := arch.GetInfo("")
	partly := map[string]int{}
	for _, name := range []string{"clone", "prctl", "fcntl", "ioctl", "mmap", "setpriority", "socket", "socketpair"} {
		partly[name] = machine.SyscallNames[name]
	}
	p := startSpec(t, r, "main.py", Spec{Files: map[string][]byte{"main.py": []byte(makeSyscalls)}})
	request, err := json.Marshal(map[string]any{"refused": numbers, "partly": partly})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Send(testContext(t), request); err != nil {
		t.Fatal(err)
	}
	var got map[string]int
	receiveJSON(t, p, &got)
	if len(got) <= len(numbers) || len(numbers) < 100 {
		t.Fatalf("%d answers to %d calls", len(got), len(numbers))
	}
	for what, errno := range got {
		want, listed := errnos[what]
		if !listed {
			want = mark
		}
		if errno != want {
			t.Errorf("%s: errno %d, want %d", what, errno, want)
		}
	}
	for _, name := range []string{
		"ptrace", "process_vm_readv", "keyctl", "bpf", "userfaultfd", "io_uring_setup", "perf_event_open", "mount", "unshare", "setns", "memfd_create",
		"personality", "kexec_load", "init_module", "quotactl", "acct", "swapon", "reboot", "clock_settime", "open_by_handle_at", "fanotify_init", "shmget", "mq_open",
	} {
		if _, refused := got[name]; !refused {
			t.Errorf("%s is not among the refused", name)
		}
	}
}

func TestStandardLibraryWorks(t *testing.T) { eachRuntime(t, testStandardLibraryWorks) }

func testStandardLibraryWorks(t *testing.T, r variant) {
	p := startSpec(t, r, "main.py", Spec{Files: map[string][]byte{"main.py": []byte(useStdlib)}})
	var got struct {
		Ran    int
		Failed map[string]string
	}
	receiveJSON(t, p, &got)
	for name, why := range got.Failed {
		t.Errorf("%s: %s", name, why)
	}
	if got.Ran < 15 {
		t.Errorf("%d checks", got.Ran)
	}
}
