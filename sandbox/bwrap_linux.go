package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/tracemill/tracemill/sandbox/seccomp"
)

// bwrap is the Runtime of one image under bubblewrap.
//
// Root keeps the powers that a fork server needs to give its children users of their own. Another user gets a user
// namespace and no power at all: then the children are the server's own user, and the server has to be closed to them by
// being undumpable, which it is because its interpreter can be executed but not read.
type bwrap struct {
	path     string // of the executable
	perms    bool   // it can say which permissions a file gets: since 0.5. They matter little on what is mounted read-only
	rootless bool
	user     uint32 // to run it as; 0: the user that we are
	image    Image
	root     string        // directory of the root file system
	tmp      string        // an empty directory
	filter   []byte        // compiled seccomp profile; nil: none
	cgroups  *cgroupParent // nil: they cannot be made
	live     *live
	log      func(string)
}

// OpenBwrap finds bubblewrap, sees to the image, and runs it once to see whether this user and this kernel allow it.
func OpenBwrap(ctx context.Context, opts BwrapOptions) (Runtime, error) {
	b, err := newBwrap(opts)
	if err != nil {
		return nil, err
	}
	if b.perms, err = hasPerms(ctx, b.path); err != nil {
		return nil, err
	}
	if err := b.resolve(ctx, opts); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func newBwrap(opts BwrapOptions) (*bwrap, error) {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, fmt.Errorf("bwrap: %w: %w; install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)", ErrUnavailable, err)
	}
	root := os.Geteuid() == 0
	b := &bwrap{path: path, rootless: !root || opts.User != 0, user: opts.User, live: newLive("bwrap"), log: opts.Log}
	if !root && opts.User != 0 {
		return nil, fmt.Errorf("bwrap: only root can run it as another user, %d", opts.User)
	}
	if b.log == nil {
		b.log = func(string) {}
	}
	if opts.Seccomp == seccomp.Engine {
		return nil, fmt.Errorf("bwrap: seccomp %s: bubblewrap has no profile of its own: use %q, or the path of one", seccomp.Engine, seccomp.Default)
	}
	if b.filter, err = seccomp.Compile(opts.Seccomp, b.filterOptions()); err != nil {
		return nil, fmt.Errorf("bwrap: %w", err)
	}
	if b.cgroups, err = findCgroups(); err != nil {
		b.log(fmt.Sprintf("bwrap: %v: memory and processes are limited for each execution, but not for a sandbox as a whole", err))
	}
	if b.rootless && !countsProcesses() {
		return nil, fmt.Errorf("bwrap: %w: the processes of a program cannot be limited: that needs Linux 5.14, or root; or use runtime docker", ErrUnavailable)
	}
	return b, nil
}

func hasPerms(ctx context.Context, path string) (bool, error) {
	help, err := exec.CommandContext(ctx, path, "--help").Output()
	if err != nil {
		return false, fmt.Errorf("bwrap: %w: %s --help: %w; install bubblewrap anew", ErrUnavailable, path, err)
	}
	return strings.Contains(string(help), "--perms"), nil
}

// countsProcesses reports whether the kernel counts a user's processes in each user namespace, which is what makes a limit
// of them mean a sandbox's: Linux 5.14.
func countsProcesses() bool {
	var u unix.Utsname
	var major, minor int
	if unix.Uname(&u) != nil {
		return false
	}
	_, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 5 || major == 5 && minor >= 14)
}

// filterOptions say what the sandbox is to a filter.
func (b *bwrap) filterOptions() seccomp.Options {
	if b.rootless {
		return seccomp.Options{SameUser: true}
	}
	return seccomp.Options{Caps: rootCaps}
}

func (b *bwrap) Name() string { return "bwrap" }

func (b *bwrap) Image() Image { return b.image }

func (b *bwrap) Start(ctx context.Context, spec Spec) (Process, error) {
	return b.live.start(ctx, spec, func(ctx context.Context) (*process, error) {
		// Bubblewrap would say so only when it has begun.
		if _, err := os.Lstat(filepath.Join(b.root, spec.Command[0])); err != nil {
			return nil, fmt.Errorf("command: %w", unwrapPath(spec.Command[0], err))
		}
		return b.launch(ctx, spec)
	})
}

// unwrapPath puts the path as it is seen inside into an error.
func unwrapPath(inside string, err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return &os.PathError{Op: at.Op, Path: inside, Err: at.Err}
	}
	return err
}

func (b *bwrap) Close() error {
	_, err := b.live.close()
	return err
}

// ask runs the interpreter at path inside, or the python3 on the usual PATH where it is empty.
func (b *bwrap) ask(ctx context.Context, path string) (interpreter, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	p, err := b.launch(ctx, probe(path))
	if err != nil {
		return interpreter{}, err
	}
	return p.answer(ctx)
}

// refused adds what to do to bubblewrap's own words.
func (b *bwrap) refused(why error) error {
	way := wayIn(b.rootless, firstLine)
	if dir := closedTo(b.user, b.root); dir != "" {
		way = fmt.Sprintf("user %d may not enter %s: give a directory that every user can reach as sandbox.bwrap.cache_dir", b.user, dir)
	}
	return fmt.Errorf("bwrap: %w: %w; %s", ErrUnavailable, why, way)
}

// closedTo is the outermost directory on the way to path that another user than ours, who is in no group of ours, may not
// enter; "" if there is none.
func closedTo(user uint32, path string) string {
	if user == 0 || path == "/" {
		return ""
	}
	parent := filepath.Dir(path)
	if dir := closedTo(user, parent); dir != "" {
		return dir
	}
	var at unix.Stat_t
	if unix.Stat(parent, &at) != nil {
		return ""
	}
	enter := uint32(0o001)
	switch user {
	case at.Uid:
		enter = 0o100
	case at.Gid: // the group that it is in has its number
		enter = 0o010
	}
	if at.Mode&enter == 0 {
		return parent
	}
	return ""
}

// wayIn is what lets bubblewrap make namespaces. read gives the first line of a file, or "".
func wayIn(rootless bool, read func(string) string) string {
	if !rootless {
		return "it needs to make namespaces and mounts: in a container, that needs --privileged; else use runtime docker"
	}
	const or = "; or run as root, or use runtime docker"
	switch {
	case read("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return "let users make namespaces: sysctl kernel.unprivileged_userns_clone=1" + or
	case read("/proc/sys/user/max_user_namespaces") == "0":
		return "let users make namespaces: sysctl user.max_user_namespaces=10000" + or
	case read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		return "AppArmor keeps users from making namespaces: give tracemill and bwrap a profile that allows userns, or sysctl kernel.apparmor_restrict_unprivileged_userns=0" + or
	}
	return "this user may not make user namespaces: look at sysctl user.max_user_namespaces, AppArmor or SELinux, and at the seccomp profile where this is a container" + or
}

// refusal reports whether bubblewrap's message is about a right that is missing, rather than about a file.
func refusal(message string) bool {
	message = strings.ToLower(message) // bubblewrap's words and the stage's
	for _, sign := range []string{"namespace", "uid map", "gid map", "operation not permitted", "permission denied", "no permissions"} {
		if strings.Contains(message, sign) {
			return true
		}
	}
	return false
}
