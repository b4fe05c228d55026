package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/moby/moby/client"
	"golang.org/x/sync/errgroup"
)

// DockerOptions say which engine and which image. The zero value takes the default engine and image.
type DockerOptions struct {
	Host       string       // "unix:///run/docker.sock", "tcp://..."; empty: DOCKER_HOST, else the usual sockets
	Image      string       // "auto", "auto:REFERENCE", "host", "tar:PATH" or a reference; empty: "auto"
	Python     string       // the interpreter that "host" copies; empty: python3 on PATH
	BuildID    string       // for labels
	OutputDir  string       // for labels
	OCIRuntime string       // "runsc" for gVisor; empty: the engine's default
	Seccomp    string       // "default", "engine" or a profile's path; empty: "default"
	Log        func(string) // notices for the user; may be called from several goroutines
}

// startsAtOnce bounds concurrent starts. Engines slow down, and some break, when many containers are made at once.
const startsAtOnce = 4

// docker is the Runtime of one image in one engine.
type docker struct {
	*engine
	image    Image
	root     rootFS
	opts     DockerOptions
	security []string // of every container
	id       string   // label of all that this runtime makes
	files    *fileVolumes
	starting chan struct{}
	life     context.Context // ends at Close, and with it the starts that are under way
	end      context.CancelFunc

	mu     sync.Mutex
	live   map[*dockerProcess]struct{}
	closed bool
	starts sync.WaitGroup // added to only while not closed
}

// OpenDocker connects to an engine, sees to the image, and removes what dead builds of this machine left behind.
func OpenDocker(ctx context.Context, opts DockerOptions) (Runtime, error) {
	e, err := connect(ctx, opts)
	if err != nil {
		return nil, err
	}
	e.sweep(ctx)
	d := newDocker(e, opts)
	if d.security, err = e.securityOptions(ctx, opts.Seccomp); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	image, root, err := d.resolve(ctx, opts)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.image, d.root = image, root
	return d, nil
}

// newDocker returns a runtime that has no image yet; rootFS says what it starts.
func newDocker(e *engine, opts DockerOptions) *docker {
	id := strings.ToLower(rand.Text()[:12])
	d := &docker{
		engine: e, opts: opts, id: id,
		starting: make(chan struct{}, startsAtOnce),
		live:     map[*dockerProcess]struct{}{},
	}
	d.life, d.end = context.WithCancel(context.Background())
	d.files = &fileVolumes{d: d}
	return d
}

func (d *docker) Name() string { return "docker" }

func (d *docker) Image() Image { return d.image }

func (d *docker) labels(name string) map[string]string {
	labels := d.me.labels()
	maps.Copy(labels, map[string]string{
		labelRuntime: d.id, labelName: name, labelBuild: d.opts.BuildID, labelOutput: d.opts.OutputDir,
	})
	return labels
}

func (d *docker) Start(ctx context.Context, spec Spec) (Process, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.starts.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(d.life, func() { cancel(os.ErrClosed) })()
	p, err := d.startInTurn(ctx, spec)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("start sandbox %s: %w", spec.Name, err)
	}
	return p, nil
}

func (d *docker) startInTurn(ctx context.Context, spec Spec) (*dockerProcess, error) {
	select {
	case d.starting <- struct{}{}:
		defer func() { <-d.starting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	volume, err := d.files.volume(ctx, d.root, spec.Files)
	if err != nil {
		return nil, err
	}
	var p *dockerProcess
	err = d.retry(ctx, "start sandbox "+spec.Name, func() (err error) {
		p, err = d.start(ctx, d.root, spec, volume)
		return err
	})
	return p, err
}

// enter makes Close wait for a start.
func (d *docker) enter() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return fmt.Errorf("docker runtime: %w", os.ErrClosed)
	}
	d.starts.Add(1)
	return nil
}

func (d *docker) keep(p *dockerProcess) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.live[p] = struct{}{}
}

func (d *docker) forget(p *dockerProcess) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.live, p)
}

// Close works on a context of its own, because it must also work after an interrupt.
func (d *docker) Close() error {
	d.mu.Lock()
	first := !d.closed
	d.closed = true
	d.mu.Unlock()
	if !first {
		return nil
	}
	d.end()
	d.starts.Wait()
	d.mu.Lock()
	live := slices.Collect(maps.Keys(d.live))
	d.mu.Unlock()
	var group errgroup.Group
	group.SetLimit(startsAtOnce)
	for _, p := range live {
		group.Go(p.Close)
	}
	err := group.Wait()

	ctx, cancel := cleaning(context.Background())
	defer cancel()
	// Whatever we lost track of, such as a container whose creation was answered after we stopped listening.
	mine := client.Filters{}.Add("label", labelRuntime+"="+d.id)
	err = errors.Join(err, d.removeAll(ctx, mine, func(owned) bool { return true }))
	_ = d.api.Close()
	return err
}

// check refuses what no runtime can start, before anything is made.
func (s Spec) check() error {
	if len(s.Command) == 0 || !strings.HasPrefix(s.Command[0], "/") {
		return fmt.Errorf("sandbox %s: command %q must begin with an absolute path, such as Image.Python", s.Name, s.Command)
	}
	for name := range s.Files {
		if !fs.ValidPath(name) || name == "." {
			return fmt.Errorf("sandbox %s: file %q must be a clean relative path", s.Name, name)
		}
	}
	for key := range s.Env {
		if key == "" || strings.ContainsAny(key, "=\x00") {
			return fmt.Errorf("sandbox %s: bad name of an environment variable %q", s.Name, key)
		}
	}
	return nil
}
