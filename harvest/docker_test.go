package harvest

import (
	"errors"
	"os"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
)

// TestDocker: the real sandbox gives what a plain process gives.
func TestDocker(t *testing.T) {
	rt, err := sandbox.OpenDocker(t.Context(), sandbox.DockerOptions{Image: "host", BuildID: "harvest-test", OutputDir: t.TempDir(), Log: func(line string) { t.Log(line) }})
	if errors.Is(err, sandbox.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skipf("docker: no engine answers: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	source, err := SourceConfig{Type: "python", Path: "testdata/files", Include: []string{"*"}}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	want, err := os.ReadFile("testdata/files.golden")
	if err != nil {
		t.Fatal(err)
	}
	result, err := newHarvester(t, rt, Options{}).Harvest(t.Context(), collect(t, source))
	if err != nil {
		t.Fatal(err)
	}
	balanced(t, result)
	compareLines(t, describe(result), string(want))
}
