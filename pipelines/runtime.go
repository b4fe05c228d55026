package pipelines

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
)

// Runtimes that a config may name.
const (
	runtimeAuto   = "auto"
	runtimeDocker = "docker"
	runtimeBwrap  = "bwrap"
)

// SandboxConfig says where programs run. None of it changes the rows but for the image and, with it, the interpreter.
type SandboxConfig struct {
	Runtime string       `yaml:"runtime" json:"runtime" jsonschema:"enum=auto,enum=docker,enum=bwrap,enum=none,description=What isolates programs from the host. auto takes docker where an engine answers and else bwrap. none is nothing and needs allow_unsandboxed"`
	Allow   bool         `yaml:"allow_unsandboxed" json:"allow_unsandboxed" jsonschema:"description=Let runtime none run programs with all that this user may do"`
	Image   string       `yaml:"image" json:"image" jsonschema:"description=auto or host or tar:PATH or a reference. auto takes the official slim image of the wanted Python where it can be had and else builds from the host's interpreter; bwrap has the host's only"`
	Python  string       `yaml:"python" json:"python" jsonschema:"description=Wanted version such as 3.12 or the path of an interpreter on the host to build an image from. Empty: the host's python3"`
	Docker  DockerConfig `yaml:"docker" json:"docker"`
	Bwrap   BwrapConfig  `yaml:"bwrap" json:"bwrap"`
}

// DockerConfig is of runtime docker alone.
type DockerConfig struct {
	Host       string `yaml:"host" json:"host" jsonschema:"description=Address of the engine. Empty: DOCKER_HOST or the default socket"`
	OCIRuntime string `yaml:"oci_runtime" json:"oci_runtime" jsonschema:"description=OCI runtime of the engine such as runsc. Empty: the engine's default"`
	Seccomp    string `yaml:"seccomp" json:"seccomp" jsonschema:"description=default (Tracemill's profile) or engine (the engine's own) or the path of a profile in Docker's JSON"`

	Patience time.Duration `yaml:"patience" json:"patience" jsonschema:"description=How long a build waits for an engine that went away"`
}

// BwrapConfig is of runtime bwrap alone.
type BwrapConfig struct {
	CacheDir string `yaml:"cache_dir" json:"cache_dir" jsonschema:"description=Directory for root file systems. Empty: tracemill in the user's cache directory"`
	User     uint32 `yaml:"user" json:"user" jsonschema:"description=Where Tracemill is root: id of the user to run bubblewrap as. 0: root"`
	Seccomp  string `yaml:"seccomp" json:"seccomp" jsonschema:"description=default (Tracemill's profile) or the path of a profile in Docker's JSON"`
}

func (c SandboxConfig) validate() error {
	if c.Docker.Patience < 0 {
		return fmt.Errorf("docker.patience is %s: must not be negative", c.Docker.Patience)
	}
	switch c.Runtime {
	case runtimeAuto, runtimeDocker, runtimeBwrap:
		return nil
	case sandbox.Unsandboxed:
		if !c.Allow {
			return errors.New("none gives untrusted programs all that this user may do: take docker, bwrap or auto, or say so with sandbox.allow_unsandboxed: true")
		}
		return nil
	}
	return fmt.Errorf("%q is not a runtime; known: %s, %s, %s, %s", c.Runtime, runtimeAuto, runtimeDocker, runtimeBwrap, sandbox.Unsandboxed)
}

// openRuntime starts nothing that lasts: it finds or makes the image, and sweeps what a killed run of this build left.
func openRuntime(ctx context.Context, c *Config, progress Progress) (sandbox.Runtime, error) {
	switch c.Sandbox.Runtime {
	case runtimeBwrap:
		return openBwrap(ctx, c, progress)
	case runtimeAuto:
		return chooseRuntime(ctx, c, progress)
	case sandbox.Unsandboxed:
		if err := c.Sandbox.validate(); err != nil {
			return nil, fmt.Errorf("sandbox.runtime: %w", err)
		}
		progress.Log("WARNING: there is no sandbox: programs can do whatever this user can, to this machine and to one another")
		return sandbox.OpenUnsandboxed(ctx, c.Sandbox.Python)
	}
	return openDocker(ctx, c, progress)
}

// chooseRuntime takes the first runtime that this machine has.
func chooseRuntime(ctx context.Context, c *Config, progress Progress) (sandbox.Runtime, error) {
	rt, noDocker := openDocker(ctx, c, progress)
	if noDocker == nil {
		progress.Log("sandbox: runtime docker, since an engine answers")
		return rt, nil
	}
	if !errors.Is(noDocker, sandbox.ErrUnavailable) || ctx.Err() != nil {
		return nil, noDocker
	}
	rt, noBwrap := openBwrap(ctx, c, progress)
	if noBwrap != nil {
		return nil, fmt.Errorf("sandbox.runtime auto: there is neither of two runtimes:\n  %w\n  %w", noDocker, noBwrap)
	}
	progress.Log(fmt.Sprintf("sandbox: runtime bwrap, since docker cannot be had (%v)", noDocker))
	return rt, nil
}

func openDocker(ctx context.Context, c *Config, progress Progress) (sandbox.Runtime, error) {
	return sandbox.OpenDocker(ctx, dockerOptions(c, progress.Log))
}

func openBwrap(ctx context.Context, c *Config, progress Progress) (sandbox.Runtime, error) {
	return sandbox.OpenBwrap(ctx, bwrapOptions(c, progress.Log))
}

func dockerOptions(c *Config, log func(string)) sandbox.DockerOptions {
	return sandbox.DockerOptions{
		Host: c.Sandbox.Docker.Host, Image: c.Sandbox.Image, Python: c.Sandbox.Python,
		OCIRuntime: c.Sandbox.Docker.OCIRuntime, Seccomp: c.Sandbox.Docker.Seccomp, Patience: c.Sandbox.Docker.Patience,
		BuildID: schema.ID("build", c.Output), OutputDir: c.Output, Log: log,
	}
}

func bwrapOptions(c *Config, log func(string)) sandbox.BwrapOptions {
	return sandbox.BwrapOptions{
		Image: c.Sandbox.Image, Python: c.Sandbox.Python,
		CacheDir: c.Sandbox.Bwrap.CacheDir, User: c.Sandbox.Bwrap.User, Seccomp: c.Sandbox.Bwrap.Seccomp, Log: log,
	}
}

// sandboxFact is how a part's commit says what isolated its programs, which is no part of the plan.
const sandboxFact = "sandbox"

// warnings are what a reader of a dataset should know before its rows.
func warnings(sums Counters) []string {
	var all []string
	if n := sums[sandboxFact+"."+sandbox.Unsandboxed]; n > 0 {
		all = append(all, fmt.Sprintf("the programs of %d parts ran without a sandbox, with the rights of whoever ran the build: what they could do to the machine and to one another is not known", n))
	}
	return all
}
