package pipelines

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tracemill/tracemill/actions"
	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/shard"
	"github.com/tracemill/tracemill/tracer"
)

// VerifyOptions say how much of a build is compared with real debuggers. The rows are always checked, all of them. The
// zero value works.
type VerifyOptions struct {
	// Trajectories that are replayed, drawn by hash: 0 takes the default, -1 all, -2 none.
	Sample int `yaml:"sample" json:"sample" jsonschema:"description=Trajectories that are replayed under the real debugger. -1: all; -2: none"`
	// Random action sequences per trace of a replayed trajectory, for each semantics; 0 takes the default, -1 none.
	Sequences int `yaml:"sequences" json:"sequences" jsonschema:"description=Random action sequences replayed per trace and semantics. -1: none"`
	// Where programs run: an image whose interpreter is the one that the rows name.
	Sandbox SandboxConfig `yaml:"-" json:"-"`
	// Workers is how many sandboxes replay at once: 0 is one for each core.
	Workers int `yaml:"-" json:"-"`
	// Runtime is used instead of opening one, and is left open.
	Runtime sandbox.Runtime `yaml:"-" json:"-"`
}

// Values of VerifyOptions that are not numbers.
const (
	SampleAll     = -1
	SampleNone    = -2
	SequencesNone = -1
)

func (o VerifyOptions) withDefaults() VerifyOptions {
	if o.Sample == 0 {
		o.Sample = 1000 // one wrong transition in 300 is then found with 95 % certainty, in a few minutes
	}
	if o.Sequences == 0 {
		o.Sequences = 2 // what the build's own policy never does is tried as well
	}
	if o.Sequences == SequencesNone {
		o.Sequences = 0
	}
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.Sandbox.Image == "" {
		o.Sandbox.Image = "auto"
	}
	return o
}

// verification is one run of Verify.
type verification struct {
	checks
	dataset  *shard.Dataset
	options  VerifyOptions
	progress Progress
	settings map[string]string
	trace    tracer.Options
	sampling actions.Options
	sums     Counters // of the rows, to be compared with the manifest's
	python   map[string]bool
	sampled  sample
}

// Verify checks all rows of a finished build, and compares a sample of its trajectories, and random sequences of actions on
// their traces, with real debuggers. What is wrong is in the report; an error says that it could not be found out.
func Verify(ctx context.Context, dir string, options VerifyOptions, progress Progress) (*VerifyReport, error) {
	dataset, err := shard.OpenDataset(dir)
	if err != nil {
		return nil, err
	}
	v := &verification{
		checks:  checks{report: &VerifyReport{Dir: dir}, at: map[string]int{}},
		dataset: dataset, options: options.withDefaults(), progress: progress, settings: dataset.Manifest().Settings,
		sums: Counters{}, python: map[string]bool{},
	}
	if err := v.readSettings(); err != nil {
		return nil, err
	}
	progress.Log("checking files and rows")
	v.files(ctx)
	if err := v.rows(ctx); err != nil {
		return nil, err
	}
	if err := v.replay(ctx); err != nil {
		return v.report, err
	}
	return v.report, ctx.Err()
}

// readSettings takes what rows depend on from the build's own settings.
func (v *verification) readSettings() error {
	config := struct {
		Trace        tracer.Options   `yaml:"trace"`
		Trajectories TrajectoryConfig `yaml:"trajectories"`
	}{}
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, key := range sortedKeys(v.settings) {
		switch {
		case strings.HasPrefix(key, "trace."), key == "trajectories.tombstones", key == "trajectories.seed", key == "trajectories.max_chars":
			if err := override(root, key+"="+v.settings[key]); err != nil {
				return fmt.Errorf("settings of %s: %w", v.dataset.Dir(), err)
			}
		}
	}
	if err := root.Decode(&config); err != nil {
		return fmt.Errorf("settings of %s: %w", v.dataset.Dir(), err)
	}
	v.trace, v.sampling = config.Trace, config.Trajectories.Options
	return nil
}

// files compares the files with the manifest. Faults in them do not keep what can be read from being checked.
func (v *verification) files(ctx context.Context) {
	err := v.dataset.Verify(ctx)
	faults := []error{}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		faults = joined.Unwrap()
	} else if err != nil {
		faults = append(faults, err)
	}
	for range v.dataset.Manifest().Files {
		v.did("files", "", "")
	}
	for _, fault := range faults {
		v.did("files", v.dataset.Dir(), fault.Error())
	}
}

// replay opens the sandbox that the rows ask for, and has the sample replayed.
func (v *verification) replay(ctx context.Context) error {
	if v.sampled.count() == 0 {
		return nil
	}
	rt := v.options.Runtime
	if rt == nil {
		var err error
		if v.options.Sandbox.Runtime == "" {
			v.options.Sandbox.Runtime = runtimeAuto // replays are the same in any
		}
		c := &Config{Sandbox: v.options.Sandbox, Output: v.dataset.Dir()}
		if rt, err = openRuntime(ctx, c, v.progress); err != nil {
			return err
		}
		defer rt.Close()
	}
	if err := v.sameInterpreter(rt.Image()); err != nil {
		return err
	}
	v.report.Replay = newReplayReport()
	v.report.Replay.Python = rt.Image().Version
	prover := &prover{report: v.report.Replay, masked: v.settings["harvest.secrets.values"] == string(harvest.HandleMask)}
	for i := range v.options.Workers {
		t, err := tracer.New(ctx, rt, fmt.Sprintf("verify-%d", i), v.trace)
		if err != nil {
			return err
		}
		prover.tracers = append(prover.tracers, t)
	}
	v.progress.Log(fmt.Sprintf("replaying %d trajectories under the debugger of CPython %s", v.sampled.count(), rt.Image().Version))
	err := v.replaySample(ctx, prover)
	v.report.Replay.sort()
	for _, t := range prover.tracers {
		err = errors.Join(err, t.Close())
	}
	return err
}

// sameInterpreter refuses another interpreter than the rows': debuggers stop elsewhere from one micro release to the next.
func (v *verification) sameInterpreter(image sandbox.Image) error {
	for _, version := range sortedKeys(v.python) {
		if version != image.Version {
			return fmt.Errorf("the rows of %s are of CPython %s and the sandbox has %s, whose debugger stops elsewhere: "+
				"name an image or an interpreter of that version with --image or --python, or replay nothing with --sample none",
				v.dataset.Dir(), version, image.Version)
		}
	}
	if image.ID != v.settings["image"] {
		v.progress.Log("the image is not the one that the build ran in, though its interpreter has the same version")
	}
	return nil
}
