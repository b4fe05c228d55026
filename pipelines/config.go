package pipelines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/sandbox/seccomp"
	"github.com/tracemill/tracemill/schema/grammar"
	"github.com/tracemill/tracemill/tracer"
)

// Config is a build. Paths in it are relative to the directory of its file.
type Config struct {
	Output       string                 `yaml:"output" json:"output" jsonschema:"required,description=Directory of the finished dataset and of the build's state"`
	Seed         uint64                 `yaml:"seed" json:"seed" jsonschema:"description=Seed of every random choice"`
	Sources      []harvest.SourceConfig `yaml:"sources" json:"sources" jsonschema:"required,minItems=1"`
	Harvest      harvest.Options        `yaml:"harvest" json:"harvest"`
	Cases        CasesConfig            `yaml:"cases" json:"cases"`
	Sandbox      SandboxConfig          `yaml:"sandbox" json:"sandbox"`
	Trace        tracer.Options         `yaml:"trace" json:"trace"`
	Trajectories TrajectoryConfig       `yaml:"trajectories" json:"trajectories"`
	Splits       []SplitConfig          `yaml:"splits" json:"splits" jsonschema:"description=Shares of the functions; neither a repository nor a function and its copies are in two splits"`
	Shards       ShardConfig            `yaml:"shards" json:"shards"`
	Export       ExportConfig           `yaml:"export" json:"export"`
	Verify       VerifyConfig           `yaml:"verify" json:"verify"`
	Run          RunConfig              `yaml:"run" json:"run"`

	file string
	root *yaml.Node // of the file; nil without one
}

// TrajectoryConfig says which trajectories are sampled from a trace, and how they are written.
type TrajectoryConfig struct {
	actions.Options `yaml:",inline"`
	Formats         []string `yaml:"formats" json:"formats" jsonschema:"description=Text formats; each trajectory makes one row for each that has its direction"`
	MaxChars        int      `yaml:"max_chars" json:"max_chars" jsonschema:"description=Characters of a trajectory's text; a longer one is cut at a state. 0: no bound"`
}

// SplitConfig is a named share of the functions.
type SplitConfig struct {
	Name  string  `yaml:"name" json:"name"`
	Share float64 `yaml:"share" json:"share"`
}

// ShardConfig bounds the files of the dataset.
type ShardConfig struct {
	ShardBytes    int64 `yaml:"shard_bytes" json:"shard_bytes" unit:"bytes" jsonschema:"oneof_type=integer;string,description=Size of a file at which the next one is begun"`
	RowGroupBytes int64 `yaml:"row_group_bytes" json:"row_group_bytes" unit:"bytes" jsonschema:"oneof_type=integer;string,description=Uncompressed size of a row group at which the next one is begun"`
}

// ExportConfig asks for copies of the dataset in other containers.
type ExportConfig struct {
	Arrow bool `yaml:"arrow" json:"arrow" jsonschema:"description=Also write Arrow IPC that datasets.load_from_disk opens"`
}

// VerifyConfig asks for a proof at the end of the build: what the verb verify does.
type VerifyConfig struct {
	Sample    int `yaml:"sample" json:"sample" jsonschema:"description=Trajectories that are replayed under the real debugger. 0: the build is not verified; -1: all"`
	Sequences int `yaml:"sequences" json:"sequences" jsonschema:"description=Random action sequences replayed per trace and semantics"`
}

// RunConfig says how a build is run. Nothing in it changes what comes out, but for part_size, which is in the plan.
type RunConfig struct {
	Workers  int `yaml:"workers" json:"workers" jsonschema:"description=Parts worked on at once; each has sandboxes of its own. 0: the number of cores"`
	PartSize int `yaml:"part_size" json:"part_size" jsonschema:"description=Items (files or rows) in a part: what is done and committed as a whole"`
}

// Default is a config with every default in place: what `tracemill validate --print` shows.
func Default() *Config {
	c := &Config{
		Harvest: harvest.Options{SliceCheck: true},
		Cases:   defaultCases(),
		Sandbox: SandboxConfig{
			Runtime: runtimeDocker, Image: "auto",
			Docker: DockerConfig{Seccomp: seccomp.Default, Patience: 2 * time.Minute}, Bwrap: BwrapConfig{Seccomp: seccomp.Default},
		},
		// Nothing in a dataset should be a guess, so each case runs three times: traced, traced elsewhere, and untraced.
		Trace: tracer.Options{Determinism: tracer.DeterminismCheck, Differential: true},
		Trajectories: TrajectoryConfig{
			Options: actions.DefaultOptions(),
			Formats: []string{"neural-debugger"},
			// 32,000 characters are about 10,000 tokens: what fits a training sequence of that length.
			MaxChars: 32_000,
		},
		Splits: []SplitConfig{{"train", 0.98}, {"validation", 0.01}, {"test", 0.01}},
		// Readers hold a column of a row group in memory, and Hugging Face's viewer refuses row groups above 286 MiB.
		Shards: ShardConfig{ShardBytes: 500_000_000, RowGroupBytes: 100_000_000},
		// 64 items keep a part at some seconds of work, so that a kill loses little, and its rows at some megabytes.
		Verify: VerifyConfig{Sequences: 2},
		Run:    RunConfig{PartSize: 64},
	}
	c.applyDefaults()
	return c
}

func (c *Config) applyDefaults() {
	for i := range c.Sources {
		c.Sources[i] = c.Sources[i].WithDefaults()
	}
	c.Harvest = c.Harvest.WithDefaults()
	c.Cases.LLM = c.Cases.LLM.WithDefaults()
	c.Harvest.Caseless = c.Cases.Grow != GrowNone
	c.Trace, _ = c.Trace.WithDefaults()
	if c.Trace.Seed == 0 {
		c.Trace.Seed = c.Seed
	}
	if c.Trajectories.Seed == 0 {
		c.Trajectories.Seed = c.Seed
	}
	if c.Run.Workers == 0 {
		c.Run.Workers = runtime.NumCPU()
	}
}

