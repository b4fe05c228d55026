package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracemill/tracemill/pipelines"
)

func newRun(asJSON *bool) *cobra.Command {
	var flags configFlags
	c := &cobra.Command{
		Use:   "run CONFIG",
		Short: "Build a dataset: harvest, trace, sample, write",
		Long: "Build the dataset that CONFIG describes. A build that was ended goes on where it was; one that is\n" +
			"complete is left as it is.\n\n" + exitCodes,
		Example: "  tracemill run pipelines/quickstart.yaml\n  tracemill run pipelines/cruxeval.yaml --set run.workers=4 --output /data/cruxeval",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := flags.load(args[0])
			if err != nil {
				return err
			}
			progress := newProgress(c.ErrOrStderr())
			r, err := pipelines.Run(c.Context(), config, progress)
			progress.finish()
			if r == nil {
				return err
			}
			if *asJSON {
				if jerr := writeJSON(c.OutOrStdout(), r); jerr != nil {
					return jerr
				}
				return err
			}
			writeReport(c.OutOrStdout(), r)
			return err
		},
	}
	flags.register(c)
	return c
}

// configFlags are what every verb that reads a config takes.
type configFlags struct {
	output string
	sets   []string
}

func (f *configFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.output, "output", "", "output directory, instead of the config's; relative to here")
	c.Flags().StringArrayVar(&f.sets, "set", nil, "override a setting: KEY=VALUE, such as trace.limits.events=2000 or sources.0.path=functions.jsonl")
}

func (f *configFlags) load(file string) (*pipelines.Config, error) {
	sets := f.sets
	if f.output != "" {
		dir, err := filepath.Abs(f.output)
		if err != nil {
			return nil, &usageError{err}
		}
		sets = append(sets, "output="+fmt.Sprintf("%q", dir))
	}
	return pipelines.Load(file, sets...)
}

// writeReport shows a build's sums as a person reads them.
func writeReport(w io.Writer, r *pipelines.Report) {
	switch {
	case r.AlreadyComplete:
		fmt.Fprintf(w, "The build is complete already; nothing was done.\n\n")
	case r.Complete:
		fmt.Fprintf(w, "The build is complete.\n\n")
	default:
		fmt.Fprintf(w, "The build is not complete: %d of %d parts failed.\n\n", len(r.PartsFailed), r.Parts)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "  WARNING: %s\n", warning)
	}
	if warning := r.GivenWarning(); warning != "" {
		fmt.Fprintf(w, "  WARNING: %s\n", warning)
	}
	fmt.Fprintf(w, "  CPython %s in %s, image %s\n", r.Python, r.Runtime, r.Image)
	fmt.Fprintf(w, "  %s", count(r.Parts, "part"))
	if r.PartsResumed > 0 && !r.AlreadyComplete {
		fmt.Fprintf(w, ", %d of them done before", r.PartsResumed)
	}
	if !r.AlreadyComplete {
		fmt.Fprintf(w, ", %d workers, %s", r.Workers, time.Duration(r.Seconds*float64(time.Second)).Round(100*time.Millisecond))
	}
	fmt.Fprintf(w, "\n\n  %-14s %10s %10s   %s\n", "", "in", "out", "dropped")
	for _, s := range r.Stages {
		fmt.Fprintf(w, "  %-14s %10d %10d   %s\n", s.Name, s.In, s.Out, listSums(s.Dropped))
	}
	fmt.Fprintln(w)
	writeExamples(w, r.Stages)
	if kinds := r.Counters.Group("kind"); len(kinds) > 0 {
		fmt.Fprintf(w, "  files         %s\n", listSums(kinds))
	}
	if tests := r.Counters.Group("tests"); len(tests) > 0 {
		fmt.Fprintf(w, "  test files    %s\n", listSums(tests))
	}
	if notebooks := r.Counters.Group("notebook"); len(notebooks) > 0 {
		fmt.Fprintf(w, "  notebooks     %s\n", listSums(notebooks))
	}
	fmt.Fprintf(w, "  cases         %s\n", listSums(r.Counters.Group("generator")))
	if tried := r.Counters.Group("not_run"); len(tried) > 0 {
		fmt.Fprintf(w, "  calls that did not run to their end: %s\n", listSums(tried))
	}
	if lost := r.Counters.Group("generate"); len(lost) > 0 {
		fmt.Fprintf(w, "  functions that calls could not be made of: %s\n", listSums(lost))
	}
	fmt.Fprintf(w, "  traces        %s\n", listSums(r.Counters.Group("status")))
	if slices := r.Counters.Group("slices"); len(slices) > 0 {
		fmt.Fprintf(w, "  slices        %s\n", listSums(slices))
	}
	fmt.Fprintf(w, "  trajectories  %s; %s\n", listSums(r.Counters.Group("format")), listSums(r.Counters.Group("exit")))
	if matches := r.Counters.Group("output_matches"); len(matches) > 0 {
		fmt.Fprintf(w, "  outputs that the data set confirms: %s\n", listSums(matches))
	}
	if r.Verified != nil {
		fmt.Fprintln(w)
		writeVerify(w, r.Verified)
	}
	if !r.Complete {
		return
	}
	fmt.Fprintf(w, "\n  %s, %s, in %s\n", count(r.Files, "file"), formatBytes(r.Bytes), r.Output)
	if r.Counters["trajectories.out"] > 0 {
		fmt.Fprintf(w, "\nLook at a trajectory:\n  tracemill show %s\n", r.Output)
	} else {
		fmt.Fprintf(w, "\nThere is no trajectory. What was dropped, and why:\n  tracemill stats %s --drops\ndocs/troubleshooting.md says what to do about each reason.\n", r.Output)
	}
}

// exampleWidth is how much of a drop fits a report, in characters.
const exampleWidth = 160

// writeExamples shows the first drop of each reason.
func writeExamples(w io.Writer, stages []pipelines.Stage) {
	found := false
	for _, s := range stages {
		for _, reason := range bySum(s.Dropped) {
			if d, ok := s.Examples[reason]; ok {
				found = true
				fmt.Fprintf(w, "  %s %d, such as %s\n", reason, s.Dropped[reason], clip(oneLine(d.String()), exampleWidth))
			}
		}
	}
	if found {
		fmt.Fprintln(w)
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// listSums writes sums largest first: "no_case 3, syntax_error 1".
func listSums(sums map[string]int64) string {
	if len(sums) == 0 {
		return "-"
	}
	var parts []string
	for _, k := range bySum(sums) {
		parts = append(parts, fmt.Sprintf("%s %d", k, sums[k]))
	}
	return strings.Join(parts, ", ")
}
