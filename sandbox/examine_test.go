package sandbox

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// knownEngine is a fake engine that says of itself what info says.
func knownEngine(t *testing.T, info map[string]any, component string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.41")
		w.Header().Set("Ostype", "linux")
		switch {
		case strings.HasSuffix(r.URL.Path, "/info"):
			_ = json.NewEncoder(w).Encode(info)
		case strings.HasSuffix(r.URL.Path, "/version"):
			_ = json.NewEncoder(w).Encode(map[string]any{"Components": []map[string]string{{"Name": component}}})
		case r.URL.Path != "/_ping":
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http://", "tcp://", 1)
}

// list writes findings as "state name", one a line, and all of the texts.
func list(findings []Finding) (states, texts string) {
	for _, f := range findings {
		states += string(f.State) + " " + f.Name + "\n"
		texts += f.Detail + "\n" + f.Remedy + "\n"
	}
	return states, texts
}

func TestExamineDocker(t *testing.T) {
	whole := map[string]any{
		"ServerVersion": "20.10.24", "MemoryLimit": true, "PidsLimit": true, "CpuCfsQuota": true, "SwapLimit": true, "CgroupVersion": "2", "CgroupDriver": "systemd",
		"SecurityOptions": []string{"name=seccomp,profile=default"}, "DefaultRuntime": "runc",
		"Runtimes": map[string]any{"runc": map[string]any{}, "io.containerd.runc.v2": map[string]any{}},
	}
	but := func(changes map[string]any) map[string]any {
		info := maps.Clone(whole)
		maps.Copy(info, changes)
		return info
	}
	ok := "ok engine\nok limits\nok seccomp\nok OCI runtime\n"
	for name, test := range map[string]struct {
		info      map[string]any
		component string
		opts      DockerOptions
		want      string
		says      string
	}{
		"whole":    {info: whole, component: "Engine", want: ok, says: "Docker 20.10.24 at tcp://127.0.0.1"},
		"podman":   {info: whole, component: "Podman Engine", want: ok, says: "Podman 20.10.24"},
		"rootless": {info: but(map[string]any{"SecurityOptions": []string{"name=seccomp", "name=rootless"}}), want: ok, says: "API 1.41, rootless"},
		"no control groups": {info: but(map[string]any{"MemoryLimit": false, "PidsLimit": false, "CpuCfsQuota": false, "CgroupDriver": "none"}),
			want: strings.Replace(ok, "ok limits", "warn limits", 1), says: "delegated to the user"},
		"no limit of memory": {info: but(map[string]any{"MemoryLimit": false}), want: strings.Replace(ok, "ok limits", "warn limits", 1), says: "cannot limit memory"},
		"no limit of swap":   {info: but(map[string]any{"SwapLimit": false}), want: strings.Replace(ok, "ok seccomp", "warn swap\nok seccomp", 1), says: "turn swap off"},
		"no seccomp": {info: but(map[string]any{"SecurityOptions": nil}), want: strings.Replace(ok, "ok seccomp", "missing seccomp", 1),
			says: "set sandbox.docker.seccomp to engine"},
		"no seccomp, none asked for": {info: but(map[string]any{"SecurityOptions": nil}), opts: DockerOptions{Seccomp: "engine"},
			want: strings.Replace(ok, "ok seccomp", "warn seccomp", 1)},
		"gVisor is not there": {info: whole, opts: DockerOptions{OCIRuntime: "runsc"}, want: strings.Replace(ok, "ok OCI", "missing OCI", 1),
			says: `has no "runsc", but runc`},
		"gVisor": {info: but(map[string]any{"Runtimes": map[string]any{"runc": map[string]any{}, "runsc": map[string]any{}}}), opts: DockerOptions{OCIRuntime: "runsc"},
			want: ok, says: "runsc, of runc, runsc"},
	} {
		t.Run(name, func(t *testing.T) {
			test.opts.Host = knownEngine(t, test.info, test.component)
			states, texts := list(ExamineDocker(testContext(t), test.opts))
			if states != test.want || !strings.Contains(texts, test.says) {
				t.Errorf("found\n%s%s\nwant\n%s%s", states, texts, test.want, test.says)
			}
		})
	}
}

// What is wrong with an engine is told apart from what to do about it.
func TestExamineNoEngine(t *testing.T) {
	for host, want := range map[string]string{
		"unix:///nonexistent":              "install Docker and start it (systemctl start docker), or set DOCKER_HOST to an engine",
		fakeEngine(t, "1.20", "linux"):     "update the engine to Docker 19.03 or later",
		fakeEngine(t, "1.41", "windows"):   "switch the engine to Linux containers",
		fakeEngine(t, "1.41", "linux"):     "restart the engine", // which answers pings alone
		"unix:///proc/self/cmdline/d.sock": "install Docker and start it (systemctl start docker), or set DOCKER_HOST to an engine",
	} {
		findings := ExamineDocker(testContext(t), DockerOptions{Host: host})
		if len(findings) != 1 || Usable(findings) || findings[0].Remedy != want || strings.Contains(findings[0].Detail, want) {
			t.Errorf("%s: %+v", host, findings)
		}
	}
}

// program puts an executable script on an otherwise empty PATH.
func program(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if script == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestExamineBwrap(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("bubblewrap is for Linux")
	}
	for name, test := range map[string]struct{ script, states, says string }{
		"none":     {"", "missing bubblewrap\n", "apt-get install bubblewrap"},
		"broken":   {"exit 3", "missing bubblewrap\n", "exit status 3"},
		"refused":  {`[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; echo "bwrap: No permissions to create new namespace" >&2; exit 1`, "missing namespaces\n", "No permissions to create new namespace"},
		"it works": {"echo bubblewrap 0.8.0", "ok namespaces\n", "bubblewrap 0.8.0 at"},
	} {
		t.Run(name, func(t *testing.T) {
			program(t, "bwrap", test.script)
			states, texts := list(ExamineBwrap(testContext(t), BwrapOptions{}))
			if !strings.Contains(states, test.states) || !strings.Contains(texts, test.says) {
				t.Errorf("found\n%s%s\nwant\n%s%s", states, texts, test.states, test.says)
			}
		})
	}
}

func TestExamineInterpreters(t *testing.T) {
	for name, test := range map[string]struct{ script, states, says string }{
		"none":            {"", "warn python3\n", "install Python 3.8 or later"},
		"says nothing":    {"exit 0", "warn python3\n", "is it a Python? Name an interpreter"},
		"fails":           {"echo broken >&2; exit 1", "warn python3\n", "broken"},
		"another program": {"echo '{\"implementation\": \"pypy\", \"version\": \"3.9.1\", \"executable\": \"'$0'\"}'", "warn python3\n", "only CPython"},
		"too old":         {"echo '{\"implementation\": \"cpython\", \"version\": \"3.7.1\", \"executable\": \"'$0'\"}'", "warn python3\n", "3.8 or later is needed"},
	} {
		t.Run(name, func(t *testing.T) {
			program(t, "python3", test.script)
			states, texts := list(ExamineInterpreters(testContext(t), ""))
			if states != test.states || !strings.Contains(texts, test.says) {
				t.Errorf("found\n%s%s\nwant\n%s%s", states, texts, test.states, test.says)
			}
		})
	}
}
