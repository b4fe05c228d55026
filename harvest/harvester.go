package harvest

import (
	"context"
	"encoding/json"
	"errors"
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
}

// WithDefaults is the options with the zero fields filled in.
func (o Options) WithDefaults() Options {
	if o.MaxProgramBytes == 0 {
		o.MaxProgramBytes = 64 << 10
	}
	if o.ParseSeconds == 0 {
		o.ParseSeconds = 10
	}
	return o
}

// Harvester reads items with one analyzer. It is for one goroutine.
type Harvester struct {
	runtime sandbox.Runtime
	spec    sandbox.Spec
	options Options
	process sandbox.Process
}

// New starts an analyzer; name tells it from others in messages and labels.
func New(ctx context.Context, rt sandbox.Runtime, name string, opts Options) (*Harvester, error) {
	opts = opts.WithDefaults()
	files, err := analyzerSources()
	if err != nil {
		return nil, err
	}
	limits, err := json.Marshal(map[string]int{"cpu_seconds": opts.ParseSeconds, "wall_seconds": 6 * opts.ParseSeconds})
	if err != nil {
		return nil, err
	}
	h := &Harvester{runtime: rt, options: opts, spec: sandbox.Spec{
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
	result := &Result{}
	deaths := 0 // of the analyzer, over the first item that is not done
	for done := 0; done < len(items); {
		batch := items[done:]
		if deaths > 0 {
			batch = batch[:1] // alone, so that only it is to blame
		}
		n, err := h.analyze(ctx, batch, result)
		done += n
		if n > 0 {
			deaths = 0
		}
		if err == nil {
			continue
		}
		exit, err := h.autopsy(ctx, err)
		if err != nil {
			return nil, fmt.Errorf("analyze %s: %w", items[done].Origin, err)
		}
		if deaths++; deaths > 1 {
			// The analyzer works, and died twice of this one.
			item := &items[done]
			result.add(item, &answer{Reason: ParseCrash, Detail: fmt.Sprintf("the analyzer died with exit code %d", exit.Code)})
			done, deaths = done+1, 0
		}
	}
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
			frame, err := h.process.Receive(ctx)
			if err != nil {
				return err
			}
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

func (h *Harvester) feed(ctx context.Context, items []Item) error {
	for i := range items {
		if items[i].Err != nil {
			continue
		}
		frame, err := encodeRequest(&items[i], h.options.MaxProgramBytes)
		if err != nil {
			return err
		}
		if err := h.process.Send(ctx, frame); err != nil {
			return err
		}
	}
	return nil
}

// exitWait is how long an analyzer that takes no more requests may take to say that it has ended.
const exitWait = 10 * time.Second

// autopsy ends an analyzer that failed. When it had died, and a new one works, it says how.
func (h *Harvester) autopsy(ctx context.Context, failure error) (*sandbox.ExitError, error) {
	var exit *sandbox.ExitError
	if ctx.Err() == nil && h.process != nil && !errors.As(failure, &exit) {
		// A send fails before the end of the process is known.
		wait, cancel := context.WithTimeout(ctx, exitWait)
		for err := error(nil); err == nil; {
			_, err = h.process.Receive(wait)
			errors.As(err, &exit)
		}
		cancel()
	}
	closeErr := h.Close()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case exit == nil:
		return nil, failure
	case closeErr != nil:
		return nil, fmt.Errorf("end analyzer %s: %w", h.spec.Name, closeErr)
	}
	if err := h.probe(ctx); err != nil {
		return nil, fmt.Errorf("%w (it was started anew because of: %w)", err, failure)
	}
	return exit, nil
}

// probe makes sure that a new analyzer works: that it does not is no item's fault.
func (h *Harvester) probe(ctx context.Context) error {
	items := []Item{{Text: "def f():\n    pass\n", Entry: "f", Inputs: []Input{{}}}}
	result := &Result{}
	if _, err := h.analyze(ctx, items, result); err != nil {
		return fmt.Errorf("analyzer %s does not answer: %w", h.spec.Name, err)
	}
	if len(result.Units) != 1 {
		return fmt.Errorf("analyzer %s finds nothing in a plain function", h.spec.Name)
	}
	return nil
}
