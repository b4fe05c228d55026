package harvest

import (
	"errors"
	"os"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
)

// TestSandboxed: a real sandbox, whichever, gives what a plain process gives.
func TestSandboxed(t *testing.T) {
	log := func(line string) { t.Log(line) }
	for name, open := range map[string]func() (sandbox.Runtime, error){
		"docker": func() (sandbox.Runtime, error) {
			return sandbox.OpenDocker(t.Context(), sandbox.DockerOptions{Image: "host", BuildID: "harvest-test", OutputDir: t.TempDir(), Log: log})
		},
		"bwrap": func() (sandbox.Runtime, error) {
			return sandbox.OpenBwrap(t.Context(), sandbox.BwrapOptions{CacheDir: t.TempDir(), Log: log})
		},
	} {
		t.Run(name, func(t *testing.T) {
			rt, err := open()
			if errors.Is(err, sandbox.ErrUnavailable) && os.Getenv("CI") != "true" {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := rt.Close(); err != nil {
					t.Error(err)
				}
			})
			testSandboxed(t, rt)
		})
	}
}

func testSandboxed(t *testing.T, rt sandbox.Runtime) {
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
