package pipelines

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
)

// states are the states of an examination's findings, by section and name.
func states(x *Examination) map[string]sandbox.State {
	all := map[string]sandbox.State{}
	for _, s := range x.Sections {
		for _, f := range s.Findings {
			all[strings.Fields(s.Title)[0]+": "+f.Name] = f.State
		}
	}
	return all
}

// oldEngine answers as one that is too old.
func oldEngine(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Api-Version", "1.20")
		w.Header().Set("Ostype", "linux")
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http://", "tcp://", 1)
}

func TestExamineWithoutRuntime(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no bwrap, no python3
	for _, runtime := range []string{runtimeDocker, runtimeBwrap, runtimeAuto} {
		c := Default()
		c.Sandbox.Runtime, c.Sandbox.Docker.Host, c.Output = runtime, oldEngine(t), filepath.Join(t.TempDir(), "out")
		x := Examine(t.Context(), c, func(line string) { t.Log(line) })
		got := states(x)
		for finding, want := range map[string]sandbox.State{
			"Interpreters: python3": sandbox.StateWarning, "Docker: engine": sandbox.StateMissing, "bubblewrap: bubblewrap": sandbox.StateMissing,
			"Output: writing": sandbox.StateOK, "Machine: cores": sandbox.StateOK,
		} {
			if got[finding] != want {
				t.Errorf("%s: %s is %q, want %q", runtime, finding, got[finding], want)
			}
		}
		wanted := map[string]string{runtimeDocker: "Docker: engine", runtimeBwrap: "bubblewrap: bubblewrap", runtimeAuto: "Docker: engine, bubblewrap: bubblewrap"}
		if x.OK || x.Runtime != "" || x.Lacking() != wanted[runtime] {
			t.Errorf("%s: ok %v, runtime %q, lacking %q", runtime, x.OK, x.Runtime, x.Lacking())
		}
		if _, err := os.Stat(c.Output); err == nil {
			t.Error("the output directory was made")
		}
	}
}

// A directory that cannot be written to is enough for a build to be impossible.
func TestExamineOutput(t *testing.T) {
	for dir, want := range map[string]sandbox.State{"": "", t.TempDir(): sandbox.StateOK, "/proc/out": sandbox.StateMissing} {
		x := &Examination{}
		x.add("Output", true, examineOutput(dir))
		if got := states(x)["Output: writing"]; got != want {
			t.Errorf("%q is %q, want %q", dir, got, want)
		}
	}
}

func TestExamineMachine(t *testing.T) {
	c := Default()
	c.Run.Workers, c.Trace.Limits.Memory = 1000, 1<<50
	x := &Examination{}
	x.add("Machine", true, examineMachine(c))
	for finding, got := range states(x) {
		if got != sandbox.StateWarning {
			t.Errorf("%s for 1000 workers of a petabyte each is %q", finding, got)
		}
	}
}

// What works is found to work: the machine's engine runs the trial.
func TestExamine(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts sandboxes")
	}
	c := Default()
	c.Sandbox.Image, c.Output = "host", t.TempDir()
	if _, err := sandbox.EnsureImage(t.Context(), dockerOptions(c, func(line string) { t.Log(line) })); err != nil {
		needEngine(t, err)
		t.Fatal(err)
	}
	x := Examine(t.Context(), c, func(line string) { t.Log(line) })
	if got := states(x); !x.OK || x.Runtime != runtimeDocker || got["Docker: a program"] != sandbox.StateOK || got["Docker: image"] != sandbox.StateOK {
		t.Errorf("ok %v in %q: %v", x.OK, x.Runtime, x.Sections)
	}
	// Without a sandbox, for who says so.
	c.Sandbox.Runtime, c.Sandbox.Allow = sandbox.Unsandboxed, true
	x = Examine(t.Context(), c, func(line string) { t.Log(line) })
	if got := states(x); !x.OK || x.Runtime != sandbox.Unsandboxed || got["No: isolation"] != sandbox.StateWarning || got["No: a program"] != sandbox.StateOK {
		t.Errorf("ok %v in %q: %v", x.OK, x.Runtime, x.Sections)
	}
	// The same machine, asked for a runtime that the engine lacks.
	c.Sandbox.Runtime, c.Sandbox.Docker.OCIRuntime = runtimeDocker, "nonesuch"
	if x = Examine(t.Context(), c, func(line string) { t.Log(line) }); x.OK || !strings.Contains(x.Lacking(), "Docker: OCI runtime") {
		t.Errorf("ok %v, lacking %q", x.OK, x.Lacking())
	}
}
