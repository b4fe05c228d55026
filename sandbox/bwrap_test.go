//go:build linux

package sandbox

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

func sharedBwrap(t *testing.T) (*bwrap, variant) {
	t.Helper()
	v, err := variants[1].open()
	if errors.Is(err, ErrUnavailable) {
		missing(t, variants[1].needs, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v.Runtime.(*bwrap), v
}

// TestBwrapOrphan kills a build by SIGKILL: what it ran under bubblewrap dies with it, and the next removes its control groups.
func TestBwrapOrphan(t *testing.T) {
	b, _ := sharedBwrap(t)
	cmd := startOrphan(t, "bwrap", bwraps.cache)
	theirs := startsBelow(cmd.Process.Pid)
	if len(theirs) < 2 {
		t.Fatalf("processes of the other build: %v, want bubblewrap and its child", theirs)
	}
	if b.cgroups != nil {
		b.cgroups.sweep()
		if left := cgroupsOf(b, cmd.Process.Pid); len(left) == 0 {
			t.Errorf("a sweep removed a living build's control groups")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	ctx := testContext(t)
	gone(t, theirs)
	if b.cgroups == nil {
		return
	}
	for b.cgroups.sweep(); len(cgroupsOf(b, cmd.Process.Pid)) > 0; b.cgroups.sweep() { // the kernel may need a moment
		if ctx.Err() != nil {
			t.Fatalf("left by a dead build: %v", cgroupsOf(b, cmd.Process.Pid))
		}
	}
}

// TestStageTakesAlong kills a stage's command before what it has started could ask to die with it.
func TestStageTakesAlong(t *testing.T) {
	b, _ := sharedBwrap(t)
	s := stage{Tmp: b.tmp, Options: "mode=1777,size=1m", Command: []string{"/bin/sh", "-c", "setsid sleep 1000 & echo started; wait"}}
	argument, err := s.argument()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{stageName, argument}, Stderr: os.Stderr, SysProcAttr: stageAttributes(os.Geteuid() == 0, b.user)}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Errorf("the stage said %q, %v", line, err)
	}
	theirs := startsBelow(cmd.Process.Pid)
	if len(theirs) != 1 {
		t.Errorf("processes below the stage: %v, want one", theirs)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait()
	gone(t, theirs)
}

// startsBelow is when each of the processes that descend from one was started.
func startsBelow(root int) map[int]string {
	starts := map[int]string{}
	for _, pid := range descendants(root) {
		starts[pid] = startOf(pid)
	}
	return starts
}

// gone waits until these processes have ended.
func gone(t *testing.T, starts map[int]string) {
	t.Helper()
	ctx := testContext(t)
	for pid, start := range starts {
		for start != "" && startOf(pid) == start {
			select {
			case <-ctx.Done():
				t.Fatalf("process %d outlives its killed build", pid)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}

func cgroupsOf(b *bwrap, pid int) []string {
	var all []string
	for _, dir := range b.cgroups.dirs {
		found, _ := filepath.Glob(filepath.Join(dir, cgroupPrefix+"*-"+strconv.Itoa(pid)+"-*"))
		all = append(all, found...)
	}
	return all
}

// The same interpreter gives the same image, by whatever runtime, and the same in it.
func TestBwrapImageIsDocker(t *testing.T) {
	if testing.Short() {
		t.Skip("short: an image for each interpreter")
	}
	sharedBwrap(t)
	for _, python := range interpreters(t) {
		t.Run(python, func(t *testing.T) {
			d := openWith(t, DockerOptions{Image: imageHost, Python: python})
			r, err := OpenBwrap(testContext(t), BwrapOptions{Python: python, CacheDir: bwraps.cache})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}()
			if r.Image() != d.Image() {
				t.Errorf("image %+v, in Docker %+v", r.Image(), d.Image())
			}
			var got, want map[string]any
			receiveJSON(t, startScript(t, d, imports), &want)
			receiveJSON(t, startScript(t, r, imports), &got)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("inside: %v, in Docker %v", got, want)
			}
		})
	}
}

// TestBwrapTar runs the root file system of the host image as a tar, which is what docker export would give.
func TestBwrapTar(t *testing.T) {
	ctx := testContext(t)
	sharedBwrap(t)
	py, err := findInterpreter(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	files, err := hostTree(ctx, py)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "root.tar")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writeLayer(file, py, files); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // made, and found
		r, err := OpenBwrap(ctx, BwrapOptions{Image: imageTar + path, CacheDir: bwraps.cache})
		if err != nil {
			t.Fatal(err)
		}
		found, err := readArchive(path)
		if want := (Image{imageTar + path, found.digest, py.inside(py.Executable), py.Version}); err != nil || r.Image() != want {
			t.Errorf("image %+v, want %+v, %v", r.Image(), want, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestBwrapBadImages(t *testing.T) {
	sharedBwrap(t)
	saved := filepath.Join(t.TempDir(), "saved.tar")
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	if err := addFile(w, "manifest.json", 24, strings.NewReader(`[{"Config": "abc.json"}]`)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), os.WriteFile(saved, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	for image, want := range map[string]string{
		"python:3.12-slim":       "docker export",
		"tar:/nonexistent.tar":   "no such file",
		imageTar + saved:         "docker export",
		imageTar + "/dev/null":   "it is empty",
		imageTar + os.Args[0]:    "as a tar",
		imageAuto + ":something": "",
	} {
		r, err := OpenBwrap(testContext(t), BwrapOptions{Image: image, CacheDir: bwraps.cache})
		if err == nil {
			err = r.Close()
			if want != "" || err != nil {
				t.Errorf("%s: opened, closed with %v", image, err)
			}
			continue
		}
		if want == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", image, err, want)
		}
	}
	if _, err := OpenBwrap(testContext(t), BwrapOptions{Seccomp: "engine", CacheDir: bwraps.cache}); err == nil || !strings.Contains(err.Error(), "no profile of its own") {
		t.Errorf("seccomp engine: %v", err)
	}
}

// A directory that bubblewrap's user cannot enter is told, whether its group or what it says comes first.
func TestBwrapClosedCache(t *testing.T) {
	sharedBwrap(t)
	if os.Geteuid() != 0 {
		t.Skip("only root can run bubblewrap as another user")
	}
	closed := filepath.Join(openTempDir(t), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		r, err := OpenBwrap(testContext(t), BwrapOptions{User: nobody, CacheDir: filepath.Join(closed, "cache")})
		if err == nil {
			t.Fatal("opened", r.Close())
		}
		for _, want := range []string{"permission denied", "user 65534 may not enter " + closed + ":", "sandbox.bwrap.cache_dir"} {
			if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want %q in it", err, want)
			}
		}
	}
}

// openTempDir is a temporary directory that every user can enter.
func openTempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestClosedTo(t *testing.T) {
	top := openTempDir(t)
	dir := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	own, other := uint32(os.Geteuid()), uint32(os.Geteuid()+4321)
	for _, test := range []struct {
		mode os.FileMode
		user uint32
		want string
	}{{0o755, other, ""}, {0o711, other, ""}, {0o750, other, filepath.Join(top, "a")}, {0o700, 0, ""}, {0o700, own, ""}} {
		if err := os.Chmod(filepath.Join(top, "a"), test.mode); err != nil {
			t.Fatal(err)
		}
		if got := closedTo(test.user, dir); got != test.want {
			t.Errorf("%o, user %d: %q, want %q", test.mode, test.user, got, test.want)
		}
	}
}

// unpack keeps to its directory, whatever the archive says.
func TestUnpackStaysInside(t *testing.T) {
	for name, headers := range map[string][]tar.Header{
		"a path that leads out": {{Name: "../out", Typeflag: tar.TypeReg}},
		"through a link":        {{Name: "link", Typeflag: tar.TypeSymlink, Linkname: ".."}, {Name: "link/out", Typeflag: tar.TypeReg}},
		"through an absolute link": {{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/"},
			{Name: "link/tmp/out", Typeflag: tar.TypeReg}},
		"a hard link that leads out": {{Name: "out", Typeflag: tar.TypeLink, Linkname: "../secret"}},
	} {
		top := t.TempDir()
		dir := filepath.Join(top, "root")
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(top, "secret"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		for _, h := range headers {
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := unpack(&out, dir); err == nil {
			t.Errorf("%s: unpacked", name)
		}
		if entries, _ := os.ReadDir(top); len(entries) != 2 {
			t.Errorf("%s: %v is beside the root", name, entries)
		}
	}
}

func TestStoreSweep(t *testing.T) {
	dir := t.TempDir()
	s, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.add(func(root string) (string, error) {
		// While one is being made, another run begins and sweeps.
		s.sweep()
		return "sha256:abc", os.Mkdir(filepath.Join(root, "closed"), 0o500)
	})
	if err != nil || !exists(s.root(id)) {
		t.Fatalf("%s, %v", id, err)
	}
	failed := errors.New("no")
	if _, err := s.add(func(string) (string, error) { return "", failed }); !errors.Is(err, failed) {
		t.Errorf("add: %v", err)
	}
	// Two that are the same are one.
	if _, err := s.add(func(string) (string, error) { return id, nil }); err != nil {
		t.Error(err)
	}
	killed := filepath.Join(dir, "roots", unfinished+"1")
	if err := os.Mkdir(killed, 0o755); err != nil {
		t.Fatal(err)
	}
	dead := self().labels()
	dead[labelPIDStart] = "1"
	text := `{"` + labelMark + `":"1","` + labelHost + `":` + strconv.Quote(dead[labelHost]) + `,"` + labelBoot + `":` + strconv.Quote(dead[labelBoot]) +
		`,"` + labelPID + `":"` + dead[labelPID] + `","` + labelPIDStart + `":"1"}`
	if err := os.WriteFile(filepath.Join(killed, "owner.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "roots"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "abc" {
		t.Errorf("roots: %v, %v", entries, err)
	}
}

func TestCgroupDirs(t *testing.T) {
	for name, test := range map[string]struct {
		mine, mounts string
		want         map[string]string
	}{
		"version 2": {
			"0::/user.slice/user-1000.slice/app.scope\n",
			"29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
			map[string]string{"": "/sys/fs/cgroup/user.slice/user-1000.slice/app.scope"},
		},
		"version 1": {
			"5:memory:/jobs/7\n4:cpu,cpuacct:/\n3:pids:/jobs\n2:name=systemd:/x\n",
			"30 29 0:1 / /cg/memory rw - cgroup cgroup rw,memory\n31 29 0:2 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n32 29 0:3 / /cg/pids rw - cgroup cgroup rw,pids\n",
			map[string]string{"memory": "/cg/memory/jobs/7", "pids": "/cg/pids/jobs", "cpu": "/cg/cpu", "cpuacct": "/cg/cpu"},
		},
		"a container that sees its own group as the root": {
			"0::/\n", "29 23 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup ro\n", map[string]string{"": "/sys/fs/cgroup"},
		},
		"mounted from below": {
			"5:memory:/docker/abc/inner\n", "30 29 0:1 /docker/abc /cg/memory rw - cgroup cgroup rw,memory\n", map[string]string{"memory": "/cg/memory/inner"},
		},
		"another's": {"5:memory:/jobs/7\n", "30 29 0:1 /docker/abc /cg/memory rw - cgroup cgroup rw,memory\n", map[string]string{}},
		"none":      {"", "23 1 0:5 / /proc rw - proc proc rw\n", map[string]string{}},
	} {
		if got := cgroupDirs(test.mine, test.mounts); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestWayIn(t *testing.T) {
	for name, test := range map[string]struct {
		rootless bool
		settings map[string]string
		want     string
	}{
		"Debian's switch": {true, map[string]string{"/proc/sys/kernel/unprivileged_userns_clone": "0"}, "kernel.unprivileged_userns_clone=1"},
		"no namespaces":   {true, map[string]string{"/proc/sys/user/max_user_namespaces": "0"}, "user.max_user_namespaces"},
		"AppArmor":        {true, map[string]string{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}, "AppArmor"},
		"something else":  {true, nil, "SELinux"},
		"root":            {false, nil, "--privileged"},
	} {
		got := wayIn(test.rootless, func(path string) string { return test.settings[path] })
		if !strings.Contains(got, test.want) || !strings.Contains(got, "runtime docker") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
