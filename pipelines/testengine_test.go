package pipelines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/moby/moby/client"
)

// testEngine is a Docker engine of the test's own, with a small disk, that may be killed, starved and cut off. The machine's engine
// is left alone.
type testEngine struct {
	t          *testing.T
	dir        string
	containerd *daemon
	dockerd    *daemon
	api        *client.Client // over TCP: it works where the socket is gone
}

// daemon is a process that the test has to end.
type daemon struct {
	cmd  *exec.Cmd
	ends chan struct{}
}

// newTestEngine starts one, or skips the test where that cannot be.
func newTestEngine(t *testing.T) *testEngine {
	t.Helper()
	need := func(what string, ok bool) {
		if !ok {
			t.Skipf("needs %s", what)
		}
	}
	if testing.Short() {
		t.Skip("short: engines and whole builds")
	}
	_, err := exec.LookPath("dockerd")
	need("dockerd", err == nil)
	need("root, to start an engine", os.Geteuid() == 0)
	// Not t.TempDir: the path of a socket has 107 bytes at most.
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		t.Fatal(err)
	}
	e := &testEngine{t: t, dir: dir}
	t.Cleanup(e.remove)
	if err := os.MkdirAll(e.disk(), 0o755); err != nil {
		t.Fatal(err)
	}
	err = syscall.Mount("tmpfs", e.disk(), "tmpfs", 0, "size=512m")
	need("the right to mount", err == nil)
	for name, text := range map[string]string{"daemon.json": "{}", "containerd.toml": "version = 2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e.containerd = e.daemon("containerd", "--config", filepath.Join(dir, "containerd.toml"), "--log-level=error",
		"--address", e.containerdSocket(), "--root", filepath.Join(dir, "containerd"), "--state", filepath.Join(dir, "run"))
	e.start()
	return e
}

func (e *testEngine) containerdSocket() string { return filepath.Join(e.dir, "c.sock") }

func (e *testEngine) daemon(name string, args ...string) *daemon {
	return e.begin(exec.Command(name, args...), name)
}

// begin starts a process that remove has to end; what it says is in a file of that name.
func (e *testEngine) begin(cmd *exec.Cmd, name string) *daemon {
	log, err := os.OpenFile(filepath.Join(e.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		e.t.Fatal(err)
	}
	defer log.Close()
	d := &daemon{cmd: cmd, ends: make(chan struct{})}
	d.cmd.Stdout, d.cmd.Stderr = log, log
	if err := d.cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	go func() {
		defer close(d.ends)
		_ = d.cmd.Wait()
	}()
	return d
}

func (e *testEngine) end(d *daemon, signal syscall.Signal) {
	_ = d.cmd.Process.Signal(signal)
	select {
	case <-d.ends:
	case <-time.After(time.Minute):
		_ = d.cmd.Process.Kill()
		e.t.Errorf("%s does not end by %v", d.cmd.Path, signal)
	}
}

func (e *testEngine) disk() string   { return filepath.Join(e.dir, "disk") }
func (e *testEngine) socket() string { return filepath.Join(e.dir, "d.sock") }
func (e *testEngine) host() string   { return "unix://" + e.socket() }

// remote is the engine as one on another machine would be reached.
const remote = "tcp://127.0.0.1:23751"

// start returns when the engine answers.
func (e *testEngine) start() {
	e.dockerd = e.daemon("dockerd", "--config-file", filepath.Join(e.dir, "daemon.json"), "--host", e.host(), "--host", remote, "--tls=false",
		"--data-root", e.disk(), "--exec-root", filepath.Join(e.dir, "exec"), "--pidfile", filepath.Join(e.dir, "pid"), "--containerd", e.containerdSocket(),
		"--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false", "--bridge=none", "--log-level=error")
	var err error
	if e.api == nil {
		if e.api, err = client.New(client.WithHost(remote)); err != nil {
			e.t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if _, err = e.api.Ping(context.Background(), client.PingOptions{NegotiateAPIVersion: true}); err == nil {
			return
		}
		if time.Now().After(deadline) {
			text, _ := os.ReadFile(filepath.Join(e.dir, "dockerd.log"))
			e.t.Fatalf("the test's engine does not answer: %v\n%s", err, text)
		}
	}
}

// containers calls f with each container of the engine.
func (e *testEngine) containers(f func(ctx context.Context, id string) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	list, err := e.api.ContainerList(ctx, client.ContainerListOptions{All: true})
	for _, c := range list.Items {
		err = errors.Join(err, f(ctx, c.ID))
	}
	return err
}

// kill ends every container as somebody else would, but for those that have just ended by themselves. It says how many.
func (e *testEngine) kill() (killed int) {
	err := e.containers(func(ctx context.Context, id string) error {
		if _, err := e.api.ContainerKill(ctx, id, client.ContainerKillOptions{Signal: "SIGKILL"}); err == nil {
			killed++
		}
		return nil
	})
	if err != nil {
		e.t.Error(err)
	}
	return killed
}

// prune removes every container, and then what f removes. It goes on until f has succeeded: builds start new containers.
func (e *testEngine) prune(f func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		_ = e.containers(func(ctx context.Context, id string) error {
			_, err := e.api.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true})
			return err
		})
		err := f(ctx)
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			e.t.Errorf("could not be removed: %v", err)
			return
		}
	}
}

