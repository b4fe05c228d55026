package harvest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/sandbox"
)

// Options change what is harvested; all of them belong to a build's fingerprint. Zero fields take the defaults.
type Options struct {
	// MaxProgramBytes is the longest program, in UTF-8; default 64 KiB: longer ones are generated or data, and every
	// trajectory of theirs carries their text.
	MaxProgramBytes int `yaml:"max_program_bytes" json:"max_program_bytes"`
	// ParseSeconds is the CPU time for one file; default 10: a file of 64 KiB takes a hundredth of a second.
	ParseSeconds int `yaml:"parse_seconds" json:"parse_seconds"`
	// Slice says how much of its module a function's program is; default module.
	Slice Slice `yaml:"slice" json:"slice" jsonschema:"enum=module,enum=minimal"`
	// Curation leaves functions out by what they are.
	Curation `yaml:",inline"`
	// SliceCheck gives each unit whose program is a slice the whole of its item too, for who compares them.
	SliceCheck bool `yaml:"slice_check" json:"slice_check"`
	// Filters leave functions out by what their text is.
	Filters Filters `yaml:"filters" json:"filters"`
	// Fingerprints gives each unit its fingerprint, for who compares them.
	Fingerprints bool `yaml:"-" json:"-"`
	// Caseless keeps functions for which the source has no case, and finds calls that nobody says are good; see Own. It is for who makes
	// cases, and decides what becomes of the rest.
	Caseless bool `yaml:"-" json:"-"`
}

// WithDefaults is the options with the zero fields filled in.
func (o Options) WithDefaults() Options {
	if o.MaxProgramBytes == 0 {
		o.MaxProgramBytes = 64 << 10
	}
	if o.ParseSeconds == 0 {
		o.ParseSeconds = 10
	}
	if o.Slice == "" {
		o.Slice = SliceModule
	}
	o.Curation = o.Curation.withDefaults()
	return o
}

// Validate says what is wrong with the options.
func (o Options) Validate() error {
	if o = o.WithDefaults(); o.Slice != SliceModule && o.Slice != SliceMinimal {
		return configErrorf("slice", "%q is not known; there are: module, minimal", o.Slice)
	}
	if err := o.Filters.validate(); err != nil {
		return err
	}
	return o.Curation.validate()
}

const (
	wallFactor  = 6                // wall clock of a file, in its CPU time: machines are shared
	answerGrace = 30 * time.Second // for what is not the file's: an engine under load
)

// Harvester reads items with one analyzer. It is for one goroutine.
type Harvester struct {
	runtime sandbox.Runtime
	spec    sandbox.Spec
	options Options
	process sandbox.Process

	provenance *provenance

	failures int                       // of the infrastructure, since the last answer
	backoff  func(n int) time.Duration // before the nth retry in a row
}

// New starts an analyzer; name tells it from others in messages and labels.
func New(ctx context.Context, rt sandbox.Runtime, name string, opts Options) (*Harvester, error) {
	opts = opts.WithDefaults()
	files, err := analyzerSources()
	if err != nil {
		return nil, err
	}
	limits, err := json.Marshal(map[string]int{"cpu_seconds": opts.ParseSeconds, "wall_seconds": wallFactor * opts.ParseSeconds})
	if err != nil {
		return nil, err
	}
	provenance, err := newProvenance(opts.Curation)
	if err != nil {
		return nil, err
	}
	h := &Harvester{provenance: provenance, runtime: rt, options: opts, backoff: sandbox.Backoff, spec: sandbox.Spec{
		Name: name,
		// Isolated, without site and without writing bytecode: what is on the image must not change what is found.
		Command: []string{rt.Image().Python, "-I", "-S", "-B", sandbox.FilesDir + "/analyzer/__main__.py", string(limits)},
		Env:     map[string]string{"LC_ALL": "C.UTF-8"},
		Files:   files,
	}}
	if err := h.start(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

func (h *Harvester) start(ctx context.Context) error {
	process, err := h.runtime.Start(ctx, h.spec)
	if err != nil {
		return fmt.Errorf("start analyzer %s: %w", h.spec.Name, err)
	}
	h.process = process
	return nil
}

// Close ends the analyzer. It is safe to call twice.
func (h *Harvester) Close() error {
	if h.process == nil {
		return nil
	}
	err := h.process.Close()
	h.process = nil
	return err
}

// Harvest finds the functions and cases of items. An error is never an item's fault.
func (h *Harvester) Harvest(ctx context.Context, items []Item) (*Result, error) {
	result := &Result{caseless: h.options.Caseless, wholes: h.options.SliceCheck, secrets: h.options.Secrets.Source}
	items = h.provenance.admit(items, result)
	var b blame // of the first item that is not done
	for done := 0; done < len(items); {
		batch := items[done:]
		if b != (blame{}) {
			batch = batch[:1] // alone, so that only it is to blame
		}
		n, err := h.analyze(ctx, batch, result)
		done += n
		if n > 0 {
			b = blame{}
		}
		if err == nil {
			continue
		}
		exit, err := h.mend(ctx, err, &b)
		if err != nil {
			return nil, fmt.Errorf("analyze %s: %w", items[done].Origin, err)
		}
		if exit != nil {
			item := &items[done]
			result.add(item, &answer{Reason: ParseCrash, Detail: fmt.Sprintf("the analyzer died with exit code %d", exit.Code)})
			done, b = done+1, blame{}
		}
	}
	h.provenance.leave(result)
	return result, nil
}

// analyze feeds the analyzer and takes its answers, which come in order. It returns how many items are done.
func (h *Harvester) analyze(ctx context.Context, items []Item, result *Result) (int, error) {
	if h.process == nil {
		if err := h.start(ctx); err != nil {
			return 0, err
		}
	}
	// The feeder must not outlive this call: its context ends with the first error of either side.
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return h.feed(ctx, items) })
	done := 0
	group.Go(func() error {
		for ; done < len(items); done++ {
			if items[done].Err != nil {
				result.add(&items[done], nil)
				continue
			}
			frame, err := h.receive(ctx)
			if err != nil {
				return err
			}
			h.failures = 0
			a, err := decodeAnswer(frame)
			if err != nil {
				// The frame is whole, so the analyzer is too: what it says of this item is worth nothing.
				a = &answer{Reason: ParseCrash, Detail: err.Error()}
			}
			result.add(&items[done], a)
		}
		return nil
	})
	err := group.Wait()
	return done, err
}

// receive waits for an answer as long as the analyzer may take for a file, and then some.
func (h *Harvester) receive(ctx context.Context) ([]byte, error) {
	patience := 2*wallFactor*time.Duration(h.options.ParseSeconds)*time.Second + answerGrace // a file with tests is read twice where they are too much
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	frame, err := h.process.Receive(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("analyzer %s: no answer within %s", h.spec.Name, patience)
	}
	return frame, err
}

func (h *Harvester) feed(ctx context.Context, items []Item) error {
	for i := range items {
		if items[i].Err != nil {
			continue
		}
		frame, err := encodeRequest(&items[i], h.options)
		if err != nil {
			return err
		}
		if err := h.process.Send(ctx, frame); err != nil {
			return err
		}
	}
	return nil
}
