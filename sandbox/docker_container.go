package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"
	"github.com/moby/moby/client/pkg/versions"
)

// rootFS is an image as an engine knows it, and what its configuration would add to a container unasked.
type rootFS struct {
	ref     string   // what to create containers from: an engine's image id
	env     []string // KEY=value
	volumes []string // paths that would become writable anonymous volumes
}

func (l Limits) withDefaults() Limits {
	if l.Memory == 0 {
		l.Memory = 1 << 30
	}
	if l.PIDs == 0 {
		l.PIDs = 128
	}
	if l.CPUs == 0 {
		l.CPUs = 1
	}
	if l.Tmpfs == 0 {
		l.Tmpfs = 64 << 20
	}
	return l
}

// maxOpenFiles bounds what a leak of descriptors can take from the engine's machine.
const maxOpenFiles = 1024

// maxFiles bounds the files in /tmp: each takes the kernel a kilobyte that the size does not count, and time to remove.
const maxFiles = 16384

// nothing is the options of a mount that hides what the engine would put there.
const nothing = "ro,noexec,nosuid,nodev,size=4k"

// fixedDevices is the options of a /dev that runc fills and then makes read-only, so that no program can set the times of a device
// for the next to see.
const fixedDevices = "ro,dev,noexec,nosuid,mode=755,size=64k"

// start makes one attempt: a container that is attached to, waited for and only then started, so that neither its
// first bytes nor its exit code can be missed.
func (d *docker) start(ctx context.Context, root rootFS, spec Spec, volume string) (*process, error) {
	created, err := d.api.ContainerCreate(ctx, client.ContainerCreateOptions{
		Config:     d.config(root, spec),
		HostConfig: d.hostConfig(root, spec.Limits.withDefaults(), volume),
	})
	if lacksOCIRuntime(err, d.opts.OCIRuntime) {
		return nil, fmt.Errorf("create container: %w; %s", err, addOCIRuntime(d.opts.OCIRuntime))
	}
	if err != nil {
		return nil, fmt.Errorf("create container: %w", err)
	}
	for _, warning := range created.Warnings {
		d.log("docker: " + warning)
	}
	p, err := d.launch(ctx, spec.Name, created.ID)
	if err != nil {
		clean, cancel := cleaning(ctx)
		defer cancel()
		return nil, errors.Join(err, d.removeContainer(clean, created.ID))
	}
	return p, nil
}

// lacksOCIRuntime reports whether an engine refused a container for want of the OCI runtime: "Unknown runtime specified NAME",
// and since Docker 23 "unknown or invalid runtime name: NAME".
func lacksOCIRuntime(err error, name string) bool {
	if err == nil || name == "" {
		return false
	}
	text := err.Error()
	return strings.Contains(strings.ToLower(text), "unknown") && strings.Contains(text, "runtime") && strings.Contains(text, name)
}

func (d *docker) launch(ctx context.Context, name, id string) (*process, error) {
	attached, err := d.api.ContainerAttach(ctx, id, client.ContainerAttachOptions{Stream: true, Stdin: true, Stdout: true, Stderr: true})
	if err != nil {
		return nil, fmt.Errorf("attach to container %.12s: %w", id, err)
	}
	stream := &demux{r: bufio.NewReaderSize(attached.Conn, readBuffer), errs: &tail{}}
	c := &dockerContainer{d: d, id: id, conn: attached.Conn}
	p := newProcess(ctx, name, c, attached.Conn, stream, stream.errs.String)
	c.ended = d.api.ContainerWait(p.life, id, client.ContainerWaitOptions{Condition: container.WaitConditionNextExit})
	p.run()
	d.live.keep(p)
	if _, err := d.api.ContainerStart(ctx, id, client.ContainerStartOptions{}); err != nil {
		return nil, errors.Join(fmt.Errorf("start container %.12s: %w", id, err), p.Close())
	}
	return p, nil
}

func (d *docker) tmpfs(size int64) string {
	options := fmt.Sprintf("rw,noexec,nosuid,nodev,mode=1777,size=%d", size)
	if d.podman { // has no option for the number of files, which the memory limit then bounds alone
		return options
	}
	return options + fmt.Sprintf(",nr_inodes=%d", maxFiles)
}

