package pipelines

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/moby/moby/client"
)

// subordinate is a user of this machine who may have users of his own, which is what a rootless engine is made of.
func subordinate() *user.User {
	f, err := os.Open("/etc/subuid")
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, _, _ := strings.Cut(lines.Text(), ":")
		if u, err := user.Lookup(name); err == nil && u.Uid != "0" {
			return u
		}
	}
	return nil
}

// An engine that has no rights on the machine, and here no control groups either, makes the same dataset.
func TestRootlessEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("short: engines and whole builds")
	}
	for _, program := range []string{"dockerd", "rootlesskit", "newuidmap"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s", program)
		}
	}
	owner := subordinate()
	if os.Geteuid() != 0 || owner == nil {
		t.Skip("needs root, to start an engine as another user, and a user with an entry in /etc/subuid")
	}
	sets := append(small(t, 6), "sandbox.image=host")
	reference := t.TempDir()
	runBuild(t, "cruxeval.yaml", reference, sets...)

	out := t.TempDir()
	report := runBuild(t, "cruxeval.yaml", out, append(sets, "sandbox.docker.host="+rootlessEngine(t, owner))...)
	if want, got := rowDigests(t, reference), rowDigests(t, out); !reflect.DeepEqual(want, got) {
		t.Errorf("%s made\n%v\nwant\n%v", report.Runtime, got, want)
	}
}

// rowDigests are those of the files with rows: the manifest says what isolated the programs.
func rowDigests(t *testing.T, dir string) map[string]string {
	all := digests(t, dir)
	for name := range all {
		if !strings.HasSuffix(name, ".parquet") {
			delete(all, name)
		}
	}
	return all
}

// rootlessEngine starts an engine as another user, in namespaces of that user's.
func rootlessEngine(t *testing.T, owner *user.User) (host string) {
	dir, err := os.MkdirTemp("", "rootless")
	if err != nil {
		t.Fatal(err)
	}
	e := &testEngine{t: t, dir: dir}
	t.Cleanup(e.remove)
	uid, _ := strconv.Atoi(owner.Uid)
	gid, _ := strconv.Atoi(owner.Gid)
	if err := os.WriteFile(filepath.Join(dir, "daemon.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	// What the real root has in /run is hidden from the engine, which would take it for its own.
	engine := strings.Join([]string{"rm -rf /run/docker /run/containerd /run/xtables.lock; exec dockerd --rootless",
		"--config-file", filepath.Join(dir, "daemon.json"), "--host", e.host(), "--data-root", e.disk(), "--exec-root", filepath.Join(dir, "exec"),
		"--pidfile", filepath.Join(dir, "pid"), "--iptables=false --ip6tables=false --bridge=none --storage-driver=vfs --log-level=error"}, " ")
	cmd := exec.Command("rootlesskit", "--net=host", "--copy-up=/etc", "--copy-up=/run", "--state-dir", filepath.Join(dir, "state"), "sh", "-c", engine)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	e.dockerd = e.begin(cmd, "dockerd")
	if e.api, err = client.New(client.WithHost(e.host())); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if _, err := e.api.Ping(context.Background(), client.PingOptions{NegotiateAPIVersion: true}); err == nil {
			return e.host()
		}
		select {
		case <-e.dockerd.ends:
			text, _ := os.ReadFile(filepath.Join(dir, "dockerd.log"))
			t.Skipf("a rootless engine does not start here: %s", text)
		default:
		}
		if time.Now().After(deadline) {
			text, _ := os.ReadFile(filepath.Join(dir, "dockerd.log"))
			t.Fatalf("the rootless engine does not answer: %s", text)
		}
	}
}
