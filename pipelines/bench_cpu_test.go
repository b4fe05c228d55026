package pipelines

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/moby/moby/client"
)

// cpuMeter adds up what the containers of a build use, those included that do not see its end. The engine says which there are, and
// their control groups, which are gone with them, are read so often that little is missed of any.
type cpuMeter struct {
	engine *client.Client
	output string
	used   map[string]time.Duration // by container
	files  map[string]string        // likewise: where its group's time is, for those that run
	end    chan struct{}
	ended  chan error
}

const (
	readEvery = 10 * time.Millisecond
	listEvery = 20 // readings
)

// startCPUMeter meters the containers of the build with this output directory until it is stopped.
func startCPUMeter(b *testing.B, output string) *cpuMeter {
	b.Helper()
	engine, err := client.New(client.FromEnv)
	if err != nil {
		b.Fatal(err)
	}
	m := &cpuMeter{engine: engine, output: output, used: map[string]time.Duration{}, files: map[string]string{}, end: make(chan struct{}), ended: make(chan error)}
	go func() { m.ended <- m.watch(b.Context()) }()
	return m
}

// stop is the CPU time of all containers that there were.
func (m *cpuMeter) stop(b *testing.B) time.Duration {
	b.Helper()
	close(m.end)
	err := <-m.ended
	m.engine.Close()
	if err != nil {
		b.Fatal(err)
	}
	var sum time.Duration
	for id, used := range m.used {
		b.Logf("container %.12s: %v", id, used.Round(time.Millisecond))
		sum += used
	}
	if sum == 0 {
		b.Fatal("no container of the build was seen")
	}
	return sum
}

func (m *cpuMeter) watch(ctx context.Context) error {
	for n := 0; ; n++ {
		if n%listEvery == 0 {
			if err := m.list(ctx); err != nil {
				return err
			}
		}
		for id, file := range m.files {
			if used, err := groupCPU(file); err == nil {
				m.used[id] = used
			} else {
				delete(m.files, id) // the container has ended
			}
		}
		select {
		case <-m.end:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(readEvery):
		}
	}
}

// list finds the containers that have been started.
func (m *cpuMeter) list(ctx context.Context) error {
	list, err := m.engine.ContainerList(ctx, client.ContainerListOptions{
		Filters: make(client.Filters).Add("label", "tracemill.output="+m.output),
	})
	if err != nil {
		return err
	}
	for _, container := range list.Items {
		if _, known := m.used[container.ID]; known {
			continue
		}
		file, err := groupFile(container.ID)
		if err != nil {
			return err
		}
		if file != "" {
			m.files[container.ID], m.used[container.ID] = file, 0
		}
	}
	return nil
}

// groupFile is the file that has the CPU time of a container's control group, in version 1 or 2, as either of the engine's drivers names it; ""
// where the group is not there yet, or no more.
func groupFile(id string) (string, error) {
	for _, pattern := range []string{
		"cpuacct/docker/" + id + "/cpuacct.usage", "cpuacct/system.slice/docker-" + id + ".scope/cpuacct.usage",
		"docker/" + id + "/cpu.stat", "system.slice/docker-" + id + ".scope/cpu.stat",
	} {
		file := filepath.Join("/sys/fs/cgroup", pattern)
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	if _, err := os.Stat("/sys/fs/cgroup"); err != nil {
		return "", fmt.Errorf("the containers' CPU time is read from this machine's control groups: %w", err)
	}
	return "", nil
}

func groupCPU(file string) (time.Duration, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	if filepath.Base(file) == "cpuacct.usage" {
		n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		return time.Duration(n), err
	}
	for line := range bytes.Lines(text) {
		if n, ok := bytes.CutPrefix(line, []byte("usage_usec ")); ok {
			n, err := strconv.ParseInt(string(bytes.TrimSpace(n)), 10, 64)
			return time.Duration(n) * time.Microsecond, err
		}
	}
	return 0, fmt.Errorf("%s: there is no usage_usec", file)
}
