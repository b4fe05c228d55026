package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
)

// engine is a connection to a Docker engine, or to one that speaks its language, such as Podman.
type engine struct {
	api    *client.Client
	fresh  func() (*client.Client, error) // another like api, without its connections
	me     owner
	log    func(string)
	outage outage
	podman bool
}

// connectTimeout bounds the first question to an engine: a local one answers in milliseconds, and a remote one that
// needs longer would make every start unbearable.
const connectTimeout = 10 * time.Second

// cleanTimeout bounds removals, which run on a context of their own: they matter most when the caller's has ended.
const cleanTimeout = 30 * time.Second

func connect(ctx context.Context, opts DockerOptions) (*engine, error) {
	settings := []client.Opt{client.FromEnv}
	host := opts.Host
	if host == "" && os.Getenv(client.EnvOverrideHost) == "" {
		host = rootlessSocket()
	}
	if host != "" {
		settings = append(settings, client.WithHost(host))
	}
	fresh := func() (*client.Client, error) { return client.New(settings...) }
	api, err := fresh()
	if err != nil {
		return nil, fmt.Errorf("docker: %w: %w; check DOCKER_HOST and the DOCKER_TLS settings", ErrUnavailable, err)
	}
	ask, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	pong, err := api.Ping(ask, client.PingOptions{NegotiateAPIVersion: true})
	if err == nil && pong.OSType != "" && pong.OSType != "linux" {
		err = fmt.Errorf("it runs %s containers", pong.OSType)
	}
	if err != nil {
		at := api.DaemonHost()
		_ = api.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("docker at %s: %w: %w; %s", at, ErrUnavailable, err, wayOut(err, at))
	}
	log := opts.Log
	if log == nil {
		log = func(string) {}
	}
	return &engine{api: api, fresh: fresh, me: self(), log: log, outage: newOutage(opts.Patience), podman: isPodman(ask, api)}, nil
}

// rootlessSocket is the socket of a user's own engine, when the system has none.
func rootlessSocket() string {
	system, err := client.ParseHostURL(client.DefaultDockerHost)
	if err != nil || exists(system.Host+system.Path) {
		return ""
	}
	for _, name := range []string{"docker.sock", "podman/podman.sock"} {
		path := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), name)
		if filepath.IsAbs(path) && exists(path) {
			return "unix://" + path
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func wayOut(err error, host string) string {
	switch text := err.Error(); {
	case strings.Contains(text, "permission denied"):
		return "join the group that owns the socket (usually docker), use rootless Docker, or set DOCKER_HOST"
	case errdefs.IsInvalidArgument(err):
		return "update the engine to Docker 19.03 or later"
	case strings.Contains(text, "containers"):
		return "switch the engine to Linux containers"
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("it did not answer within %s: restart the engine or set DOCKER_HOST", connectTimeout)
	case strings.HasPrefix(host, "unix://"):
		return "install Docker and start it (systemctl start docker), or set DOCKER_HOST to an engine"
	}
	return "check that the engine runs and that DOCKER_HOST names it"
}

// cleaning returns a context that outlives the cancellation of ctx.
func cleaning(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), cleanTimeout)
}

// removeContainer also kills. A container that is gone, or that somebody else is removing, is no error.
func (e *engine) removeContainer(ctx context.Context, id string) error {
	for i := 1; ; i++ {
		_, err := e.api.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
		if err == nil || errdefs.IsNotFound(err) || isBeingRemoved(err) {
			return nil
		}
		if ctx.Err() != nil || i == attempts || !hasJustEnded(err) {
			return fmt.Errorf("remove container %.12s: %w", id, err)
		}
		time.Sleep(time.Duration(i) * 50 * time.Millisecond)
	}
}

// hasJustEnded says whether a container ended between an engine's look at it and its kill, which Podman reports.
func hasJustEnded(err error) bool {
	return strings.Contains(err.Error(), "container state improper")
}

func isBeingRemoved(err error) bool {
	return errdefs.IsConflict(err) && strings.Contains(err.Error(), "already in progress")
}

func (e *engine) removeVolume(ctx context.Context, name string) error {
	_, err := e.api.VolumeRemove(ctx, name, client.VolumeRemoveOptions{})
	if err == nil || errdefs.IsNotFound(err) {
		return nil
	}
	return fmt.Errorf("remove volume %s: %w", name, err)
}

// ociRuntime is what the engine runs containers with, "" where it does not say.
func (d *docker) ociRuntime(ctx context.Context) string {
	if d.opts.OCIRuntime != "" {
		return d.opts.OCIRuntime
	}
	got, err := d.api.Info(ctx, client.InfoOptions{})
	if err != nil {
		return ""
	}
	return got.Info.DefaultRuntime
}
