package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Finding is one thing that a machine has or lacks.
type Finding struct {
	Name   string `json:"name"` // "engine"
	State  State  `json:"state"`
	Detail string `json:"detail"`           // what is there, or what is wrong
	Remedy string `json:"remedy,omitempty"` // how to get it
}

// State is how well a machine has a thing.
type State string

const (
	StateOK      State = "ok"
	StateWarning State = "warn"    // what needs it works less well, or not everywhere
	StateMissing State = "missing" // what needs it does not work
)

// Usable says whether nothing is missing.
func Usable(findings []Finding) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return f.State == StateMissing })
}

func found(name, detail string, args ...any) Finding {
	return Finding{Name: name, State: StateOK, Detail: fmt.Sprintf(detail, args...)}
}

func warning(name, detail, remedy string) Finding {
	return Finding{Name: name, State: StateWarning, Detail: detail, Remedy: remedy}
}

// Missing is the finding of an error. The errors of this module say the way out after their last semicolon.
func Missing(name string, err error) Finding {
	f := Finding{Name: name, State: StateMissing, Detail: err.Error()}
	if i := strings.LastIndex(f.Detail, "; "); i > 0 {
		f.Detail, f.Remedy = f.Detail[:i], f.Detail[i+2:]
	}
	return f
}

// ExamineInterpreters looks at the Pythons of this machine: the one that an image would be made from, which is python, or
// python3 where it is "", and the others on PATH.
func ExamineInterpreters(ctx context.Context, python string) []Finding {
	py, err := findInterpreter(ctx, python)
	if err != nil {
		f := Missing("python3", err)
		f.State = StateWarning // an image can be had elsewhere
		return []Finding{f}
	}
	findings := []Finding{found("python3", "CPython %s at %s", py.Version, py.Executable)}
	if _, err := linked(ctx, py.Executable); err != nil {
		f := Missing("ldd", err)
		f.State = StateWarning
		findings = append(findings, f)
	}
	var others []string
	for _, path := range pythonsOnPath() {
		if other, err := findInterpreter(ctx, path); err == nil && other.Executable != py.Executable {
			others = append(others, fmt.Sprintf("%s (%s)", other.Version, path))
		}
	}
	if len(others) > 0 {
		slices.Sort(others)
		findings = append(findings, found("others", "%s", strings.Join(slices.Compact(others), ", ")))
	}
	return findings
}

// pythonsOnPath are the executables that are named after a version, first come first.
func pythonsOnPath() (paths []string) {
	seen := map[string]bool{}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		matches, _ := filepath.Glob(filepath.Join(dir, "python3.*"))
		for _, path := range matches {
			name := filepath.Base(path)
			if version := strings.TrimPrefix(name, "python3."); strings.Trim(version, "0123456789") == "" && !seen[name] {
				seen[name] = true
				paths = append(paths, path)
			}
		}
	}
	return paths
}
