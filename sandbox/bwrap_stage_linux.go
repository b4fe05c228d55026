package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// stageName is what this executable is called when it is started to set a stage, as the first thing that it does.
const stageName = "tracemill-stage"

func init() {
	if len(os.Args) == 2 && os.Args[0] == stageName {
		err := runStage(os.Args[1])
		fmt.Fprintln(os.Stderr, "tracemill:", err)
		os.Exit(1)
	}
}

// stage is what bubblewrap is not able to make, in namespaces of its own in which bubblewrap then runs: a network whose
// connections do not linger, devices that nobody can mark, a tmpfs that executes nothing and whose files are counted, limits
// of processes, and an end that takes along all that was started. What bubblewrap itself starts dies with it only when it has
// come to ask for that: as it is the first process of a namespace, the kernel sees to it.
type stage struct {
	Tmp     string            // an empty directory, to mount the tmpfs on
	Options string            // of the tmpfs
	Limits  map[int]uint64    // resource -> its soft and hard limit
	Sysctls map[string]string // file -> value
	Command []string
}

// attributes start a stage. root says whether this process is root; it then becomes user, if that is not 0, in a namespace
// where that is all that there is.
func stageAttributes(root bool, user uint32) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{
		Pdeathsig:  syscall.SIGKILL,
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
	}
	if root {
		attr.Credential = &syscall.Credential{} // without the groups of whoever became root
	}
	if !root || user != 0 {
		uid, gid := int(user), int(user)
		if !root {
			uid, gid = os.Geteuid(), os.Getegid()
		}
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
		attr.GidMappingsEnableSetgroups = root
	}
	return attr
}

func (s stage) argument() (string, error) {
	text, err := json.Marshal(s)
	return string(text), err
}

// runStage sets the stage and becomes the command. It returns only with an error.
func runStage(argument string) error {
	var s stage
	if err := json.Unmarshal([]byte(argument), &s); err != nil {
		return fmt.Errorf("the stage of a sandbox: %w", err)
	}
	if err := raiseLoopback(); err != nil {
		return fmt.Errorf("bring up the loopback interface: %w", err)
	}
	for file, value := range s.Sysctls {
		if err := writeExisting(file, value); err != nil {
			return fmt.Errorf("set a kernel parameter of the sandbox: %w", err)
		}
	}
	// Nothing that is mounted here is to be seen outside.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("separate mounts from the machine's: %w", err)
	}
	// By the numbers that processes have here.
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	for _, name := range devices {
		if err := fixDevice("/dev/" + name); err != nil {
			return fmt.Errorf("make /dev/%s read-only: %w", name, err)
		}
	}
	if err := unix.Mount("tmpfs", s.Tmp, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, s.Options); err != nil {
		return fmt.Errorf("mount a tmpfs: %w", err)
	}
	for which, most := range s.Limits {
		if err := syscall.Setrlimit(which, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit the sandbox's processes: %w", err)
		}
	}
	return fmt.Errorf("execute %s: %w", s.Command[0], syscall.Exec(s.Command[0], s.Command, nil))
}

// fixDevice makes the file of a device one whose times and mode nobody can change; what it reads and writes is as before.
// A mount that bubblewrap makes of it has that too, while its own --remount-ro would close the device.
func fixDevice(path string) error {
	if err := unix.Mount(path, path, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		return err
	}
	// In a user namespace nothing that the machine's mount has may be taken away. The flags of statfs are those of mount.
	kept := uintptr(fs.Flags) & (unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC)
	return unix.Mount("", path, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY|kept, "")
}

func raiseLoopback() (err error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unix.Close(fd)) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}
