package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// bwrapped keeps a process under bubblewrap.
type bwrapped struct {
	childProcess         // bubblewrap
	cgroup       *cgroup // nil: it has none

	inside bool          // PID 1 of the sandbox was started; set before began is closed
	began  chan struct{} // closed when it was, or never will be
	ran    bool          // the command was executed; set before done is closed
}

// launch makes one sandbox. Bubblewrap waits for its arguments while it is given its limits, so that it and all that it
// starts have them from the beginning.
func (b *bwrap) launch(ctx context.Context, spec Spec) (_ *process, err error) {
	limits := spec.Limits.withDefaults()
	argument, err := b.stage(limits, spec.Command).argument()
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{stageName, argument}, Env: []string{}, Dir: "/",
		SysProcAttr: stageAttributes(os.Geteuid() == 0, b.user),
	}
	var theirs, ours opened
	defer theirs.close()
	k := &bwrapped{began: make(chan struct{})}
	if err := k.connect(cmd, &theirs); err != nil {
		return nil, fmt.Errorf("make pipes: %w", err)
	}
	defer func() {
		if err != nil {
			k.hangUp()
			ours.close()
		}
	}()
	fds, args, status, err := b.give(cmd, spec.Files, &theirs, &ours)
	if err != nil {
		return nil, err
	}
	if b.cgroups != nil {
		if k.cgroup, err = b.cgroups.create(limits); err != nil {
			return nil, err
		}
	}
	if err := k.start(); err != nil {
		return nil, errors.Join(fmt.Errorf("make namespaces: %w", err), k.removeGroup())
	}
	k.streams.Go(func() {
		defer status.Close()
		k.follow(status)
	})
	k.watch()
	theirs.close()
	if err := k.begin(ctx, args, b.arguments(spec, k.cgroup, fds)); err != nil {
		return nil, errors.Join(err, k.remove())
	}
	p := newProcess(ctx, spec.Name, k, k.stdin, k.stdout, k.stderr.String)
	p.run()
	b.live.keep(p)
	return p, nil
}

// descriptors are the numbers that files have in bubblewrap.
type descriptors struct {
	status int // where it says what it does
	filter int // of the seccomp filter; 0: there is none
	files  map[string]int
}

// give makes what bubblewrap reads and writes besides its stdio: its arguments, its status, the files and the filter.
func (b *bwrap) give(cmd *exec.Cmd, files map[string][]byte, theirs, ours *opened) (fds descriptors, args, status *os.File, err error) {
	add := func(f *os.File) int {
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
		return 2 + len(cmd.ExtraFiles)
	}
	toArgs, err := theirs.pipe(ours, true)
	if err != nil {
		return fds, nil, nil, fmt.Errorf("make pipes: %w", err)
	}
	ofStatus, err := theirs.pipe(ours, false)
	if err != nil {
		return fds, nil, nil, fmt.Errorf("make pipes: %w", err)
	}
	if add(toArgs.theirs) != argumentsFD {
		return fds, nil, nil, errors.New("the arguments of bubblewrap are not its first file")
	}
	fds = descriptors{status: add(ofStatus.theirs), files: map[string]int{}}
	for name, content := range files {
		f, err := theirs.memory(name, content)
		if err != nil {
			return fds, nil, nil, fmt.Errorf("put %s into memory: %w", name, err)
		}
		fds.files[name] = add(f)
	}
	if b.filter != nil {
		f, err := theirs.memory("seccomp", b.filter)
		if err != nil {
			return fds, nil, nil, fmt.Errorf("put the seccomp filter into memory: %w", err)
		}
		fds.filter = add(f)
	}
	return fds, toArgs.ours, ofStatus.ours, nil
}

// argumentsFD is the descriptor that bubblewrap reads its arguments from.
const argumentsFD = 3

// stage is what bubblewrap runs in, on its way to the command.
func (b *bwrap) stage(l Limits, command []string) stage {
	s := stage{
		Tmp:     b.tmp,
		Options: fmt.Sprintf("mode=1777,size=%d,nr_inodes=%d", l.Tmpfs, maxFiles),
		Limits:  map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: maxOpenFiles},
		// Connections over lo that are over, whose addresses would stay in use for a minute.
		Sysctls: map[string]string{"/proc/sys/net/ipv4/tcp_max_tw_buckets": "0"},
		Command: append([]string{b.path, "--args", strconv.Itoa(argumentsFD), "--"}, command...),
	}
	if b.cgroups == nil {
		s.Limits[unix.RLIMIT_AS] = uint64(l.Memory) // of each process, for want of one of all
	}
	return s
}

// begin limits bubblewrap as a whole, lets it go on, and waits until PID 1 is there.
func (k *bwrapped) begin(ctx context.Context, args *os.File, list []string) error {
	defer args.Close()
	pid := k.cmd.Process.Pid
	if k.cgroup != nil {
		if err := k.cgroup.add(pid); errors.Is(err, syscall.ESRCH) {
			return errors.Join(args.Close(), k.notStarted(ctx))
		} else if err != nil {
			return err
		}
	}
	// When the machine is short, cases go before the others and us. It is no loss where that may not be said.
	_ = writeExisting(fmt.Sprintf("/proc/%d/oom_score_adj", pid), "500")
	_, err := args.WriteString(strings.Join(list, "\x00") + "\x00")
	if err = errors.Join(err, args.Close()); err != nil && !errors.Is(err, syscall.EPIPE) { // it has ended, and says why
		return fmt.Errorf("give bubblewrap its arguments: %w", err)
	}
	select {
	case <-k.began:
	case <-ctx.Done():
		return ctx.Err()
	}
	if !k.inside {
		return k.notStarted(ctx)
	}
	return nil
}

// notStarted is what bubblewrap, or the stage before it, says when it has ended for want of something.
func (k *bwrapped) notStarted(ctx context.Context) error {
	select {
	case <-k.done:
		return fmt.Errorf("bubblewrap did not start it: %s", k.stderr.String())
	case <-ctx.Done():
		return ctx.Err()
	}
}

// follow reads what bubblewrap says: that PID 1 is there, and then, if it came to execute the command, its exit code.
func (k *bwrapped) follow(status io.Reader) {
	begin := sync.OnceFunc(func() { close(k.began) })
	defer begin()
	for said := json.NewDecoder(status); ; {
		var event struct {
			Child *int `json:"child-pid"`
			Exit  *int `json:"exit-code"`
		}
		if said.Decode(&event) != nil {
			return
		}
		if event.Child != nil {
			k.inside = true
			begin()
		}
		k.ran = k.ran || event.Exit != nil
	}
}

func (k *bwrapped) wait(ctx context.Context) exit {
	select {
	case <-k.done:
	case <-ctx.Done():
		return exit{err: ctx.Err()}
	}
	code, signalled := k.code()
	if !signalled && !k.ran {
		return exit{err: fmt.Errorf("bubblewrap could not set it up: %s", k.stderr.String())}
	}
	return exit{code: code, oom: k.cgroup != nil && k.cgroup.oomKilled()}
}

// remove kills bubblewrap, and the kernel with it all that it has started: it has ended when that is done.
func (k *bwrapped) remove() error {
	_ = k.cmd.Process.Kill()
	late := time.NewTimer(cleanTimeout)
	defer late.Stop()
	select {
	case <-k.done:
	case <-late.C:
		return fmt.Errorf("bubblewrap, process %d, does not end", k.cmd.Process.Pid)
	}
	return k.removeGroup()
}

func (k *bwrapped) removeGroup() error {
	if k.cgroup == nil {
		return nil
	}
	return k.cgroup.remove()
}
