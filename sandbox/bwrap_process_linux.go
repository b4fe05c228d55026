package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// bwrapped keeps a process under bubblewrap. It owns three goroutines, of which the last ends when all that ran inside
// is dead: one that waits for bubblewrap, and one each for its stderr and its status.
type bwrapped struct {
	cmd    *exec.Cmd
	cgroup *cgroup // nil: it has none
	stdin  *os.File
	stdout *os.File
	stderr *syncTail

	inside *os.Process   // PID 1 of the sandbox; set before Start returns
	began  chan struct{} // closed when it is there, or never will be
	ran    bool          // the command was executed; set before done is closed
	done   chan struct{} // closed when bubblewrap has ended and its streams have
}

// launch makes one sandbox. Bubblewrap waits for its arguments while it is given its limits, so that it and all that it
// starts have them from the beginning.
func (b *bwrap) launch(ctx context.Context, spec Spec) (_ *process, err error) {
	var ends opened // the ends of pipes and the files that are bubblewrap's; ours are closed with the process
	defer ends.close()
	k := &bwrapped{stderr: &syncTail{}, began: make(chan struct{}), done: make(chan struct{})}
	var ours opened
	defer func() {
		if err != nil {
			ours.close()
		}
	}()
	limits := spec.Limits.withDefaults()
	argument, err := b.stage(limits, spec.Command).argument()
	if err != nil {
		return nil, err
	}
	k.cmd = &exec.Cmd{Path: "/proc/self/exe", Args: []string{stageName, argument}}
	k.cmd.Env = []string{}
	k.cmd.Dir = "/"
	k.cmd.SysProcAttr = stageAttributes(os.Geteuid() == 0, b.user)
	stdin, err1 := ends.pipe(&ours, true)
	stdout, err2 := ends.pipe(&ours, false)
	stderr, err3 := ends.pipe(&ours, false)
	args, err4 := ends.pipe(&ours, true)
	status, err5 := ends.pipe(&ours, false)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, fmt.Errorf("make pipes: %w", err)
	}
	k.stdin, k.stdout = stdin.ours, stdout.ours
	k.cmd.Stdin, k.cmd.Stdout, k.cmd.Stderr = stdin.theirs, stdout.theirs, stderr.theirs
	give := func(f *os.File) int {
		k.cmd.ExtraFiles = append(k.cmd.ExtraFiles, f)
		return 2 + len(k.cmd.ExtraFiles)
	}
	give(args.theirs) // descriptor 3
	statusFD := give(status.theirs)
	files := map[string]int{}
	for name, content := range spec.Files {
		f, err := ends.memory(name, content)
		if err != nil {
			return nil, fmt.Errorf("put %s into memory: %w", name, err)
		}
		files[name] = give(f)
	}
	filter := 0
	if b.filter != nil {
		f, err := ends.memory("seccomp", b.filter)
		if err != nil {
			return nil, fmt.Errorf("put the seccomp filter into memory: %w", err)
		}
		filter = give(f)
	}
	if b.cgroups != nil {
		if k.cgroup, err = b.cgroups.create(limits); err != nil {
			return nil, err
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, k.cgroup.remove())
			}
		}()
	}
	if err := k.cmd.Start(); err != nil {
		return nil, fmt.Errorf("make namespaces: %w", err)
	}
	k.watch(stderr.ours, status.ours)
	ends.close()
	if err := k.begin(args.ours, b.arguments(spec, k.cgroup, files, filter, statusFD)); err != nil {
		return nil, errors.Join(err, k.kill())
	}
	select {
	case <-k.began:
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), k.kill())
	}
	if k.inside == nil {
		<-k.done
		return nil, errors.Join(fmt.Errorf("bubblewrap did not start it: %s", k.stderr.String()), k.kill())
	}
	p := newProcess(ctx, spec.Name, k, k.stdin, k.stdout, k.stderr.String)
	p.run()
	b.live.keep(p)
	return p, nil
}

// stage is what bubblewrap runs in, on its way to the command.
func (b *bwrap) stage(l Limits, command []string) stage {
	s := stage{
		Tmp:     b.tmp,
		Options: fmt.Sprintf("mode=1777,size=%d,nr_inodes=%d", l.Tmpfs, maxFiles),
		Limits:  map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: maxOpenFiles},
		// Connections over lo that are over, whose addresses would stay in use for a minute.
		Sysctls: map[string]string{"/proc/sys/net/ipv4/tcp_max_tw_buckets": "0"},
		Command: append([]string{b.path, "--args", "3", "--"}, command...),
	}
	if b.cgroups == nil {
		s.Limits[unix.RLIMIT_AS] = uint64(l.Memory) // of each process, for want of one of all
	}
	return s
}

// begin limits bubblewrap as a whole and lets it go on.
func (k *bwrapped) begin(args *os.File, list []string) error {
	pid := k.cmd.Process.Pid
	if k.cgroup != nil {
		if err := k.cgroup.add(pid); err != nil {
			return err
		}
	}
	// When the machine is short, cases go before the others and us. It is no loss where that may not be said.
	_ = writeExisting(fmt.Sprintf("/proc/%d/oom_score_adj", pid), "500")
	_, err := args.WriteString(strings.Join(list, "\x00") + "\x00")
	if err = errors.Join(err, args.Close()); err != nil {
		return fmt.Errorf("give bubblewrap its arguments: %w", err)
	}
	return nil
}

// watch starts the goroutines.
func (k *bwrapped) watch(stderr, status *os.File) {
	var streams sync.WaitGroup
	streams.Go(func() {
		defer stderr.Close()
		_, _ = io.Copy(k.stderr, stderr)
	})
	streams.Go(func() {
		defer status.Close()
		k.follow(status)
	})
	go func() {
		defer close(k.done)
		_ = k.cmd.Wait()
		streams.Wait()
	}()
}

// follow reads what bubblewrap says: which process PID 1 is, and then, if it came to execute the command, its exit code.
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
			k.inside, _ = os.FindProcess(*event.Child) // it holds a descriptor of the process, not only its number
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
	state := k.cmd.ProcessState
	code := state.ExitCode()
	if killed := state.Sys().(syscall.WaitStatus); killed.Signaled() {
		code = 128 + int(killed.Signal())
	} else if !k.ran {
		return exit{err: fmt.Errorf("bubblewrap could not set it up: %s", k.stderr.String())}
	}
	return exit{code: code, oom: k.cgroup != nil && k.cgroup.oomKilled()}
}

func (k *bwrapped) hangUp() {
	_ = k.stdin.Close()
	_ = k.stdout.Close()
}

func (k *bwrapped) remove() error { return k.kill() }

// kill kills PID 1, and the kernel with it all that is inside; bubblewrap ends when that is done.
func (k *bwrapped) kill() error {
	if k.inside != nil {
		_ = k.inside.Kill()
	} else {
		_ = k.cmd.Process.Kill()
	}
	late := time.NewTimer(cleanTimeout)
	defer late.Stop()
	select {
	case <-k.done:
	case <-late.C:
		return fmt.Errorf("bubblewrap, process %d, does not end", k.cmd.Process.Pid)
	}
	if k.inside != nil {
		_ = k.inside.Release()
	}
	if k.cgroup != nil {
		return k.cgroup.remove()
	}
	return nil
}

// syncTail is a tail that is written and read by different goroutines.
type syncTail struct {
	mu   sync.Mutex
	tail tail
}

func (t *syncTail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tail.write(p)
	return len(p), nil
}

func (t *syncTail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tail.String()
}
