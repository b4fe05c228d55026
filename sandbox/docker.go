package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
)

// DockerOptions say which engine and which image. The zero value takes the default engine and image.
type DockerOptions struct {
	Host       string // "unix:///run/docker.sock", "tcp://..."; empty: DOCKER_HOST, else the usual sockets
	Image      string // "auto", "auto:REFERENCE", "host", "tar:PATH" or a reference; empty: "auto"
	Python     string // the interpreter that "host" copies; empty: python3 on PATH
	BuildID    string // for labels
	OutputDir  string // for labels
	OCIRuntime string // "runsc" for gVisor; empty: the engine's default
	Seccomp    string // "default", "engine" or a profile's path; empty: "default"
	// Patience is how long a start waits for an engine that went away; default two minutes: a restart takes seconds, one by a
	// service manager that holds back after several failures a minute.
	Patience time.Duration
	Log      func(string) // notices for the user; may be called from several goroutines
}

// docker is the Runtime of one image in one engine.
type docker struct {
	*engine
	image    Image
	rooted   sync.Mutex // guards root
	root     rootFS
	opts     DockerOptions
	security []string // of every container
	id       string   // label of all that this runtime makes
	files    *fileVolumes
	live     *live
	// fixesDevices says that /dev can be read-only: in Docker with runc. Of others it is not known.
	fixesDevices bool
}

// OpenDocker connects to an engine, sees to the image, and removes what dead builds of this machine left behind.
func OpenDocker(ctx context.Context, opts DockerOptions) (Runtime, error) {
	e, err := connect(ctx, opts)
	if err != nil {
		return nil, err
	}
	e.sweep(ctx)
	d := newDocker(e, opts)
	if d.security, err = e.securityOptions(opts.Seccomp); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.fixesDevices = !e.podman && d.ociRuntime(ctx) == "runc"
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
	d := &docker{engine: e, opts: opts, id: id, live: newLive("docker")}
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
	return d.live.start(ctx, spec, func(ctx context.Context) (p *process, err error) {
		for range attempts {
			root, err := d.present(ctx)
			if err != nil {
				return nil, err
			}
			err = d.retry(ctx, "start sandbox "+spec.Name, func(ctx context.Context) error {
				volume, err := d.files.volume(ctx, root, spec.Files)
				if err == nil {
					p, err = d.start(ctx, root, spec, volume)
				}
				return err
			})
			if !errdefs.IsNotFound(err) { // else somebody removed a part of it in between
				return p, err
			}
		}
		return p, err
	})
}

// Close works on a context of its own, because it must also work after an interrupt.
func (d *docker) Close() error {
	first, err := d.live.close()
	if !first {
		return nil
	}
	ctx, cancel := cleaning(context.Background())
	defer cancel()
	// Whatever we lost track of, such as a container whose creation was answered after we stopped listening.
	mine := client.Filters{}.Add("label", labelRuntime+"="+d.id)
	err = errors.Join(err, d.removeAll(ctx, mine, func(owned) bool { return true }))
	_ = d.api.Close()
	return err
}
