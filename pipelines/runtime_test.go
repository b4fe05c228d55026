package pipelines

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/shard"
)

// What isolates programs must not show in the rows. The manifest says what did.
func TestRuntimesSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole builds")
	}
	tables := func(dir string) map[string]string {
		files := digests(t, dir)
		maps.DeleteFunc(files, func(name, _ string) bool { return filepath.Ext(name) != ".parquet" })
		return files
	}
	reference := t.TempDir()
	r := runBuild(t, "quickstart.yaml", reference, "sandbox.image=host")
	if !strings.HasPrefix(r.Runtime, "docker/") {
		t.Errorf("ran in %q: which OCI runtime?", r.Runtime)
	}
	want := tables(reference)
	for name, sets := range map[string][]string{
		"bwrap":           nil,
		"bwrap as a user": {"sandbox.bwrap.user=65534"},
	} {
		t.Run(name, func(t *testing.T) {
			if len(sets) > 0 && os.Geteuid() != 0 {
				t.Skip("only root can become another user")
			}
			out := t.TempDir()
			r := runBuild(t, "quickstart.yaml", out, append(sets, "sandbox.runtime=bwrap", "sandbox.bwrap.cache_dir="+cacheForAll(t))...)
			if got := tables(out); !reflect.DeepEqual(want, got) {
				t.Errorf("made\n%v\nwant\n%v", got, want)
			}
			d, err := shard.OpenDataset(out)
			if err != nil {
				t.Fatal(err)
			}
			if ran := Counters(d.Manifest().Counters).Group(sandboxFact); r.Runtime != "bwrap" || !reflect.DeepEqual(ran, map[string]int64{"bwrap": int64(r.Parts)}) {
				t.Errorf("the report says %s, the manifest %v, of %d parts", r.Runtime, ran, r.Parts)
			}
		})
	}
}

// cacheForAll is a directory that every user can read.
func cacheForAll(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "tracemill-test-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// heard is a Progress that keeps what is logged.
type heard struct {
	silent
	lines []string
}

func (h *heard) Log(line string) { h.lines = append(h.lines, line) }

func TestAutoRuntime(t *testing.T) {
	open := func(t *testing.T, sets ...string) (sandbox.Runtime, []string, error) {
		sets = append(sets, "sandbox.runtime=auto", fmt.Sprintf("output=%q", t.TempDir()), "sandbox.bwrap.cache_dir="+cacheForAll(t))
		c, err := Load("quickstart.yaml", sets...)
		if err != nil {
			t.Fatal(err)
		}
		var said heard
		rt, err := openRuntime(t.Context(), c, &said)
		if err == nil {
			t.Cleanup(func() {
				if err := rt.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		return rt, said.lines, err
	}
	const nowhere = "sandbox.docker.host=unix:///nonexistent/docker.sock"
	for _, test := range []struct {
		name, want string
		sets       []string
	}{
		{"an engine answers", "docker", nil},
		{"none does", "bwrap", []string{nowhere}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rt, said, err := open(t, test.sets...)
			needEngine(t, err)
			if err != nil {
				t.Fatal(err)
			}
			if rt.Name() != test.want && (os.Getenv("CI") == "true" || test.sets != nil) {
				t.Errorf("runtime %s", rt.Name())
			}
			if !slices.ContainsFunc(said, func(line string) bool { return strings.Contains(line, "runtime "+rt.Name()) }) {
				t.Errorf("it does not say which it took: %q", said)
			}
		})
	}
	t.Run("there is neither", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, _, err := open(t, nowhere)
		if !errors.Is(err, sandbox.ErrUnavailable) {
			t.Fatal(err)
		}
		for _, way := range []string{"install Docker", "install bubblewrap"} {
			if !strings.Contains(err.Error(), way) {
				t.Errorf("%v: it does not say %q", err, way)
			}
		}
	})
}

// Without a sandbox a build comes to the same trajectories, is a build of its own, and says in every place what it is.
func TestUnsandboxedBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a whole build")
	}
	out := t.TempDir()
	sets := append(small(t, 6), "sandbox.runtime=none", "sandbox.allow_unsandboxed=true")
	r := runBuild(t, "cruxeval.yaml", out, sets...)
	if r.Runtime != "none" || len(r.Warnings) != 1 || r.Counters["trajectories.out"] == 0 {
		t.Errorf("ran in %s, with warnings %q and %d trajectories", r.Runtime, r.Warnings, r.Counters["trajectories.out"])
	}
	for _, name := range []string{"manifest.json", "README.md", reportFile} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !strings.Contains(string(text), "without a sandbox") {
			t.Errorf("%s does not say that there was no sandbox (%v)", name, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "tracemill-unsandboxed-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	c, err := Load("cruxeval.yaml", append(sets, "sandbox.runtime=bwrap", "sandbox.image=host", fmt.Sprintf("output=%q", out))...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), c, quiet{t})
	needEngine(t, err)
	if err == nil || !strings.Contains(err.Error(), "image") {
		t.Errorf("going on with it in a sandbox: %v", err)
	}
}

func TestVerifyUnsandboxed(t *testing.T) {
	c := Default()
	c.Sandbox.Runtime = sandbox.Unsandboxed
	if _, err := openRuntime(t.Context(), c, silent{}); err == nil || !strings.Contains(err.Error(), "allow_unsandboxed") {
		t.Errorf("opened without leave: %v", err)
	}
}
