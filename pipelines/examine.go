package pipelines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
	"github.com/tracemill/tracemill/tracer"
)

// Examination is what a machine has and lacks for a build.
type Examination struct {
	Sections []Section `json:"sections"`
	Runtime  string    `json:"runtime"` // that a build would run in; "" where it cannot
	Other    string    `json:"other"`   // that works where Runtime is "", but that the config does not ask for
	OK       bool      `json:"ok"`
}

// Section is the findings about one thing.
type Section struct {
	Title    string            `json:"title"`
	Needed   bool              `json:"needed"` // by this config
	Findings []sandbox.Finding `json:"findings"`
}

// Examine looks at a machine as a build of c would meet it: its runtimes, in which it runs a program where they can be opened, its
// interpreters and its output directory. It may make an image, as a build would, and claims nothing.
func Examine(ctx context.Context, c *Config, log func(string)) *Examination {
	x := &Examination{}
	x.add("Interpreters", true, sandbox.ExamineInterpreters(ctx, c.Sandbox.Python))
	for _, r := range candidates(ctx, c, log) {
		findings := r.examine()
		if sandbox.Usable(findings) {
			findings = append(findings, try(ctx, c, r.open)...)
		}
		wanted := c.Sandbox.mayUse(r.name)
		switch works := x.add(r.title, wanted, findings); {
		case works && wanted && x.Runtime == "":
			x.Runtime, x.Other = r.name, ""
		case works && x.Runtime == "":
			x.Other = r.name
		}
	}
	writable := x.add("Output "+c.Output, true, examineOutput(c.Output))
	x.add("Machine", true, examineMachine(c))
	x.OK = writable && x.Runtime != ""
	return x
}

// candidate is a runtime that a build may run in.
type candidate struct {
	name, title string
	examine     func() []sandbox.Finding
	open        func() (sandbox.Runtime, error)
}

func candidates(ctx context.Context, c *Config, log func(string)) []candidate {
	all := []candidate{{
		runtimeDocker, "Docker",
		func() []sandbox.Finding { return sandbox.ExamineDocker(ctx, dockerOptions(c, log)) },
		func() (sandbox.Runtime, error) { return sandbox.OpenDocker(ctx, dockerOptions(c, log)) },
	}, {
		runtimeBwrap, "bubblewrap",
		func() []sandbox.Finding { return sandbox.ExamineBwrap(ctx, bwrapOptions(c, log)) },
		func() (sandbox.Runtime, error) { return sandbox.OpenBwrap(ctx, bwrapOptions(c, log)) },
	}}
	if c.Sandbox.Runtime == sandbox.Unsandboxed {
		all = append(all, candidate{
			sandbox.Unsandboxed, "No sandbox",
			func() []sandbox.Finding {
				return []sandbox.Finding{{Name: "isolation", State: sandbox.StateWarning, Detail: "programs can do whatever this user can",
					Remedy: "set sandbox.runtime to auto"}}
			},
			func() (sandbox.Runtime, error) { return sandbox.OpenUnsandboxed(ctx, c.Sandbox.Python) },
		})
	}
	return all
}

// add says whether nothing is missing.
func (x *Examination) add(title string, needed bool, findings []sandbox.Finding) bool {
	x.Sections = append(x.Sections, Section{title, needed, findings})
	return sandbox.Usable(findings)
}

// Lacking is what is missing that the config needs, and what it could do without, in one line.
func (x *Examination) Lacking() string {
	var names []string
	for _, s := range x.Sections {
		for _, f := range s.Findings {
			if f.State == sandbox.StateMissing && s.Needed {
				names = append(names, s.Title+": "+f.Name)
			}
		}
	}
	line := strings.Join(names, ", ")
	if x.Other != "" {
		line += fmt.Sprintf("; sandbox.runtime: %s would do", x.Other)
	}
	return line
}

// trial is a program whose trace says that all is there that a trace is made of.
const trial = "def double(x):\n    return x + x\n"

