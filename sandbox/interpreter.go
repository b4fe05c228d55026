package sandbox

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed probe.py
var probeScript string

// interpreter is what a Python says of itself.
type interpreter struct {
	Implementation string   `json:"implementation"`
	Version        string   `json:"version"`
	Executable     string   `json:"executable"` // no symlink, no shim, no virtual environment
	Prefix         string   `json:"prefix"`
	Stdlib         string   `json:"stdlib"`
	Dynload        []string `json:"dynload"` // none when its modules are built in
	Magic          string   `json:"magic"`   // of its .pyc files, in hex
}

// askFlags keep the environment, the user's and the site's packages out of the answer.
var askFlags = []string{"-I", "-S", "-c", probeScript}

// findInterpreter asks path, or python3 on PATH, and then the executable that is behind it.
func findInterpreter(ctx context.Context, path string) (interpreter, error) {
	if path == "" {
		path = "python3"
	}
	found, err := exec.LookPath(path)
	if err != nil {
		return interpreter{}, fmt.Errorf("find python: %w; install Python 3.8 or later, or name an interpreter", err)
	}
	py, err := ask(ctx, found)
	if err != nil {
		return interpreter{}, err
	}
	// An answer through a shim, which may set variables, is only good for finding the executable.
	if direct, err := filepath.EvalSymlinks(found); err != nil || direct != py.Executable {
		if py, err = ask(ctx, py.Executable); err != nil {
			return interpreter{}, err
		}
	}
	return py, py.check()
}

func ask(ctx context.Context, path string) (interpreter, error) {
	cmd := exec.CommandContext(ctx, path, append(slices.Clone(askFlags), "json")...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return interpreter{}, fmt.Errorf("ask %s what it is: %w: %s; name a Python that starts", path, err, lastLine(stderr.String()))
	}
	var py interpreter
	if err := json.Unmarshal(out, &py); err != nil {
		return interpreter{}, fmt.Errorf("%s, asked what it is, says %s; is it a Python? Name an interpreter of Python 3.8 or later", path, brief(out))
	}
	return py, nil
}

func (py interpreter) check() error {
	if py.Implementation != "cpython" {
		return fmt.Errorf("%s is %s: only CPython has the tracing that is recorded here; name another interpreter", py.Executable, py.Implementation)
	}
	var major, minor int
	if _, err := fmt.Sscanf(py.Version, "%d.%d", &major, &minor); err != nil || major != 3 || minor < 8 {
		return fmt.Errorf("%s is Python %s: 3.8 or later is needed; name another interpreter", py.Executable, py.Version)
	}
	return nil
}

// minor is "3.11" of "3.11.7".
func (py interpreter) minor() string {
	parts := strings.SplitN(py.Version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// extensions are the modules to copy that are shared libraries themselves.
func (py interpreter) extensions() ([]string, error) {
	var all []string
	for _, dir := range py.Dynload {
		found, err := filepath.Glob(filepath.Join(dir, "*.so"))
		if err != nil {
			return nil, fmt.Errorf("list the modules of %s: %w", py.Executable, err)
		}
		all = append(all, found...)
	}
	return slices.DeleteFunc(all, func(path string) bool { return unwantedModule(filepath.Base(path)) }), nil
}

// linked returns the shared libraries that files need, with the loader, as the loader itself finds them.
func linked(ctx context.Context, files ...string) ([]string, error) {
	out, err := exec.CommandContext(ctx, "ldd", files...).Output()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		return nil, fmt.Errorf("find what python links to: %w; a host image needs Linux and ldd, else name an image to pull", err)
	}
	return parseLdd(string(out)), nil
}

// parseLdd ignores what was not found: a module that lacks its library cannot be imported outside either, and an
// interpreter that lacks one would not have answered.
func parseLdd(out string) []string {
	var libs []string
	for line := range strings.Lines(out) {
		line, isMapped := strings.CutSuffix(strings.TrimSpace(line), ")")
		if !isMapped {
			continue
		}
		line = line[:max(0, strings.LastIndex(line, " ("))]
		if _, target, ok := strings.Cut(line, " => "); ok {
			line = target
		}
		if filepath.IsAbs(line) {
			libs = append(libs, line)
		}
	}
	slices.Sort(libs)
	return slices.Compact(libs)
}

// brief quotes the beginning of what a program said.
func brief(said []byte) string {
	const most = 60
	if len(said) == 0 {
		return "nothing"
	}
	return strconv.Quote(string(said[:min(len(said), most)]))
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
