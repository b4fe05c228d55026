package sandbox

import (
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
)

// insideUser is who everything is in a sandbox of a user who is not root. Not 0, which owns some files of /proc.
const insideUser = "1000"

// rootCaps is what a fork server needs to change a child's user and then to kill it.
var rootCaps = []string{"CAP_SETUID", "CAP_SETGID", "CAP_KILL"}

// devices are what /dev has: those that keep nothing. They are the machine's own, which the stage has made read-only.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// arguments is what a sandbox is, with the reason of each choice.
func (b *bwrap) arguments(spec Spec, g *cgroup, fds descriptors) []string {
	args := []string{
		"--json-status-fd", strconv.Itoa(fds.status),
		// The network is the stage's.
		"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
		"--hostname", "tracemill",
		// Nothing outlives Tracemill, whatever ends it.
		"--die-with-parent",
		// The command is PID 1, so that its end ends every process inside.
		"--as-pid-1",
		// No terminal that input could be put into.
		"--new-session",
		"--chdir", "/",
		"--cap-drop", "ALL",
	}
	if b.rootless {
		args = append(args, "--unshare-user", "--uid", insideUser, "--gid", insideUser)
	} else {
		for _, name := range rootCaps {
			args = append(args, "--cap-add", name)
		}
	}
	args = append(args, environmentArguments(spec.Env)...)
	args = append(args, "--ro-bind", b.root, "/")
	args = append(args, procArguments()...)
	// No /dev/shm, /dev/mqueue or /dev/pts: they would be places that outlive a child.
	args = append(args, "--tmpfs", "/dev")
	for _, device := range devices {
		args = append(args, "--dev-bind", "/dev/"+device, "/dev/"+device)
	}
	for name, target := range map[string]string{"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"} {
		args = append(args, "--symlink", "/proc/self/fd"+target, "/dev/"+name)
	}
	args = append(args, "--remount-ro", "/dev")
	// Of /sys there is what a server needs to tell whether the kernel killed its child, and nothing else.
	args = append(args, "--tmpfs", "/sys")
	at := len(args)
	if g != nil {
		file, inside := g.kills()
		for dir := path.Dir(inside); dir != "/sys"; dir = path.Dir(dir) {
			args = slices.Insert(args, at, "--dir", dir) // outermost first
		}
		args = append(args, "--ro-bind", file, inside)
	}
	args = append(args, "--remount-ro", "/sys")
	// The files are copied into memory of the sandbox's own: no host directory is seen, and none is left behind.
	args = append(args, "--tmpfs", FilesDir)
	for _, name := range slices.Sorted(maps.Keys(fds.files)) {
		if b.perms {
			args = append(args, "--perms", "0444")
		}
		args = append(args, "--file", strconv.Itoa(fds.files[name]), FilesDir+"/"+name)
	}
	args = append(args, "--remount-ro", FilesDir)
	args = append(args, "--bind", b.tmp, "/tmp")
	if fds.filter != 0 {
		args = append(args, "--seccomp", strconv.Itoa(fds.filter))
	}
	return args
}

// environmentArguments make an empty environment, which is what the stage leaves, into that of a container.
func environmentArguments(want map[string]string) []string {
	all := map[string]string{"HOME": "/tmp"}
	maps.Copy(all, want)
	var args []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "--setenv", key, all[key])
	}
	return args
}

// What container engines hide of /proc, as it is the machine's and not the sandbox's, and what they make read-only.
var (
	maskedProc = []string{"acpi", "asound", "interrupts", "kcore", "keys", "latency_stats", "sched_debug", "scsi", "timer_list", "timer_stats"}
	fixedProc  = []string{"bus", "fs", "irq", "sys", "sysrq-trigger"}
)

func procArguments() []string {
	args := []string{"--proc", "/proc"}
	for _, name := range maskedProc {
		switch file := "/proc/" + name; {
		case !exists(file):
		case isDir(file):
			args = append(args, "--tmpfs", file, "--remount-ro", file)
		default:
			args = append(args, "--dev-bind", "/dev/null", file)
		}
	}
	for _, name := range fixedProc {
		if file := "/proc/" + name; exists(file) {
			args = append(args, "--ro-bind", file, file)
		}
	}
	return args
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
