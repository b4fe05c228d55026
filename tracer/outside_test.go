package tracer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
)

// outside is what this machine's /proc shows of a server and all that runs with it, without asking any of them.
type outside struct {
	pid         int      // of the server, on this machine
	processes   []string // every process in the server's PID namespace or below it, but for its own: "state command line"
	waiting     int      // children of the server's own user, which it has forked ahead
	compilers   int
	descriptors []string // of the server: what they refer to, without numbers, sorted
	anonymous   int64    // bytes of the server's own memory
	files       []string // paths below /tmp
	blocks      int64    // of its file system, in use
	inodes      int64    // likewise
	world       string   // mounts, limits and credentials of the server, and the sockets of its network
}

var errUnseen = errors.New("not seen in this machine's /proc: that needs root, and an engine of this machine")

// lookAt finds the server that has the marker for its last argument.
func lookAt(marker string) (outside, error) {
	pid, err := serverPID(marker)
	if err != nil {
		return outside{}, err
	}
	o := outside{pid: pid}
	at := func(name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }
	for _, look := range []func() error{
		o.lookAtProcesses,
		func() error { return o.lookAtDescriptors(at("fd")) },
		o.lookAtMemory,
		func() error { return o.lookAtFiles(at("root/tmp")) },
		func() error { return o.lookAtWorld(at) },
	} {
		if err := look(); err != nil {
			return outside{}, fmt.Errorf("look at process %d: %w", pid, err)
		}
	}
	return o, nil
}

func serverPID(marker string) (int, error) {
	server, inner := 0, 1
	for _, pid := range allPIDs() {
		args := strings.Split(procText(pid, "cmdline"), "\x00")
		numbers := strings.Fields(procField(pid, "NSpid"))
		// What carries the arguments outside, as bwrap does, is the first process of no namespace, or of one further out.
		if slices.Contains(args, marker) && len(numbers) > inner && numbers[len(numbers)-1] == "1" {
			server, inner = pid, len(numbers)
		}
	}
	if server == 0 {
		return 0, errUnseen
	}
	if _, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", server)); err != nil {
		return 0, errUnseen
	}
	return server, nil
}

func allPIDs() []int {
	var all []int
	entries, _ := os.ReadDir("/proc") // where there is none, nothing is seen
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// procText is "" for a process that is gone.
func procText(pid int, name string) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
	return string(text)
}

func procField(pid int, key string) string {
	for line := range strings.Lines(procText(pid, "status")) {
		if value, ok := strings.CutPrefix(line, key+":"); ok {
			return strings.TrimRight(value, "\n")
		}
	}
	return ""
}

func (o *outside) lookAtProcesses() error {
	namespace, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", o.pid))
	if err != nil {
		return err
	}
	below := map[int]bool{o.pid: true}
	pids := allPIDs()
	for grown := true; grown; {
		grown = false
		for _, pid := range pids {
			parent, _ := strconv.Atoi(strings.TrimSpace(procField(pid, "PPid")))
			own, _ := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", pid))
			if !below[pid] && (below[parent] || own == namespace) {
				below[pid], grown = true, true
			}
		}
	}
	for _, pid := range pids {
		if !below[pid] {
			continue
		}
		parent, _ := strconv.Atoi(strings.TrimSpace(procField(pid, "PPid")))
		switch {
		case pid == o.pid:
		case parent == o.pid && !o.sharesUser() && procField(pid, "Uid") == procField(o.pid, "Uid"):
			o.waiting++
		case parent == o.pid && strings.TrimSpace(procText(pid, "comm")) == "compiler":
			o.compilers++
		default:
			command := strings.ReplaceAll(strings.TrimRight(procText(pid, "cmdline"), "\x00"), "\x00", " ")
			o.processes = append(o.processes, strings.TrimSpace(procField(pid, "State"))+" "+command)
		}
	}
	return nil
}

// sharesUser says whether programs are the server's own user, as they are where it is not root: then nothing waits beside them.
func (o *outside) sharesUser() bool {
	fields := strings.Fields(procText(o.pid, "uid_map"))
	return len(fields) != 3 || fields[2] == "1"
}

func (o *outside) lookAtDescriptors(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		target, err := os.Readlink(filepath.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		kind, _, _ := strings.Cut(target, ":[")
		o.descriptors = append(o.descriptors, kind)
	}
	slices.Sort(o.descriptors)
	// Those to its own children come and go with them.
	at := slices.Index(o.descriptors, "pipe")
	o.descriptors = slices.Delete(o.descriptors, at, at+pipesOfWaiting*o.waiting+pipesOfCompiler*o.compilers)
	return nil
}

