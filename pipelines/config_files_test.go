package pipelines

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// filesConfig is a config that names files, in a directory that has only some of them.
func filesConfig(t *testing.T, text string, files map[string]string) *Config {
	t.Helper()
	dir := t.TempDir()
	files["config.yaml"] = text
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(filepath.Join(dir, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMissingFiles(t *testing.T) {
	text := `output: out
sources:
  - {type: python, path: a.py}
  - {type: jsonl, path: nowhere.jsonl, columns: {code: code}}
harvest:
  opt_out: list.txt
  contamination: {allow: nobodys.py}
  decontaminate:
    - {path: benchmark.py}
`
	c := filesConfig(t, text, map[string]string{"a.py": "x = 1\n", "list.txt": "o/p\npaths:x\n"})
	err := c.CheckFiles()
	for _, want := range []string{
		":4: sources[1]: ", ":6: harvest.opt_out: ", "list.txt:2: \"paths:x\": no prefix paths:", ":7: harvest.contamination.allow: ", ":9: harvest.decontaminate[0]: ",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if n := len(strings.Split(fmt.Sprint(err), "\n")); n != 4 {
		t.Errorf("%d mistakes, want 4:\n%v", n, err)
	}
	var mistake *ConfigError
	if _, err := Run(t.Context(), c, quiet{t}); !errors.As(err, &mistake) {
		t.Errorf("Run: %v, want a *ConfigError", err)
	}
}

// logged keeps what is logged.
type logged struct {
	quiet
	lines []string
}

func (l *logged) Log(line string) { l.lines = append(l.lines, line) }

func TestUnusedOptOutsAreLogged(t *testing.T) {
	c := filesConfig(t, "output: out\nsources: [{type: python, path: a.py}]\nharvest: {opt_out: list.txt}\n",
		map[string]string{"a.py": "x = 1\n", "list.txt": "o/p\n\nid:7\npath:b/**\n"})
	var log logged
	if err := c.logUnusedOptOuts(Counters{"opt_out.3": 1}, &log); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(log.lines, "\n"); !strings.Contains(all, "2 entries") || !strings.HasSuffix(all, "on the lines 1, 4") {
		t.Errorf("logged: %s", all)
	}
}

// TestContaminationMustCompile: what is nobody's must be known before the survey begins.
func TestContaminationMustCompile(t *testing.T) {
	c := filesConfig(t, "output: out\nsources: [{type: python, path: a.py}]\nharvest:\n  contamination: {allow: nobodys.py}\n",
		map[string]string{"a.py": "x = 1\n", "nobodys.py": "def f(:\n"})
	_, err := Run(t.Context(), c, quiet{t})
	needEngine(t, err)
	var mistake *ConfigError
	if !errors.As(err, &mistake) || mistake.Key != "harvest.contamination.allow" || mistake.Line != 4 || !strings.Contains(err.Error(), "nobodys.py: no function is found in it; it must be Python that compiles") {
		t.Errorf("%v", err)
	}
	if entries, _ := os.ReadDir(c.Output); len(entries) > 0 {
		t.Errorf("the mistake leaves %v behind", entries)
	}
}
