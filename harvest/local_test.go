package harvest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tracemill/tracemill/sandbox"
)

// localRuntime runs the analyzer as a plain child process, without a sandbox: for the repository's own fixtures.
type localRuntime struct {
	python string
	dir    string
	starts int
	// sabotage changes a command, to make processes that fail.
	sabotage func(start int, argv []string) []string
}

func (r *localRuntime) Name() string { return "local" }
func (r *localRuntime) Image() sandbox.Image {
	return sandbox.Image{Name: "local", ID: "local", Python: r.python}
}
func (r *localRuntime) Close() error { return nil }

func (r *localRuntime) Start(_ context.Context, spec sandbox.Spec) (sandbox.Process, error) {
	r.starts++
	for name, content := range spec.Files {
		path := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return nil, err
		}
	}
	argv := slices.Clone(spec.Command)
	for i := range argv {
		argv[i] = strings.Replace(argv[i], sandbox.FilesDir, r.dir, 1)
	}
	if r.sabotage != nil {
		argv = r.sabotage(r.starts, argv)
	}
	p := &localProcess{name: spec.Name, cmd: exec.Command(argv[0], argv[1:]...)}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, p.cmd.Start()
}

type localProcess struct {
	name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	stderr bytes.Buffer
	once   sync.Once
}

func (p *localProcess) Send(ctx context.Context, frame []byte) error {
	stop := context.AfterFunc(ctx, func() { p.in.Close() })
	defer stop()
	_, err := p.in.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(frame))), frame...))
	return err
}

func (p *localProcess) Receive(ctx context.Context) ([]byte, error) {
	stop := context.AfterFunc(ctx, func() { p.out.Close() })
	defer stop()
	var head [4]byte
	if _, err := io.ReadFull(p.out, head[:]); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.once.Do(func() { p.cmd.Wait() })
		return nil, &sandbox.ExitError{Name: p.name, Code: p.cmd.ProcessState.ExitCode(), Stderr: p.stderr.String()}
	}
	frame := make([]byte, binary.LittleEndian.Uint32(head[:]))
	_, err := io.ReadFull(p.out, frame)
	return frame, err
}

func (p *localProcess) Close() error {
	err := p.cmd.Process.Kill()
	p.once.Do(func() { p.cmd.Wait() })
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// interpreters finds every CPython 3.8 or later of this machine, by version.
func interpreters(t testing.TB) map[string]string {
	t.Helper()
	candidates := []string{"python3"}
	root := os.Getenv("PYENV_ROOT")
	if home, err := os.UserHomeDir(); root == "" && err == nil {
		root = filepath.Join(home, ".pyenv")
	}
	installed, _ := filepath.Glob(filepath.Join(root, "versions", "*", "bin", "python3"))
	found := map[string]string{}
	for _, candidate := range append(candidates, installed...) {
		out, err := exec.Command(candidate, "-c",
			"import sys; print(sys.executable, sys.version.split()[0]) if sys.version_info >= (3, 8) else None").Output()
		if fields := strings.Fields(string(out)); err == nil && len(fields) == 2 {
			found[fields[1]] = fields[0]
		}
	}
	if len(found) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("no interpreter: python3 3.8 or later is not on PATH, and CI must have one")
		}
		t.Skip("no interpreter: python3 3.8 or later is not on PATH")
	}
	return found
}

// interpreter is one interpreter: 3.11 where there is one.
func interpreter(t testing.TB) string {
	t.Helper()
	found := interpreters(t)
	versions := make([]string, 0, len(found))
	for version := range found {
		if strings.HasPrefix(version, "3.11.") {
			return found[version]
		}
		versions = append(versions, version)
	}
	return found[slices.Max(versions)]
}

func newLocal(t testing.TB, python string) *Harvester {
	t.Helper()
	return newHarvester(t, &localRuntime{python: python, dir: t.TempDir()}, Options{})
}

func newHarvester(t testing.TB, rt sandbox.Runtime, opts Options) *Harvester {
	t.Helper()
	h, err := New(t.Context(), rt, "harvest-test", opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// collect reads a whole source.
func collect(t testing.TB, s Source) []Item {
	t.Helper()
	n := 0
	if err := s.Scan(t.Context(), func(l Listing) error { n += l.Items; return nil }); err != nil {
		t.Fatal(err)
	}
	var items []Item
	for item, err := range s.Items(t.Context(), 0, n) {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return items
}

// balanced fails unless what was found is what is there plus what was dropped, at each level.
func balanced(t testing.TB, r *Result) {
	t.Helper()
	for _, d := range r.Drops {
		known := false
		for _, reason := range Reasons {
			known = known || reason.Reason == d.Reason
		}
		if !known {
			t.Errorf("%s: the reason is not described", &d)
		}
	}
	balancedLevels(t, r)
}

func balancedLevels(t testing.TB, r *Result) {
	t.Helper()
	drops := map[Level]int{}
	for _, d := range r.Drops {
		drops[d.Level]++
	}
	cases := 0
	for _, u := range r.Units {
		cases += len(u.Cases)
	}
	if r.Items != r.ItemsKept+drops[LevelItem] {
		t.Errorf("%d items, but %d kept and %d dropped", r.Items, r.ItemsKept, drops[LevelItem])
	}
	if r.FunctionsFound != len(r.Units)+drops[LevelFunction] {
		t.Errorf("%d functions, but %d kept and %d dropped", r.FunctionsFound, len(r.Units), drops[LevelFunction])
	}
	if r.CasesFound != cases+drops[LevelCase] {
		t.Errorf("%d cases, but %d kept and %d dropped", r.CasesFound, cases, drops[LevelCase])
	}
}
