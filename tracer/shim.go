package tracer

import (
	"embed"
	"fmt"
	"path"
	"strconv"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

//go:embed shim/*.py
var shimFiles embed.FS

// shim is what is put into a sandbox: the fork server, the recorder and the renderer.
func shim() (map[string][]byte, error) {
	entries, err := shimFiles.ReadDir("shim")
	if err != nil {
		return nil, fmt.Errorf("embedded shim: %w", err)
	}
	files := make(map[string][]byte, len(entries))
	for _, entry := range entries {
		if files[entry.Name()], err = shimFiles.ReadFile(path.Join("shim", entry.Name())); err != nil {
			return nil, fmt.Errorf("embedded shim: %w", err)
		}
	}
	return files, nil
}

// Digest identifies everything in this package that makes a trace of an execution: the shim's files, the wire format and
// the decoder. It is part of a build's fingerprint.
func Digest() string {
	parts := []string{strconv.Itoa(wireVersion), strconv.Itoa(decodeVersion)}
	entries, _ := shimFiles.ReadDir("shim") // an embedded directory, sorted by name: it cannot fail
	for _, entry := range entries {
		content, _ := shimFiles.ReadFile(path.Join("shim", entry.Name()))
		parts = append(parts, entry.Name(), string(content))
	}
	return schema.ID("tracer", parts...)
}

// Hash seeds of the two processes. A program whose trace depends on the seed is what the check finds; the first is 0,
// which turns randomization off, as debuggers are run when a failure has to be repeated.
const (
	hashSeed      = "0"
	checkHashSeed = "2718281"
)

// spec is the sandbox of one server. The environment is all that the program sees of one: it has nothing of the machine.
func spec(name string, image sandbox.Image, files map[string][]byte, limits Limits, check bool) sandbox.Spec {
	seed := hashSeed
	if check {
		seed = checkHashSeed
	}
	return sandbox.Spec{
		Name:    name,
		Command: []string{image.Python, "-S", "-s", "-B", "-X", "utf8", path.Join(sandbox.FilesDir, "server.py")},
		Env: map[string]string{
			"PYTHONHASHSEED": seed,
			// Resolve every symbol at the start: what is resolved in a child is a page that it has to copy.
			"LD_BIND_NOW": "1",
			// One heap for all threads. Another is reserved at an address that has to be a multiple of its 64 MiB: whether it
			// fits into the limit of a case would be a matter of luck.
			"MALLOC_ARENA_MAX": "1",
			"LANG":             "C.UTF-8",
			"LC_ALL":           "C.UTF-8",
			"TZ":               "UTC",
			"HOME":             "/tmp",
			"PATH":             "/usr/local/bin:/usr/bin:/bin",
		},
		Files:  files,
		Limits: sandboxLimits(limits),
	}
}

// sandboxLimits leaves room for what one execution may take beside the server: a case has to meet its own limit before
// its sandbox's, or it takes the sandbox down. They are never below the sandbox's defaults.
func sandboxLimits(l Limits) sandbox.Limits {
	tmpfs := max(64<<20, 4*l.File)
	return sandbox.Limits{
		Memory: max(1<<30, l.Memory+tmpfs+448<<20),
		PIDs:   max(128, int64(l.Processes)+64),
		Tmpfs:  tmpfs,
	}
}
