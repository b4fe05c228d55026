package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/pipelines"
	"github.com/tracemill/tracemill/sandbox"
)

// A machine without an engine, without bubblewrap and without Python.
func TestDoctor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
	for _, test := range []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"doctor", exitFailed, "-> install Docker and start it", "no build can run here; missing: Docker: engine"},
		{"doctor " + quickstart + " --output /proc/out", exitFailed, "-> choose another output directory", "Output /proc/out: writing"},
		{"doctor " + quickstart + " --set sandbox.runtime=bwrap", exitFailed, "apt-get install bubblewrap", "missing: bubblewrap: bubblewrap"},
		{"doctor --set run.workers=3", exitUsage, "", "name one"},
		{"doctor no.yaml", exitUsage, "", "no.yaml"},
		{"doctor --help", exitDone, "a build can run here", ""},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), strings.Fields(test.args), &stdout, &stderr)
		if code != test.code || !strings.Contains(stdout.String(), test.stdout) || !strings.Contains(stderr.String(), test.stderr) {
			t.Errorf("%s: exit code %d, want %d\n%s%s", test.args, code, test.code, &stdout, &stderr)
		}
	}
	var stdout, stderr bytes.Buffer
	run(t.Context(), []string{"doctor", "--json"}, &stdout, &stderr)
	var x pipelines.Examination
	if err := json.Unmarshal(stdout.Bytes(), &x); err != nil {
		t.Fatal(err)
	}
	if x.OK || len(x.Sections) < 4 {
		t.Errorf("read back as %+v", x)
	}
}

func TestWriteExamination(t *testing.T) {
	x := &pipelines.Examination{OK: true, Runtime: "docker", Sections: []pipelines.Section{
		{Title: "Docker", Findings: []sandbox.Finding{
			{Name: "engine", State: sandbox.StateOK, Detail: "there"}, {Name: "swap", State: sandbox.StateWarning, Detail: "cannot be limited", Remedy: "turn it off"},
		}},
		{Title: "Output"},
	}}
	var out bytes.Buffer
	if err := writeExamination(&out, x); err != nil {
		t.Fatal(err)
	}
	want := "Docker\n" +
		"  ok       engine        there\n" +
		"  warn     swap          cannot be limited\n" +
		"                         -> turn it off\n" +
		"\nA build can run here, in docker.\n"
	if out.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", &out, want)
	}
}
