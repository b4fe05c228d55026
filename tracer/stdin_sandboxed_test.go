package tracer

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// scripts are the programs of testdata/scripts, each with its input, by the status that its header says.
func scripts(t *testing.T) (jobs []Job, names []string, want []schema.Status) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join("testdata", "scripts", "*.py")) // the pattern is right
	if len(paths) == 0 {
		t.Fatal("no scripts in testdata")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		program, stdin, ok := schema.CutStdin(string(text))
		if !ok {
			t.Fatalf("%s: no program with an input, as schema.AppendStdin writes it", path)
		}
		status := schema.StatusOK
		for line := range strings.Lines(program) {
			if word, ok := strings.CutPrefix(strings.TrimSpace(line), "# status: "); ok {
				status = schema.Status(word)
			}
		}
		jobs = append(jobs, script(program, stdin))
		names, want = append(names, filepath.Base(path)), append(want, status)
	}
	return jobs, names, want
}

// script makes a job of a program that is run with each of some texts on its standard input.
func script(program string, texts ...string) Job {
	f := &schema.Function{Program: program, Entry: schema.ModuleEntry}
	f.Identify()
	job := Job{Function: f}
	for _, text := range texts {
		c := schema.Case{Stdin: text}
		c.Identify(f)
		job.Cases = append(job.Cases, c)
	}
	return job
}

// TestScripts: programs that are run with something on their standard input, under every guard and in every runtime, print what the
// interpreter prints that the sandbox has.
func TestScripts(t *testing.T) { eachRuntime(t, testScripts) }

func testScripts(t *testing.T, rt sandbox.Runtime) {
	jobs, names, want := scripts(t)
	tr := newTracer(t, rt, Options{Differential: true, Determinism: DeterminismRequire, Limits: Limits{Wall: 30 * time.Second}})
	for i, traces := range runAll(t, tr, jobs) {
		trace := traces[0]
		if trace.Status != want[i] {
			t.Errorf("%s: %s (%s), want %s", names[i], trace.Status, trace.StatusDetail, want[i])
		}
		if printed := asPython(t, jobs[i].Function.Program, trace.Stdin); trace.Stdout != printed {
			t.Errorf("%s printed %q, and run by itself %q", names[i], trace.Stdout, printed)
		}
		if trace.Call != "" || trace.Wrapper != schema.WrapModule || trace.Stdin != jobs[i].Cases[0].Stdin {
			t.Errorf("%s: call %q, wrapper %s, stdin %q", names[i], trace.Call, trace.Wrapper, trace.Stdin)
		}
		if first := trace.Events[0]; trace.CodeOf(0).Name != schema.ModuleEntry || first.Kind != schema.KindCall || first.Depth != 1 || first.Back != -1 {
			t.Errorf("%s: it begins with %+v of %s", names[i], first, trace.CodeOf(0).Name)
		}
	}
}

// asPython is what the program prints under the machine's own interpreter.
func asPython(t *testing.T, program, stdin string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"program.py": program, "input": stdin} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	input, err := os.Open(filepath.Join(dir, "input"))
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	cmd := exec.CommandContext(t.Context(), "python3", "-X", "utf8", filepath.Join(dir, "program.py"))
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = input, &out
	_ = cmd.Run() // some end with an exception
	return out.String()
}

// TestScriptsShareAProcess: each case of a program finds its own input, whether or not the one before left the process as it was.
func TestScriptsShareAProcess(t *testing.T) {
	tr := newTracer(t, openRuntime(t), Options{Differential: true, Determinism: DeterminismRequire})
	texts := []string{"1\n", "2\n", "", "exit\n", "3\n", "close\n", "4"}
	job := script("import os, sys\nline = sys.stdin.readline()\nif line == 'exit\\n':\n    exit()\nif line == 'close\\n':\n    os.close(0)\nprint(repr(line))\n", texts...)
	for i, trace := range runAll(t, tr, []Job{job})[0] {
		status := schema.StatusOK
		if texts[i] == "exit\n" {
			status = schema.StatusExited
		}
		if trace.Status != status || trace.Stdout != asPython(t, job.Function.Program, texts[i]) {
			t.Errorf("%q: %s (%s), printed %q", texts[i], trace.Status, trace.StatusDetail, trace.Stdout)
		}
	}
	if stats := tr.Stats(); stats.Separated > 0 {
		t.Errorf("%+v: cases depend on each other", stats)
	}
}