func (d *docker) config(root rootFS, spec Spec) *container.Config {
	return &container.Config{
		Image: root.ref,
		// The command is PID 1 whatever the image has for an entry point, so that its end ends every process inside.
		Entrypoint: spec.Command,
		Cmd:        []string{},
		Env:        environment(root, spec.Env),
		// Root, but without the powers of root: see CapAdd.
		User:       "0:0",
		WorkingDir: "/",
		Hostname:   "tracemill",
		Labels:     d.labels(spec.Name),
		// StdinOnce closes stdin when our connection ends, even by SIGKILL. A command that ends at the end of its
		// stdin therefore never outlives us.
		AttachStdin: true, OpenStdin: true, StdinOnce: true,
		AttachStdout: true, AttachStderr: true,
		StopSignal:  "SIGKILL",
		Healthcheck: &container.HealthConfig{Test: []string{"NONE"}},
	}
}

// environment is exactly want. A variable without "=" is how the API takes away what the image or the engine would
// add. HOME cannot be taken away: the OCI runtime sets it when it is missing.
func environment(root rootFS, want map[string]string) []string {
	all := map[string]string{"HOME": "HOME=/tmp", "PATH": "PATH", "HOSTNAME": "HOSTNAME", "TERM": "TERM"}
	for _, pair := range root.env {
		key, _, _ := strings.Cut(pair, "=")
		if _, known := all[key]; !known {
			all[key] = key
		}
	}
	for key, value := range want {
		all[key] = key + "=" + value
	}
	env := make([]string, 0, len(all))
	for _, pair := range all {
		env = append(env, pair)
	}
	slices.Sort(env)
	return env
}

func (d *docker) hostConfig(root rootFS, limits Limits, volume string) *container.HostConfig {
	no := false
	host := &container.HostConfig{
		NetworkMode:    "none",
		ReadonlyRootfs: true,
		CapDrop:        []string{"ALL"},
		// What a fork server needs to change a child's user and then to kill it. It reads only what everybody may
		// read and owns its files, so that neither CHOWN nor DAC_OVERRIDE is wanted.
		CapAdd:      []string{"SETUID", "SETGID", "KILL"},
		SecurityOpt: d.security,
		// No /dev/shm, and below no /dev/mqueue: they would be places writable by every child that outlive a child.
		IpcMode: "none",
		// Nor the same without a path: System V segments, queues and semaphores, POSIX queues.
		Sysctls: map[string]string{
			"kernel.shmmni": "0", "kernel.msgmni": "0", "kernel.sem": "0 0 0 0", "fs.mqueue.queues_max": "0",
			// Nor connections over lo that are over, whose addresses would stay in use for a minute.
			"net.ipv4.tcp_max_tw_buckets": "0",
		},
		LogConfig:   container.LogConfig{Type: "none"}, // a print loop must not fill the engine's disk
		OomScoreAdj: 500,                               // when the machine is short, cases go before the engine and us
		Init:        &no,
		Runtime:     d.opts.OCIRuntime,
		Tmpfs: map[string]string{
			"/tmp":        d.tmpfs(limits.Tmpfs),
			"/dev/mqueue": nothing,
			"/dev/pts":    nothing, // terminals
		},
		Resources: container.Resources{
			Memory: limits.Memory, MemorySwap: limits.Memory, // equal: no swap, which would defeat the limit
			NanoCPUs:  int64(limits.CPUs * 1e9),
			PidsLimit: &limits.PIDs,
			Ulimits: []*container.Ulimit{
				{Name: "core", Soft: 0, Hard: 0},
				{Name: "nofile", Soft: maxOpenFiles, Hard: maxOpenFiles},
			},
		},
	}
	if d.fixesDevices {
		host.Tmpfs["/dev"] = fixedDevices
	}
	for _, path := range root.volumes {
		host.Tmpfs[path] = nothing
	}
	if versions.GreaterThanOrEqualTo(d.api.ClientVersion(), "1.41") {
		host.CgroupnsMode = container.CgroupnsModePrivate
	}
	if volume != "" {
		host.Mounts = []mount.Mount{{Type: mount.TypeVolume, Source: volume, Target: FilesDir, ReadOnly: true,
			VolumeOptions: &mount.VolumeOptions{NoCopy: true}}}
	}
	return host
}
