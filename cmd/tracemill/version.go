package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tracemill/tracemill/schema"
)

func newVersion(asJSON *bool) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			v := buildVersion()
			if *asJSON {
				return writeJSON(c.OutOrStdout(), map[string]any{"version": v, "schema": schema.Version, "go": runtime.Version()})
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "tracemill %s, tables version %d, %s\n", v, schema.Version, runtime.Version())
			return err
		},
	}
}

// buildVersion is the module's version, or the commit that the binary was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "devel"
}
