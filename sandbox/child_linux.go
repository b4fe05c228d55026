package sandbox

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// childProcess is a child of this process with its stdio in pipes. It owns a goroutine that reads stderr and one that waits;
// the last ends when the process has ended and nobody holds its stderr.
type childProcess struct {
	cmd     *exec.Cmd
	stdin   *os.File
	stdout  *os.File
	stderr  *syncTail
	errors  *os.File // the end of stderr that is read
	streams sync.WaitGroup
	done    chan struct{} // closed when all has ended
}

// connect makes the pipes. Their other ends are added to theirs, to be closed when the process has started; ours are closed
// by hangUp, or here on an error.
func (c *childProcess) connect(cmd *exec.Cmd, theirs *opened) error {
	c.cmd, c.stderr, c.done = cmd, &syncTail{}, make(chan struct{})
	var ours opened
	for _, stream := range []struct {
		ours  **os.File
		write bool
	}{{&c.stdin, true}, {&c.stdout, false}, {&c.errors, false}} {
		ends, err := theirs.pipe(&ours, stream.write)
		if err != nil {
			ours.close()
			return err
		}
		*stream.ours = ends.ours
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = (*theirs)[0], (*theirs)[1], (*theirs)[2]
	return nil
}

// start starts the process. On an error nothing is left open.
func (c *childProcess) start() error {
	if err := c.cmd.Start(); err != nil {
		c.hangUp()
		_ = c.errors.Close()
		return err
	}
	c.streams.Go(func() {
		defer c.errors.Close()
		_, _ = io.Copy(c.stderr, c.errors)
	})
	return nil
}

// watch waits for the process and for the streams that were added.
func (c *childProcess) watch() {
	go func() {
		defer close(c.done)
		_ = c.cmd.Wait()
		c.streams.Wait()
	}()
}

func (c *childProcess) hangUp() {
	_ = c.stdin.Close()
	_ = c.stdout.Close()
}

// code is the exit code, once done is closed, and whether it is for want of one that of a signal.
func (c *childProcess) code() (code int, signalled bool) {
	state := c.cmd.ProcessState
	if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal()), true
	}
	return state.ExitCode(), false
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
