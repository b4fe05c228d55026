package pipelines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/moby/moby/client"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/shard"
)

// trouble is a Progress that does something when so many parts are done.
type trouble struct {
	t    *testing.T
	mu   sync.Mutex
	said []string
	done int
	at   map[int]func()
}

func (p *trouble) Start(int, int) {}

func (p *trouble) Log(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.t.Log(line)
	p.said = append(p.said, line)
}

func (p *trouble) Part(string, Counters) {
	p.mu.Lock()
	p.done++
	f := p.at[p.done]
	p.mu.Unlock()
	if f != nil {
		f()
	}
}

func (p *trouble) saidOf(text string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.said {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// faults is the engine and the build that all the tests below trouble.
type faults struct {
	*testEngine
	sets     []string
	want     map[string]string
	patience time.Duration
}

func (f *faults) run(t *testing.T, out, host string, p *trouble) (*Report, error) {
	t.Helper()
	sets := append([]string{"output=" + out, "sandbox.docker.patience=" + f.patience.String(), "sandbox.image=host", "run.workers=2"}, f.sets...)
	if host != "" {
		sets = append(sets, "sandbox.docker.host="+host)
	}
	c, err := Load("cruxeval.yaml", sets...)
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		p = &trouble{}
	}
	p.t = t
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	return Run(ctx, c, p)
}

// build makes the dataset in spite of the trouble, and compares it with one that had none.
func (f *faults) build(t *testing.T, host string, p *trouble) *Report {
	t.Helper()
	out := t.TempDir()
	report, err := f.run(t, out, host, p)
	if err != nil {
		t.Fatal(err)
	}
	f.compare(t, out)
	f.nothingLeft(t)
	return report
}

func (f *faults) nothingLeft(t *testing.T) {
	t.Helper()
	if err := f.containers(func(_ context.Context, id string) error { return fmt.Errorf("container %.12s is left", id) }); err != nil {
		t.Error(err)
	}
}

func (f *faults) compare(t *testing.T, out string) {
	t.Helper()
	if got := digests(t, out); !reflect.DeepEqual(f.want, got) {
		t.Errorf("made\n%v\nwant\n%v", got, f.want)
	}
}

// Whatever happens to an engine, a build ends with the same bytes, or says what to do and does so when it is run again.
func TestFaults(t *testing.T) {
	f := &faults{testEngine: newTestEngine(t), sets: small(t, 18), patience: time.Minute}
	out := t.TempDir()
	if _, err := f.run(t, out, f.host(), nil); err != nil {
		t.Fatal(err)
	}
	f.want = digests(t, out)
	restart := func(signal syscall.Signal) func() {
		return func() {
			f.end(f.dockerd, signal)
			f.start()
		}
	}
	three := func(what func()) *trouble { return &trouble{at: map[int]func(){1: what, 2: what, 3: what}} }

	t.Run("engine killed and restarted three times", func(t *testing.T) {
		if r := f.build(t, f.host(), three(restart(syscall.SIGKILL))); r.Retries == 0 {
			t.Error("nothing met it")
		}
	})
	t.Run("engine stopped and restarted three times", func(t *testing.T) {
		if r := f.build(t, f.host(), three(restart(syscall.SIGTERM))); r.Retries == 0 {
			t.Error("nothing met it")
		}
	})
	t.Run("containers killed from outside", func(t *testing.T) {
		killed := 0
		if r := f.build(t, f.host(), three(func() { killed += f.kill() })); r.Retries == 0 || killed == 0 {
			t.Errorf("%d killed, %d retries", killed, r.Retries)
		}
	})
	t.Run("containers killed all the time", f.killedAllTheTime)
	t.Run("image removed", func(t *testing.T) {
		p := &trouble{at: map[int]func(){2: func() { f.prune(f.removeImages) }}}
		if f.build(t, f.host(), p); p.saidOf("was removed from the engine; getting it again") == 0 {
			t.Errorf("said %q", p.said)
		}
	})
	t.Run("volumes removed", func(t *testing.T) {
		p := &trouble{at: map[int]func(){2: func() { f.prune(f.removeVolumes) }}}
		if f.build(t, f.host(), p); p.saidOf("volume of the sandbox's files was removed") == 0 {
			t.Errorf("said %q", p.said)
		}
	})
	t.Run("disk full", f.diskFull)
	t.Run("socket removed, and made again", f.socketRemoved)
	t.Run("socket removed for good", f.socketGone)
	t.Run("engine hangs for a while", f.hangs)
	t.Run("slow", func(t *testing.T) { f.build(t, f.slow(t, 20*time.Millisecond), &trouble{}) })
	t.Run("remote", func(t *testing.T) {
		t.Setenv("DOCKER_HOST", remote)
		f.build(t, "", &trouble{})
	})
}

func (e *testEngine) removeImages(ctx context.Context) error {
	list, err := e.api.ImageList(ctx, client.ImageListOptions{})
	for _, image := range list.Items {
		_, removed := e.api.ImageRemove(ctx, image.ID, client.ImageRemoveOptions{Force: true})
		err = errors.Join(err, removed)
	}
	return err
}

func (e *testEngine) removeVolumes(ctx context.Context) error {
	list, err := e.api.VolumeList(ctx, client.VolumeListOptions{})
	for _, volume := range list.Items {
		_, removed := e.api.VolumeRemove(ctx, volume.Name, client.VolumeRemoveOptions{})
		err = errors.Join(err, removed)
	}
	return err
}

// Somebody kills one container after the other, whatever it does: the first as soon as it runs, since a fast machine is soon done.
// A part that has no luck fails; what is done is right.
func (f *faults) killedAllTheTime(t *testing.T) {
	out := t.TempDir()
	stop := make(chan struct{})
	var killer sync.WaitGroup
	killed := 0
	pause := 20 * time.Millisecond
	wait := func() bool {
		select {
		case <-stop:
			return false
		case <-time.After(pause):
			return true
		}
	}
	killer.Go(func() {
		for wait() {
			_ = f.containers(func(ctx context.Context, id string) error {
				if _, err := f.api.ContainerKill(ctx, id, client.ContainerKillOptions{Signal: "SIGKILL"}); err == nil {
					killed++
					pause = time.Second
					wait()
				}
				return nil
			})
		}
	})
	r, err := f.run(t, out, f.host(), nil)
	close(stop)
	killer.Wait()
	if killed == 0 {
		t.Error("nothing was killed")
	}
	if err != nil {
		if r == nil || !errors.Is(err, ErrIncomplete) {
			t.Fatal(err)
		}
		t.Logf("%d parts failed", len(r.PartsFailed))
		if _, err = f.run(t, out, f.host(), nil); err != nil {
			t.Fatal(err)
		}
	}
	f.compare(t, out)
	f.nothingLeft(t)
}

// A full disk ends the run with one message. When there is room, the same command goes on.
func (f *faults) diskFull(t *testing.T) {
	out := t.TempDir()
	full := func(err error) bool {
		return errors.Is(err, sandbox.ErrUnavailable) && strings.Contains(err.Error(), "its disk is full: make room there")
	}
	free := f.fill()
	_, err := f.run(t, out, f.host(), nil)
	free()
	if !full(err) || shard.Begun(out) {
		t.Fatalf("ended with %v; the directory is claimed: %v", err, shard.Begun(out))
	}
	free = nil
	p := &trouble{at: map[int]func(){2: func() {
		free = f.fill()
		f.kill()
	}}}
	_, err = f.run(t, out, f.host(), p)
	if free == nil {
		t.Fatal("the disk was not filled")
	}
	free()
	if !full(err) {
		t.Fatalf("ended with %v", err)
	}
	if p.saidOf("failed:") > 0 {
		t.Errorf("said %q", p.said)
	}
	r, err := f.run(t, out, f.host(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.PartsResumed < 2 {
		t.Errorf("%d parts resumed", r.PartsResumed)
	}
	f.compare(t, out)
	f.nothingLeft(t)
}

func (f *faults) socketRemoved(t *testing.T) {
	p := &trouble{}
	away := filepath.Join(f.dir, "away")
	p.at = map[int]func(){2: func() {
		if err := os.Rename(f.socket(), away); err != nil {
			t.Error(err)
		}
		f.kill()
		go func() {
			for deadline := time.Now().Add(time.Minute); p.saidOf("does not answer; waiting for it") == 0 && time.Now().Before(deadline); {
				time.Sleep(10 * time.Millisecond)
			}
			if err := os.Rename(away, f.socket()); err != nil {
				t.Error(err)
			}
		}()
	}}
	f.build(t, f.host(), p)
	if n := p.saidOf("does not answer; waiting for it"); n != 1 || p.saidOf("is back after") != 1 {
		t.Errorf("said %q", p.said)
	}
}

// An engine that stays away ends the run with the way out. When it is back, the same command goes on.
func (f *faults) socketGone(t *testing.T) {
	defer func(patience time.Duration) { f.patience = patience }(f.patience)
	f.patience = time.Second
	out := t.TempDir()
	away := filepath.Join(f.dir, "away")
	p := &trouble{at: map[int]func(){2: func() {
		if err := os.Rename(f.socket(), away); err != nil {
			t.Error(err)
		}
		f.kill()
	}}}
	_, err := f.run(t, out, f.host(), p)
	if renamed := os.Rename(away, f.socket()); renamed != nil {
		t.Fatal(renamed)
	}
	if !errors.Is(err, sandbox.ErrUnavailable) || !strings.Contains(err.Error(), "did not come back within 1s") || !strings.Contains(err.Error(), "start it (systemctl start docker)") {
		t.Fatalf("ended with %v", err)
	}
	if p.saidOf("does not answer; waiting for it") != 1 || p.saidOf("failed:") > 0 {
		t.Errorf("said %q", p.said)
	}
	r, err := f.run(t, out, f.host(), nil)
	if err != nil || r.PartsResumed < 2 {
		t.Fatalf("%v, %+v", err, r)
	}
	f.compare(t, out)
	// The containers of a run that could not reach its engine any more are removed by the next one when its process is dead, and
	// this one is not.
	f.prune(func(context.Context) error { return nil })
}

// An engine that is stopped for some seconds holds up all that passes through it.
func (f *faults) hangs(t *testing.T) {
	var resumed sync.WaitGroup
	f.build(t, f.host(), &trouble{at: map[int]func(){1: func() {
		if err := f.dockerd.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
		resumed.Go(func() {
			time.Sleep(3 * time.Second)
			if err := f.dockerd.cmd.Process.Signal(syscall.SIGCONT); err != nil {
				t.Error(err)
			}
		})
	}}})
	resumed.Wait()
}

// slow is the engine behind a socket that holds back all that passes.
func (f *faults) slow(t *testing.T, delay time.Duration) (host string) {
	path := filepath.Join(f.dir, "slow.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		open.Wait()
	})
	pass := func(to, from net.Conn) {
		buffer := make([]byte, 64<<10)
		for {
			n, err := from.Read(buffer)
			time.Sleep(delay)
			if n > 0 {
				if _, err := to.Write(buffer[:n]); err != nil {
					break
				}
			}
			if err != nil {
				break
			}
		}
		if half, ok := to.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
		_, _ = io.Copy(io.Discard, from)
	}
	open.Go(func() {
		for {
			mine, err := listener.Accept()
			if err != nil {
				return
			}
			engine, err := net.Dial("unix", f.socket())
			if err != nil {
				mine.Close()
				continue
			}
			open.Go(func() {
				defer mine.Close()
				defer engine.Close()
				var both sync.WaitGroup
				both.Go(func() { pass(engine, mine) })
				both.Go(func() { pass(mine, engine) })
				both.Wait()
			})
		}
	})
	return "unix://" + path
}
