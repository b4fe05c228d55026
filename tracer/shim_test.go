package tracer

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// interpreters are the installed Pythons that the shim is for: python3 on PATH, and pyenv's, by version.
func interpreters(t *testing.T) map[string]string {
	t.Helper()
	root := os.Getenv("PYENV_ROOT")
	if root == "" {
		if home, err := os.UserHomeDir(); err == nil {
			root = filepath.Join(home, ".pyenv")
		}
	}
	paths, _ := filepath.Glob(filepath.Join(root, "versions", "*", "bin", "python3")) // the pattern is right
	if path, err := exec.LookPath("python3"); err == nil {
		paths = append(paths, path)
	}
	found := map[string]string{}
	for _, path := range paths {
		out, err := exec.CommandContext(t.Context(), path, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3], sys.version_info >= (3, 8))").Output()
		version, supported, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		switch {
		case err != nil:
			t.Logf("%s does not run: %v", path, err)
		case supported != "True":
			t.Logf("%s is Python %s: the shim needs 3.8", path, version)
		case found[version] == "":
			found[version] = path
		}
	}
	return found
}

// The shim has its own tests, in Python. Here they run on every interpreter that is installed.
func TestShimOnEveryInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute for each interpreter")
	}
	found := interpreters(t)
	if len(found) == 0 {
		missing(t, "python3, 3.8 or later, on PATH or among pyenv's versions")
	}
	for version, path := range found {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, path, "-B", "-m", "unittest", "discover", "-s", filepath.Join("shim", "tests"), "-t", filepath.Join("shim", "tests"))
			cmd.WaitDelay = 5 * time.Second
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v\n%s", path, err, out)
			}
			if strings.Contains(string(out), "Ran 0 tests") {
				t.Errorf("%s found no tests:\n%s", path, out)
			}
		})
	}
}
