package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracemill/tracemill/pipelines"
)

func newValidate(asJSON *bool) *cobra.Command {
	var flags configFlags
	var print, schema bool
	c := &cobra.Command{
		Use:   "validate CONFIG",
		Short: "Check a config without running anything",
		Long: "Check a config without running anything. --print shows it with every default in place; without CONFIG,\n" +
			"the defaults alone. --schema prints the JSON Schema of configs, for editors.\n\n" + exitCodes,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			out := c.OutOrStdout()
			if schema {
				return pipelines.PrintSchema(out)
			}
			config := pipelines.Default()
			if len(args) == 1 {
				var err error
				if config, err = flags.load(args[0]); err != nil {
					return err
				}
				if err = config.CheckFiles(); err != nil {
					return err
				}
			} else if !print {
				return &usageError{fmt.Errorf("name a config, or ask for --print or --schema: %s", c.UseLine())}
			}
			switch {
			case print:
				return config.Print(out)
			case *asJSON:
				return writeJSON(out, map[string]any{"config": args[0], "valid": true})
			}
			fmt.Fprintf(out, "%s is valid\n", args[0])
			return nil
		},
	}
	flags.register(c)
	c.Flags().BoolVar(&print, "print", false, "print the config with every default")
	c.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of configs")
	return c
}