// fill leaves no room on the engine's disk, and takes what becomes free; call the result to give it back.
func (e *testEngine) fill() (free func()) {
	path := filepath.Join(e.disk(), "ballast")
	f, err := os.Create(path)
	if err != nil {
		e.t.Fatal(err)
	}
	stop, stopped, full := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for block, once := 1<<20, true; ; {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := f.Write(make([]byte, block)); err == nil {
				continue
			}
			if block > 1 {
				block /= 2
			} else if once {
				once = false
				close(full)
			} else {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	<-full
	return func() {
		close(stop)
		<-stopped
		if err := errors.Join(f.Close(), os.Remove(path)); err != nil {
			e.t.Error(err)
		}
	}
}

// remove ends the engine and leaves nothing of it.
func (e *testEngine) remove() {
	if e.dockerd != nil {
		_ = e.containers(func(ctx context.Context, id string) error {
			_, err := e.api.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
			return err
		})
		_ = e.api.Close()
		if pid, err := os.ReadFile(filepath.Join(e.dir, "pid")); err == nil {
			// Not its parent, where it has one: that would leave it without ending what it has started.
			if n, err := strconv.Atoi(strings.TrimSpace(string(pid))); err == nil {
				_ = syscall.Kill(n, syscall.SIGTERM)
			}
		}
		select {
		case <-e.dockerd.ends:
		case <-time.After(30 * time.Second):
			e.end(e.dockerd, syscall.SIGTERM)
		}
	}
	if e.containerd != nil {
		e.end(e.containerd, syscall.SIGTERM)
	}
	for _, mount := range slices.Backward(mountsBelow(e.dir)) {
		if err := syscall.Unmount(mount, syscall.MNT_DETACH); err != nil {
			e.t.Errorf("unmount %s: %v", mount, err)
		}
	}
	if err := os.RemoveAll(e.dir); err != nil {
		e.t.Error(err)
	}
	if left := processesOf(e.dir); len(left) > 0 {
		e.t.Errorf("processes are left: %v", left)
	}
}

func mountsBelow(dir string) (mounts []string) {
	f, err := os.Open("/proc/self/mounts")
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); strings.HasPrefix(fields[1], dir+"/") {
			mounts = append(mounts, fields[1])
		}
	}
	return mounts
}

// processesOf are those that have dir in their command line.
func processesOf(dir string) (found []string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), dir+"/") {
			found = append(found, fmt.Sprintf("%s: %s", filepath.Dir(path), strings.ReplaceAll(string(text), "\x00", " ")))
		}
	}
	return found
}
