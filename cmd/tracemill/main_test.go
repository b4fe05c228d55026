package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const quickstart = "../../pipelines/quickstart.yaml"

// What a user types, the exit code, and a part of what is shown: on stdout when it worked, on stderr when not.
func TestVerbs(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"", exitDone, "Exit codes:"},
		{"--help", exitDone, "130  interrupted"},
		{"run --help", exitDone, "finished but incomplete"},
		{"version", exitDone, "tables version 2"},
		{"validate " + quickstart, exitDone, "quickstart.yaml is valid"},
		{"validate --print", exitDone, "max_program_bytes: 65536"},
		{"validate --print " + quickstart + " --set run.workers=3", exitDone, "workers: 3"},
		{"validate --schema", exitDone, `"title": "Tracemill config"`},
		{"vlidate x.yaml", exitUsage, `did you mean validate?`},
		{"frobnicate", exitUsage, `there is no verb "frobnicate"`},
		{"run", exitUsage, "got 0 arguments, want 1: tracemill run CONFIG"},
		{"run --wrokers 3 x.yaml", exitUsage, "unknown flag: --wrokers"},
		{"validate", exitUsage, "name a config"},
		{"run " + missing, exitUsage, "cannot be read: no such file or directory"},
		{"validate " + quickstart + " --set run.worker=3", exitUsage, `did you mean "workers"?`},
		{"show " + missing, exitFailed, missing},
		{"stats " + missing, exitFailed, missing},
		{"run " + quickstart + " --output " + missing + " --set sandbox.docker.host=unix:///nonexistent/docker.sock", exitFailed, "/nonexistent/docker.sock"},
	} {
		t.Run(test.args, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), strings.Fields(test.args), &stdout, &stderr)
			shown := stdout.String()
			if test.code != exitDone {
				shown = stderr.String()
			}
			if code != test.code || !strings.Contains(shown, test.want) {
				t.Errorf("exit code %d, want %d; shown:\n%s\nwant in it: %s", code, test.code, shown, test.want)
			}
			if code != exitDone && stdout.Len() > 0 {
				t.Errorf("a failure wrote to stdout: %s", &stdout)
			}
		})
	}
}

func TestErrorsAsJSON(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--json", "run", "no.yaml"}, &stdout, &stderr)
	var got struct {
		Error    string `json:"error"`
		ExitCode int    `json:"exit_code"`
	}
	if err := json.Unmarshal(stderr.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	if code != exitUsage || got.ExitCode != exitUsage || !strings.Contains(got.Error, "no.yaml") {
		t.Errorf("exit code %d: %+v", code, got)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"run", quickstart, "--output", t.TempDir()}, &stdout, &stderr)
	if code != exitInterrupted || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}

// A full terminal, a pipe and a file get the same words; only a terminal gets control characters.
func TestProgressOffATerminal(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b)
	p.Start(2, 1)
	p.Part("part-000001", nil)
	p.finish()
	if got, want := b.String(), "2 parts, 1 done before\n2 of 2 parts\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFormatBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 3 << 20: "3.0 MiB", 5 << 40: "5.0 TiB"} {
		if got := formatBytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestMain(m *testing.M) {
	os.Setenv("NO_COLOR", "1")
	os.Exit(m.Run())
}