// Load reads a config, applies overrides ("key.path=value", as in YAML) and defaults, and validates it. Errors are
// *ConfigError, joined where there are several.
func Load(file string, overrides ...string) (*Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &ConfigError{File: file, Msg: fmt.Sprintf("cannot be read: %v", unwrapPath(err))}
	}
	c := Default()
	c.file = file
	root, err := decode(file, text, overrides, c)
	if err != nil {
		return nil, err
	}
	c.root = root
	c.applyDefaults()
	if err := c.validate(root); err != nil {
		return nil, err
	}
	c.resolvePaths()
	return c, nil
}

// resolvePaths makes paths relative to the config's directory usable from anywhere.
func (c *Config) resolvePaths() {
	dir := filepath.Dir(c.file)
	resolve := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(dir, path)
	}
	c.Output = resolve(c.Output)
	c.Cases.Given, c.Cases.LLM.Cache = resolve(c.Cases.Given), resolve(c.Cases.LLM.Cache)
	for i := range c.Sources {
		c.Sources[i].Path = resolve(c.Sources[i].Path)
	}
	for i := range c.Harvest.Decontaminate {
		c.Harvest.Decontaminate[i].Path = resolve(c.Harvest.Decontaminate[i].Path)
	}
	c.Harvest.OptOut, c.Harvest.Contamination.Allow = resolve(c.Harvest.OptOut), resolve(c.Harvest.Contamination.Allow)
	if path, ok := strings.CutPrefix(c.Sandbox.Image, "tar:"); ok {
		c.Sandbox.Image = "tar:" + resolve(path)
	}
	c.Sandbox.Bwrap.CacheDir = resolve(c.Sandbox.Bwrap.CacheDir)
	for _, profile := range []*string{&c.Sandbox.Docker.Seccomp, &c.Sandbox.Bwrap.Seccomp} {
		if *profile != seccomp.Default && *profile != seccomp.Engine {
			*profile = resolve(*profile)
		}
	}
}

// validate checks what the types cannot say. Each section knows its own rules.
func (c *Config) validate(root *yaml.Node) error {
	var errs []error
	fail := func(key string, err error) {
		if err != nil {
			errs = append(errs, &ConfigError{File: c.file, Line: lineOf(root, key), Key: key, Msg: err.Error()})
		}
	}
	if c.Output == "" {
		fail("output", errors.New("is missing: name the directory for the dataset"))
	}
	if len(c.Sources) == 0 {
		fail("sources", errors.New("is missing: name at least one source of functions"))
	}
	names := map[string]bool{}
	for i, s := range c.Sources {
		key := fmt.Sprintf("sources[%d]", i)
		fail(key, s.Validate())
		fail(key, c.Cases.validateFor(s))
		if names[s.Name] {
			fail(key, fmt.Errorf("there are two sources named %q: give each a name of its own", s.Name))
		}
		names[s.Name] = true
	}
	fail("harvest", c.Harvest.Validate())
	c.validateNames(fail)
	fail("cases", c.Cases.validate())
	fail("sandbox.runtime", c.Sandbox.validate())
	fail("trace", c.Trace.Validate())
	fail("trajectories", c.Trajectories.Options.Validate())
	fail("trajectories.formats", c.validateFormats())
	if c.Trajectories.MaxStates < 2 {
		fail("trajectories.max_states", errors.New("must be at least 2: one state has nothing to learn"))
	}
	if c.Trajectories.PerTrace < 1 {
		fail("trajectories.per_trace", errors.New("must be at least 1"))
	}
	fail("splits", c.validateSplits())
	if c.Shards.ShardBytes < 1 || c.Shards.RowGroupBytes < 1 {
		fail("shards", errors.New("shard_bytes and row_group_bytes must be at least 1"))
	}
	if c.Verify.Sample < SampleAll || c.Verify.Sequences < 0 {
		fail("verify", errors.New("sample must be -1 or more, sequences must not be negative"))
	}
	if c.Run.Workers < 0 {
		fail("run.workers", errors.New("must not be negative"))
	}
	if c.Run.PartSize < 1 {
		fail("run.part_size", errors.New("must be at least 1"))
	}
	return errors.Join(errs...)
}

func (c *Config) validateFormats() error {
	if len(c.Trajectories.Formats) == 0 {
		return errors.New("is empty: name at least one of " + strings.Join(grammar.Names(), ", "))
	}
	for i, name := range c.Trajectories.Formats {
		if _, err := grammar.Lookup(name); err != nil {
			return err
		}
		if slices.Contains(c.Trajectories.Formats[:i], name) {
			return fmt.Errorf("%q is named twice", name)
		}
	}
	return nil
}

func (c *Config) validateSplits() error {
	var sum float64
	names := map[string]bool{}
	for _, s := range c.Splits {
		switch {
		case s.Name == "" || strings.ContainsFunc(s.Name, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }):
			return fmt.Errorf("%q is not the name of a split: small letters and _ only", s.Name)
		case names[s.Name]:
			return fmt.Errorf("%q is there twice", s.Name)
		case !(s.Share >= 0 && s.Share <= 1): // NaN too
			return fmt.Errorf("the share of %s is %g: want 0 to 1", s.Name, s.Share)
		}
		names[s.Name] = true
		sum += s.Share
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("the shares add up to %g: make it 1", sum)
	}
	return nil
}

// Print writes the config with every default as YAML.
func (c *Config) Print(w io.Writer) error {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(c); err != nil {
		return fmt.Errorf("print config: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func unwrapPath(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
