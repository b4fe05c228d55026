package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// ExamineBwrap looks at bubblewrap, and at what the kernel gives this user. It makes nothing.
func ExamineBwrap(ctx context.Context, _ BwrapOptions) []Finding {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return []Finding{{Name: "bubblewrap", State: StateMissing, Detail: "there is no bwrap on PATH",
			Remedy: "install it (apt-get install bubblewrap, dnf install bubblewrap)"}}
	}
	version, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return []Finding{Missing("bubblewrap", fmt.Errorf("%s --version: %w; install it anew", path, err))}
	}
	findings := []Finding{found("bubblewrap", "%s at %s", strings.TrimSpace(string(version)), path), namespaces(ctx, path)}
	if _, err := findCgroups(); err != nil {
		findings = append(findings, warning("limits", fmt.Sprintf("%v: memory and processes are limited for each execution, but not for a sandbox as a whole", err),
			"run as root, or where control groups are delegated (systemd-run --user --scope -p Delegate=yes tracemill ...)"))
	} else {
		findings = append(findings, found("limits", "memory and processes, by control groups"))
	}
	if os.Geteuid() != 0 && !countsProcesses() {
		findings = append(findings, Finding{Name: "kernel", State: StateMissing, Detail: "the processes of a program cannot be limited for a user",
			Remedy: "use Linux 5.14 or later, or run as root"})
	}
	return findings
}

// namespaces tries what every sandbox needs, as what is set where differs between distributions, and looks at the settings only
// to say which one is in the way.
func namespaces(ctx context.Context, bwrap string) Finding {
	const name = "namespaces"
	out, err := exec.CommandContext(ctx, bwrap, "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", "--", "/bin/true").CombinedOutput()
	if err == nil {
		return found(name, "processes, network, mounts, IPC and users can have their own")
	}
	f := Finding{Name: name, State: StateMissing, Detail: fmt.Sprintf("bwrap: %v: %s", err, lastLine(string(out)))}
	for _, setting := range []struct{ path, bad, remedy string }{
		{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"},
		{"/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=15000"},
		{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
			"an AppArmor profile for bwrap that has userns, or sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	} {
		if firstLine(setting.path) == setting.bad {
			f.Remedy = fmt.Sprintf("%s is %s: as root, %s", setting.path, setting.bad, setting.remedy)
			return f
		}
	}
	f.Remedy = "allow user namespaces; inside a container, run it with a seccomp profile and capabilities that allow them"
	if errors.Is(err, syscall.EACCES) {
		f.Remedy = "make bwrap executable for this user"
	}
	return f
}
