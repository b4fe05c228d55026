package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

// orphanArg makes this test binary a build that starts a container and never cleans up.
const orphanArg = "become-an-orphan-maker"

// orphan is that process: build is a label of Docker's, or cache a directory of bubblewrap's.
func orphan(runtime, argument string) {
	var r Runtime
	var err error
	if runtime == "docker" {
		r, err = OpenDocker(context.Background(), DockerOptions{Image: imageHost, BuildID: argument})
	} else {
		r, err = OpenBwrap(context.Background(), BwrapOptions{CacheDir: argument})
	}
	if err == nil {
		_, err = r.Start(context.Background(), Spec{
			Name:    "orphan",
			Command: []string{r.Image().Python, "-I", "-S", FilesDir + "/main.py"},
			Files:   map[string][]byte{"main.py": []byte(echo)},
		})
	}
	fmt.Println("started", err)
	time.Sleep(time.Hour)
}

// startOrphan starts the process, and returns when it has a sandbox.
func startOrphan(t *testing.T, runtime, argument string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], orphanArg, runtime, argument)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "started <nil>" {
		t.Fatalf("the other build did not start: %q, %v", line, err)
	}
	return cmd
}

// TestOrphan kills a build by SIGKILL: its container ends by itself, and the next build removes what is left of it,
// while it leaves a living build's container alone.
func TestOrphan(t *testing.T) {
	d := openDocker(t)
	build := "orphan-" + d.id
	ctx := testContext(t)

	cmd := startOrphan(t, "docker", build)
	theirs := func() []container.Summary {
		t.Helper()
		list, err := d.api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: client.Filters{}.Add("label", labelBuild+"="+build)})
		if err != nil {
			t.Fatal(err)
		}
		return list.Items
	}

	d.sweep(ctx)
	if left := theirs(); len(left) != 1 || left[0].State != container.StateRunning {
		t.Fatalf("a living build's containers after a sweep: %+v, want one that runs", left)
	}

	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for left := theirs(); len(left) != 1 || left[0].State != container.StateExited; left = theirs() {
		if len(left) != 1 {
			t.Fatalf("a dead build's containers: %+v, want one", left)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("a container outlives its killed build: %s", left[0].State)
		case <-time.After(50 * time.Millisecond):
		}
	}

	d.sweep(ctx)
	if left := theirs(); len(left) != 0 {
		t.Fatalf("a sweep left %d containers of a dead build", len(left))
	}
	volumes, err := d.api.VolumeList(ctx, client.VolumeListOptions{Filters: client.Filters{}.Add("label", labelBuild+"="+build)})
	if err != nil || len(volumes.Items) != 0 {
		t.Fatalf("a sweep left %d volumes of a dead build, %v", len(volumes.Items), err)
	}
}
