package sandbox

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/moby/moby/api/types/system"
	"github.com/moby/moby/client"

	"github.com/tracemill/tracemill/sandbox/seccomp"
)

// ExamineDocker looks at an engine: whether it answers, and what it has of that which a container is bounded by. It makes nothing.
func ExamineDocker(ctx context.Context, opts DockerOptions) []Finding {
	e, err := connect(ctx, opts)
	if err != nil {
		return []Finding{Missing("engine", err)}
	}
	defer e.api.Close()
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	got, err := e.api.Info(ctx, client.InfoOptions{})
	if err != nil {
		return []Finding{Missing("engine", fmt.Errorf("docker at %s: ask what it has: %w; restart the engine", e.api.DaemonHost(), err))}
	}
	info := &got.Info
	findings := []Finding{found("engine", "%s %s at %s, API %s%s", e.kind(), info.ServerVersion, e.api.DaemonHost(), e.api.ClientVersion(), rootless(info))}
	findings = append(findings, limits(info)...)
	findings = append(findings, seccompOf(info, opts.Seccomp), ociRuntimes(info, opts.OCIRuntime))
	if strings.HasPrefix(e.api.DaemonHost(), "unix://") {
		if room, ok := RoomIn("disk", info.DockerRootDir, engineRoom, "docker system df shows what takes it"); ok {
			findings = append(findings, room)
		}
	}
	return findings
}

func (e *engine) kind() string {
	if e.podman {
		return "Podman"
	}
	return "Docker"
}

func rootless(info *system.Info) string {
	if slices.ContainsFunc(info.SecurityOptions, func(s string) bool { return strings.Contains(s, "name=rootless") }) {
		return ", rootless"
	}
	return ""
}

// limits are what bounds a container as a whole: without one of them the engine only warns, and the container has no such limit.
func limits(info *system.Info) []Finding {
	cgroups := "control groups"
	if info.CgroupVersion != "" {
		cgroups += " " + info.CgroupVersion
	}
	var lacking []string
	for _, limit := range []struct {
		name string
		has  bool
	}{{"memory", info.MemoryLimit}, {"processes", info.PidsLimit}, {"CPU", info.CPUCfsQuota}} {
		if !limit.has {
			lacking = append(lacking, limit.name)
		}
	}
	if info.CgroupDriver == "none" || len(lacking) == 3 {
		return []Finding{warning("limits", "the engine has no control groups: only each execution is limited, not a container as a whole",
			"rootless engines need control groups 2 that are delegated to the user: see rootless mode in Docker's manual")}
	}
	if len(lacking) > 0 {
		return []Finding{warning("limits", fmt.Sprintf("%s: the engine cannot limit %s", cgroups, strings.Join(lacking, ", ")),
			"enable the controllers in the kernel's command line (cgroup_enable=memory), and delegate them where the engine is rootless")}
	}
	findings := []Finding{found("limits", "memory, processes and CPU, by %s (%s)", cgroups, info.CgroupDriver)}
	if !info.SwapLimit {
		findings = append(findings, warning("swap", "the engine cannot limit swap: on a machine with swap, a container may take more memory than its limit",
			"turn swap off, or boot with swapaccount=1"))
	}
	return findings
}

func seccompOf(info *system.Info, setting string) Finding {
	for _, option := range info.SecurityOptions {
		if strings.Contains(option, "name=seccomp") {
			return found("seccomp", "the engine applies profiles")
		}
	}
	f := Finding{Name: "seccomp", State: StateMissing, Detail: "the engine applies no seccomp profiles, and starts nothing that asks for one",
		Remedy: "use an engine and a kernel that have seccomp, or set sandbox.docker.seccomp to engine"}
	if setting == seccomp.Engine {
		f.State, f.Remedy = StateWarning, "use an engine and a kernel that have seccomp"
	}
	return f
}

func ociRuntimes(info *system.Info, wanted string) Finding {
	names := slices.Sorted(maps.Keys(info.Runtimes))
	var short []string
	for _, name := range names {
		if !strings.HasPrefix(name, "io.containerd.") {
			short = append(short, name)
		}
	}
	if wanted != "" && !slices.Contains(names, wanted) {
		return Finding{Name: "OCI runtime", State: StateMissing, Detail: fmt.Sprintf("the engine has no %q, but %s", wanted, strings.Join(short, ", ")),
			Remedy: addOCIRuntime(wanted)}
	}
	if wanted == "" {
		wanted = info.DefaultRuntime
	}
	return found("OCI runtime", "%s, of %s", wanted, strings.Join(short, ", "))
}

// addOCIRuntime is what to do about an OCI runtime that the engine does not have.
func addOCIRuntime(name string) string {
	return fmt.Sprintf("install it and name it in the engine's daemon.json (runtimes: {%q: {path: ...}}), or leave sandbox.docker.oci_runtime empty", name)
}

// engineRoom is what an image and its containers take: an interpreter with its libraries is some 80 MB, and is written twice.
const engineRoom = 512 << 20

// RoomIn is how much is free where dir is, or is to be made; not ok where that cannot be seen. wanted is in bytes.
func RoomIn(name, dir string, wanted uint64, remedy string) (f Finding, ok bool) {
	var fs syscall.Statfs_t
	for syscall.Statfs(dir, &fs) != nil {
		up := path.Dir(dir)
		if dir == "" || up == dir {
			return f, false
		}
		dir = up
	}
	free := fs.Bavail * uint64(fs.Bsize)
	detail := fmt.Sprintf("%.1f GB free in %s", float64(free)/1e9, dir)
	if free < wanted {
		return warning(name, detail, "make room; "+remedy), true
	}
	return found(name, "%s", detail), true
}
