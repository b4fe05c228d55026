package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracemill/tracemill/pipelines"
)

// errDisagrees ends the process with exit code 1: the report has said the rest.
var errDisagrees = errors.New("the dataset is not what it says; see the report above")

func newVerify(asJSON *bool) *cobra.Command {
	var options pipelines.VerifyOptions
	sample := "1000"
	c := &cobra.Command{
		Use:   "verify OUT",
		Short: "Check a finished dataset, and compare its transitions with the real debugger",
		Long: "Check every row of a finished dataset: checksums, schema, ids, texts and their parses, target spans, splits,\n" +
			"references between tables, and the report's sums. Then replay a sample of the trajectories, and random\n" +
			"sequences of actions on their traces, under the standard library's debugger in the sandbox, and compare\n" +
			"every stop: line, function, depth, event, value, locals. Exit code 1 when anything disagrees.",
		Example: "  tracemill verify out/quickstart\n  tracemill verify out/cruxeval --sample all --sequences 20\n  tracemill verify out/old --sample none",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if options.Sample, err = parseSample(sample); err != nil {
				return err
			}
			if c.Flags().Changed("sequences") && options.Sequences == 0 {
				options.Sequences = pipelines.SequencesNone
			}
			progress := newProgress(c.ErrOrStderr())
			r, err := pipelines.Verify(c.Context(), args[0], options, progress)
			progress.finish()
			if r != nil && *asJSON {
				err = errors.Join(err, writeJSON(c.OutOrStdout(), r))
			} else if r != nil {
				writeVerify(c.OutOrStdout(), r)
			}
			if err == nil && !r.OK() {
				return errDisagrees
			}
			return err
		},
	}
	c.Flags().StringVar(&sample, "sample", sample, "trajectories to replay: a number, all or none")
	c.Flags().IntVar(&options.Sequences, "sequences", 2, "random action sequences to replay for each trace and semantics")
	c.Flags().StringVar(&options.Sandbox.Image, "image", "", "image to replay in, as in a config's sandbox.image")
	c.Flags().StringVar(&options.Sandbox.Python, "python", "", "interpreter to build the image from, as in a config's sandbox.python")
	c.Flags().StringVar(&options.Sandbox.Runtime, "runtime", "auto", "what to replay in, as in a config's sandbox.runtime")
	c.Flags().StringVar(&options.Sandbox.Docker.Host, "host", "", "address of the engine")
	return c
}

func parseSample(s string) (int, error) {
	switch s {
	case "all":
		return pipelines.SampleAll, nil
	case "none", "0":
		return pipelines.SampleNone, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, &usageError{fmt.Errorf("--sample %s: give a number, all or none", s)}
	}
	return n, nil
}

func writeVerify(w io.Writer, r *pipelines.VerifyReport) {
	fmt.Fprintf(w, "%s\n\n  %-20s %10s %10s\n", r.Dir, "rows", "checked", "wrong")
	for _, c := range r.Checks {
		fmt.Fprintf(w, "  %-20s %10d %10d\n", c.Name, c.Done, c.Faults)
	}
	for _, f := range r.Faults {
		fmt.Fprintf(w, "\n%s: %s\n  %s\n", f.Check, f.Item, f.Detail)
	}
	if r.Replay != nil {
		writeReplay(w, r.Replay)
	}
	verdict := "Everything agrees."
	if !r.OK() {
		verdict = "NOT everything agrees."
	}
	fmt.Fprintf(w, "\n%s\n", verdict)
}

func writeReplay(w io.Writer, r *pipelines.ReplayReport) {
	fmt.Fprintf(w, "\nReplayed under CPython %s: %d traces, %d sessions (%d of them in shared processes), %d stops compared\n",
		r.Python, r.Traces, r.Sessions, r.Shared, r.Stops)
	fmt.Fprintf(w, "  agreed %d, disagreed %d, changed by being debugged %d, the same once more %d; inverse walks derived anew %d\n",
		r.Agreed, r.Disagreed, r.ByWatching, r.Repeated, r.InverseDone)
	if len(r.Skipped) > 0 {
		fmt.Fprintf(w, "  not replayed: %s\n", listSums(r.Skipped))
	}
	for _, t := range []struct {
		name string
		list []pipelines.Transitions
	}{{"action", r.Transitions}, {"reached", r.Kinds}} {
		fmt.Fprintf(w, "\n  %-8s %-14s %10s %10s\n", "debugger", t.name, "agreed", "disagreed")
		for _, n := range t.list {
			fmt.Fprintf(w, "  %-8s %-14s %10d %10d\n", n.Debugger, n.Name, n.Agreed, n.Disagreed)
		}
	}
	for i := range r.Watched {
		fmt.Fprintf(w, "\nChanged by being debugged, and so not compared further: %s\n", r.Watched[i].Cause)
		writeDisagreement(w, &r.Watched[i])
	}
	if r.Smallest != nil {
		fmt.Fprintf(w, "\nThe smallest disagreement:\n")
		writeDisagreement(w, r.Smallest)
	}
}

func writeDisagreement(w io.Writer, d *pipelines.Disagreement) {
	fmt.Fprintf(w, "  trace %s, %s, from event %d, under %s\n", d.Trace, d.What, d.Start, d.Debugger)
	for n, line := range strings.Split(strings.TrimSuffix(d.Program, "\n"), "\n") {
		fmt.Fprintf(w, "  %4d  %s\n", n+1, line)
	}
	fmt.Fprintf(w, "  actions   %s\n  %s\n    recorded  %s\n    real      %s\n", d.Actions, d.Field, d.Recorded, d.Real)
}
