// Package seccomp has the system calls that programs in a sandbox may make, in the JSON that Docker and the OCI runtimes read.
//
// tracemill.json allows what CPython and its standard library call to compute, and refuses the rest. It is a subset of what the
// engines' default profile allows to a container without capabilities; seccomp_test.go holds it to that. A call that is not listed
// fails with EPERM (or ENOSYS where the OCI runtime knows it to be newer than the profile), and one of another architecture's table, such as a 32-bit call on
// x86-64, kills the process or fails, as the runtime has it.
package seccomp

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
)

// What a setting may be, but for a path.
const (
	Default = "default" // tracemill.json
	Engine  = "engine"  // what the engine applies when it is told nothing
)

//go:embed tracemill.json
var profile []byte

// Load returns the profile that a setting names: Default (or ""), or the path of a file. For Engine it is nil.
func Load(setting string) ([]byte, error) {
	switch setting {
	case "", Default:
		return profile, nil
	case Engine:
		return nil, nil
	}
	text, err := os.ReadFile(setting)
	if err != nil {
		return nil, fmt.Errorf("seccomp profile: %w; give %q, %q or the path of a profile in Docker's JSON", err, Default, Engine)
	}
	var head struct {
		DefaultAction string `json:"defaultAction"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("seccomp profile %s: %w; it must be in Docker's JSON", setting, err)
	}
	if head.DefaultAction == "" {
		return nil, fmt.Errorf("seccomp profile %s: it has no defaultAction; it must be in Docker's JSON", setting)
	}
	return text, nil
}
