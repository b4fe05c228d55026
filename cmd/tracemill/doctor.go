package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracemill/tracemill/pipelines"
)

func newDoctor(asJSON *bool) *cobra.Command {
	var flags configFlags
	c := &cobra.Command{
		Use:   "doctor [CONFIG]",
		Short: "Check this machine: what a build needs, what is missing, and how to get it",
		Long: "Check what a build of CONFIG needs, or one with the defaults: engines, bubblewrap, interpreters, and where it\n" +
			"writes. A program is run in each runtime that is there, for which an image may be made.\n\n" +
			"Exit codes:\n  0    a build can run here\n  1    it cannot; what is missing is marked\n  2    bad usage or config",
		Example: "  tracemill doctor\n  tracemill doctor pipelines/quickstart.yaml --set sandbox.runtime=bwrap",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			config := pipelines.Default()
			if len(args) == 1 {
				var err error
				if config, err = flags.load(args[0]); err != nil {
					return err
				}
			} else if len(flags.sets) > 0 {
				return &usageError{errors.New("--set changes a config: name one")}
			} else {
				config.Output = flags.output
			}
			x := pipelines.Examine(c.Context(), config, func(line string) { fmt.Fprintln(c.ErrOrStderr(), line) })
			if err := c.Context().Err(); err != nil {
				return err
			}
			var err error
			if *asJSON {
				err = writeJSON(c.OutOrStdout(), x)
			} else {
				err = writeExamination(c.OutOrStdout(), x)
			}
			if err == nil && !x.OK {
				err = fmt.Errorf("no build can run here; missing: %s", x.Lacking())
			}
			return err
		},
	}
	flags.register(c)
	return c
}

func writeExamination(w io.Writer, x *pipelines.Examination) error {
	for _, s := range x.Sections {
		if len(s.Findings) == 0 {
			continue
		}
		if _, err := fmt.Fprintln(w, s.Title); err != nil {
			return err
		}
		for _, f := range s.Findings {
			fmt.Fprintf(w, "  %-8s %-13s %s\n", f.State, f.Name, f.Detail)
			if f.Remedy != "" {
				fmt.Fprintf(w, "  %8s %13s -> %s\n", "", "", f.Remedy)
			}
		}
	}
	if !x.OK {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nA build can run here, in %s.\n", x.Runtime)
	return err
}