// try opens a runtime and harvests, runs and traces the trial in it.
func try(ctx context.Context, c *Config, open func() (sandbox.Runtime, error)) []sandbox.Finding {
	rt, err := open()
	if err != nil {
		return []sandbox.Finding{sandbox.Missing("image", err)}
	}
	image := rt.Image()
	findings := []sandbox.Finding{{Name: "image", State: sandbox.StateOK, Detail: fmt.Sprintf("%s, CPython %s, %s", image.Name, image.Version, image.ID)}}
	trace, err := runTrial(ctx, c, rt)
	if err := errors.Join(err, rt.Close()); err != nil {
		return append(findings, sandbox.Missing("a program", err))
	}
	if trace.Status != schema.StatusOK || len(trace.Events) == 0 {
		return append(findings, sandbox.Finding{Name: "a program", State: sandbox.StateMissing,
			Detail: fmt.Sprintf("%s instead of ok: %s", trace.Status, trace.StatusDetail), Remedy: "docs/troubleshooting.md explains each status"})
	}
	return append(findings, sandbox.Finding{Name: "a program", State: sandbox.StateOK, Detail: fmt.Sprintf("ran in a sandbox, and left a trace of %d events", len(trace.Events))})
}

func runTrial(ctx context.Context, c *Config, rt sandbox.Runtime) (trace *schema.Trace, err error) {
	w, err := newWorker(ctx, c, rt, &givenInputs{}, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	harvested, err := w.harvester.Harvest(ctx, []harvest.Item{{Text: trial, Entry: "double", Inputs: []harvest.Input{{Args: "21"}}}})
	if err != nil {
		return nil, err
	}
	if len(harvested.Units) != 1 {
		return nil, fmt.Errorf("the analyzer finds nothing in a plain function: %v", harvested.Drops)
	}
	unit := &harvested.Units[0]
	err = w.tracer.Run(ctx, []tracer.Job{{Function: &unit.Function, Cases: unit.Cases}}, func(_ int, traces []*schema.Trace) error {
		trace = traces[0]
		return nil
	})
	return trace, err
}

// outputRoom is below what a build of some thousand functions takes.
const outputRoom = 1 << 30

func examineOutput(dir string) []sandbox.Finding {
	if dir == "" {
		return nil
	}
	if err := shard.Try(dir); err != nil {
		return []sandbox.Finding{sandbox.Missing("writing", err)}
	}
	findings := []sandbox.Finding{{Name: "writing", State: sandbox.StateOK, Detail: "files can be made, linked and renamed"}}
	if shard.Begun(dir) {
		findings = append(findings, sandbox.Finding{Name: "build", State: sandbox.StateOK, Detail: "one has been begun there: the same config goes on with it"})
	}
	if room, ok := sandbox.RoomIn("room", dir, outputRoom, "or give another --output"); ok {
		findings = append(findings, room)
	}
	return findings
}

// sandboxesPerWorker is what a worker has: an analyzer, a tracer, and the guards' tracer.
const sandboxesPerWorker = 3

func examineMachine(c *Config) []sandbox.Finding {
	findings := []sandbox.Finding{{Name: "cores", State: sandbox.StateOK, Detail: fmt.Sprintf("%d, for %d workers", runtime.NumCPU(), c.Run.Workers)}}
	if c.Run.Workers > 2*runtime.NumCPU() {
		findings[0].State, findings[0].Remedy = sandbox.StateWarning, "lower run.workers: programs that wait for a core may time out"
	}
	available, err := availableMemory()
	if err != nil {
		return append(findings, sandbox.Finding{Name: "memory", State: sandbox.StateWarning, Detail: err.Error()})
	}
	each := max(1<<30, c.Trace.Limits.Memory)
	f := sandbox.Finding{Name: "memory", State: sandbox.StateOK, Detail: fmt.Sprintf("%.1f GB available", float64(available)/1e9)}
	if most := each * int64(c.Run.Workers) * sandboxesPerWorker; available < each {
		f.State, f.Remedy = sandbox.StateWarning, fmt.Sprintf("a sandbox may take %.1f GB: lower trace.limits.memory", float64(each)/1e9)
	} else if available < most {
		f.Detail += fmt.Sprintf("; %d sandboxes may take %.1f GB, which they do only where many programs want all of their memory at once", c.Run.Workers*sandboxesPerWorker, float64(most)/1e9)
	}
	return append(findings, f)
}

func availableMemory() (int64, error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10, nil
		}
	}
	return 0, errors.New("/proc/meminfo does not say how much memory is available")
}

// mayUse says whether a config's runtime may turn out to be this one.
func (c *SandboxConfig) mayUse(name string) bool {
	return c.Runtime == runtimeAuto || c.Runtime == name
}
