package harvest

import (
	"os/exec"
	"testing"
)

// TestAnalyzer runs the analyzer's own tests under every interpreter.
func TestAnalyzer(t *testing.T) {
	if testing.Short() {
		t.Skip("all that takes time is in Python")
	}
	for version, python := range interpreters(t) {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), python, "-B", "-W", "error::SyntaxWarning", "-m", "unittest", "discover", "-s", "analyzer/tests", "-t", ".")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
