package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracemill/tracemill/pipelines"
)

func newStats(asJSON *bool) *cobra.Command {
	drops := false
	c := &cobra.Command{
		Use:   "stats OUT",
		Short: "Count what a finished dataset holds",
		Long: "Count what a finished dataset holds or, with --drops, list what was left out of it: by stage and reason, with\n" +
			"the first of each. OUT/_build/drops.jsonl has more of them.",
		Args: exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			if drops {
				return showDrops(c.OutOrStdout(), args[0], *asJSON)
			}
			s, err := pipelines.ReadStats(args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return writeJSON(c.OutOrStdout(), s)
			}
			writeStats(c.OutOrStdout(), s)
			return nil
		},
	}
	c.Flags().BoolVar(&drops, "drops", false, "list what was left out, by stage and reason")
	return c
}

func writeStats(w io.Writer, s *pipelines.Stats) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-16s %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(w, "%s\n\n", s.Dir)
	line("functions", "%d", s.Functions)
	line("traces", "%d: %s", s.Traces, listSums(s.Status))
	line("trajectories", "%d: %s; %s", s.Trajectories, listSums(s.Formats), listSums(s.Exits))
	line("splits", "%s", listSums(s.Splits))
	line("actions", "%s", listSums(s.Actions))
	line("events", "%d: %s", s.Events, listSums(s.EventKinds))
	if s.Traces > 0 && s.Trajectories > 0 {
		line("per trace", "%.1f events", ratio(s.Events, s.Traces))
		line("per trajectory", "%.1f states, %.0f characters", ratio(s.States, s.Trajectories), ratio(s.Chars, s.Trajectories))
	}
	if s.Events > 0 {
		line("raw trace", "%.1f bytes an event, %.1f after zstd", ratio(s.TraceBytes, s.Events), ratio(s.TraceZstd, s.Events))
		line("in parquet", "%.1f bytes an event", ratio(s.ParquetBytes["traces"], s.Events))
	}
	line("parquet bytes", "%s", listSums(s.ParquetBytes))
	if len(s.OutputMatches) > 0 {
		line("data set agrees", "%s", listSums(s.OutputMatches))
	}
}

func ratio(a, b int64) float64 { return float64(a) / float64(b) }
