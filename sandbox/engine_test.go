package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/containerd/errdefs"
)

// fakeEngine answers a ping as an engine of some version, and all else with 404.
func fakeEngine(t *testing.T, api, system string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", api)
		w.Header().Set("Ostype", system)
		if r.URL.Path != "/_ping" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http://", "tcp://", 1)
}

func TestNoEngine(t *testing.T) {
	for name, test := range map[string]struct {
		host string
		want []string
	}{
		"no socket":          {"unix:///nonexistent", []string{"unix:///nonexistent", "install Docker and start it", "DOCKER_HOST"}},
		"nobody listens":     {"tcp://127.0.0.1:1", []string{"tcp://127.0.0.1:1", "check that the engine runs"}},
		"too old":            {fakeEngine(t, "1.20", "linux"), []string{"1.20", "update the engine"}},
		"Windows containers": {fakeEngine(t, "1.41", "windows"), []string{"windows containers", "switch the engine to Linux"}},
		"bad address":        {"nonsense", []string{"nonsense", "check DOCKER_HOST"}},
	} {
		_, err := OpenDocker(testContext(t), DockerOptions{Host: test.host})
		if !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: %v, want %v", name, err, ErrUnavailable)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
}

// An OCI runtime that the engine lacks is told with what to do, as an examination does.
func TestUnknownOCIRuntime(t *testing.T) {
	openDocker(t)
	d := openWith(t, DockerOptions{Image: imageHost, OCIRuntime: "nonesuch"})
	p, err := d.Start(testContext(t), Spec{Name: "unknown", Command: []string{d.Image().Python, "-c", ""}})
	if err == nil {
		t.Fatal("started", p.Close())
	}
	if want := addOCIRuntime("nonesuch"); !strings.HasSuffix(err.Error(), "; "+want) {
		t.Errorf("%v; want %q at its end", err, want)
	}
	for text, want := range map[string]bool{
		"Error response from daemon: Unknown runtime specified runsc":          true,
		"Error response from daemon: unknown or invalid runtime name: runsc":   true,
		"Error response from daemon: unknown or invalid runtime name: another": false,
		"Error response from daemon: no such image: runsc":                     false,
	} {
		if got := lacksOCIRuntime(errors.New(text), "runsc"); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// deniedSocket is set in the environment of a test process that may not use a socket.
const deniedSocket = "TRACEMILL_TEST_DENIED_SOCKET"

// TestDenied is not a test by itself: it is the process that TestPermissionDenied starts as another user.
func TestDenied(t *testing.T) {
	host := os.Getenv(deniedSocket)
	if host == "" {
		t.Skip("for TestPermissionDenied")
	}
	_, err := OpenDocker(testContext(t), DockerOptions{Host: host})
	fmt.Println(errors.Is(err, ErrUnavailable), err)
}

func TestPermissionDenied(t *testing.T) {
	dir, err := os.MkdirTemp("", "denied") // t.TempDir is closed to others as a whole
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "engine.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := os.Chmod(listener.Addr().String(), 0); err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "test")
	if err := os.WriteFile(program, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	other := exec.CommandContext(testContext(t), program, "-test.run=^TestDenied$", "-test.v")
	other.Dir = dir
	other.Env = append(os.Environ(), deniedSocket+"=unix://"+listener.Addr().String())
	if os.Geteuid() == 0 { // who is denied nothing
		other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	said, err := other.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "true docker at") || !strings.Contains(string(said), "permission denied") ||
		!strings.Contains(string(said), "join the group that owns the socket") {
		t.Errorf("%v: said %s", err, said)
	}
}

func TestConnectCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := OpenDocker(ctx, DockerOptions{Host: fakeEngine(t, "1.41", "linux")}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRetry(t *testing.T) {
	full := fmt.Errorf("write layer: no space left on device: %w", errdefs.ErrInternal)
	for name, test := range map[string]struct {
		errs  []error
		calls int
		want  error
	}{
		"good at once":         {[]error{nil}, 1, nil},
		"busy, then good":      {[]error{errdefs.ErrInternal, errdefs.ErrUnavailable, nil}, 3, nil},
		"a bad request":        {[]error{errdefs.ErrInvalidArgument}, 1, errdefs.ErrInvalidArgument},
		"no such image":        {[]error{errdefs.ErrNotFound}, 1, errdefs.ErrNotFound},
		"busy for good":        {[]error{errdefs.ErrUnavailable, errdefs.ErrUnavailable, errdefs.ErrUnavailable, errdefs.ErrUnavailable}, attempts, errdefs.ErrUnavailable},
		"full for good":        {[]error{full, full, full, full}, attempts, ErrUnavailable},
		"given up by a caller": {[]error{context.Canceled}, 1, context.Canceled},
	} {
		said := 0
		e, err := connect(testContext(t), DockerOptions{Host: fakeEngine(t, "1.41", "linux"), Log: func(string) { said++ }})
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		err = e.retry(testContext(t), name, func(context.Context) error {
			calls++
			return test.errs[calls-1]
		})
		_ = e.api.Close()
		if !errors.Is(err, test.want) || calls != test.calls || said != min(1, calls-1) {
			t.Errorf("%s: %v after %d calls and %d notices, want %v after %d", name, err, calls, said, test.want, test.calls)
		}
	}
}