func (o *outside) lookAtMemory() error {
	kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(procField(o.pid, "RssAnon"), "kB")), 10, 64)
	o.anonymous = kb << 10
	return err
}

func (o *outside) lookAtFiles(top string) error {
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if inside := strings.TrimPrefix(path, top); inside != "" {
			o.files = append(o.files, inside)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var use syscall.Statfs_t
	if err := syscall.Statfs(top, &use); err != nil {
		return err
	}
	o.blocks, o.inodes = int64(use.Blocks-use.Bfree), int64(use.Files-use.Ffree)
	return nil
}

func (o *outside) lookAtWorld(at func(string) string) error {
	var b strings.Builder
	for _, name := range []string{
		"mounts", "limits", "oom_score_adj", "uid_map", "net/tcp", "net/tcp6", "net/udp", "net/udp6", "net/raw", "net/unix", "net/packet",
	} {
		text, err := os.ReadFile(at(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if strings.HasPrefix(name, "net/") {
			text = sockets(string(text))
		}
		fmt.Fprintf(&b, "%s:\n%s", name, text)
	}
	for _, key := range []string{"Uid", "Gid", "Groups", "TracerPid", "SigBlk", "SigIgn", "SigCgt", "ShdPnd", "SigPnd", "CapEff", "Seccomp", "Threads", "Cpus_allowed"} {
		fmt.Fprintf(&b, "%s:%s\n", key, procField(o.pid, key))
	}
	o.world = b.String()
	return nil
}

// sockets is the lines of a list of sockets without what moves by itself: timers, counts and addresses in the kernel.
func sockets(list string) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		fmt.Fprintln(&b, strings.Join(fields[min(1, len(fields)):min(4, len(fields))], " "))
	}
	return b.Bytes()
}

const (
	pipesOfWaiting  = 4
	pipesOfCompiler = 2
)

// anonymousSlack is what the allocator of a server may keep: the largest answers that it has put together.
const anonymousSlack = 6 << 20

// leftSince says what a program left behind: each thing that was not there before it.
func (o outside) leftSince(before outside) []string {
	var left []string
	if o.pid != before.pid {
		left = append(left, fmt.Sprintf("the server is another process: %d, was %d", o.pid, before.pid))
	}
	if len(o.processes) != 0 {
		left = append(left, "processes: "+strings.Join(o.processes, "; "))
	}
	if !slices.Equal(o.descriptors, before.descriptors) {
		left = append(left, fmt.Sprintf("descriptors: %v, were %v", o.descriptors, before.descriptors))
	}
	if grown := o.anonymous - before.anonymous; grown > anonymousSlack {
		left = append(left, fmt.Sprintf("%d bytes of memory more in the server", grown))
	}
	if !slices.Equal(o.files, before.files) {
		left = append(left, fmt.Sprintf("files: %.500q, were %q", o.files, before.files))
	}
	if o.blocks != before.blocks || o.inodes != before.inodes {
		left = append(left, fmt.Sprintf("%d blocks and %d inodes of /tmp, were %d and %d", o.blocks, o.inodes, before.blocks, before.inodes))
	}
	if o.world != before.world {
		left = append(left, "another world: "+firstDifferentLine(before.world, o.world))
	}
	return left
}

// nothingRuns checks that no process of a test's is left on this machine, nor anything that the engine has of it.
func nothingRuns(t *testing.T, rt sandbox.Runtime, marker string) {
	t.Helper()
	for _, pid := range allPIDs() {
		if args := procText(pid, "cmdline"); strings.Contains(args, marker) {
			t.Errorf("process %d is left: %q", pid, args)
		}
	}
	if rt.Name() != "docker" {
		return
	}
	for _, list := range [][]string{{"ps", "-aq"}, {"volume", "ls", "-q"}} {
		if left := docker(t, append(list, "--filter", "label=tracemill.build="+buildID)...); len(left) > 0 {
			t.Errorf("docker %v: %v are left", list, left)
		}
	}
}

// docker is the words that the docker command prints.
func docker(t *testing.T, args ...string) []string {
	t.Helper()
	if _, err := exec.LookPath("docker"); err != nil {
		missing(t, "the docker command")
	}
	out, err := exec.CommandContext(t.Context(), "docker", args...).Output()
	if err != nil {
		t.Fatalf("docker %v: %v", args, err)
	}
	return strings.Fields(string(out))
}

func firstDifferentLine(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("%q, was %q", bs[i], as[i])
		}
	}
	return fmt.Sprintf("%d lines, were %d", len(bs), len(as))
}
