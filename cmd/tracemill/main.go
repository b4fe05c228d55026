// Command tracemill turns Python functions into training data for neural debuggers.
//
// Each verb is one file: its flags, what it shows and nothing else. How things are done is in the packages.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tracemill/tracemill/pipelines"
)

// Exit codes, as --help documents them.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitIncomplete  = 3
	exitInterrupted = 130
)

const exitCodes = `Exit codes:
  0    done
  1    failed: the machine, the engine or the disk; the message says what to do
  2    bad usage or config
  3    finished but incomplete: some parts failed; run the same command again
  130  interrupted; run the same command again to go on`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process: arguments and streams in, exit code out.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:           "tracemill",
		Short:         "Turn Python functions into training data for neural debuggers",
		Long:          "Turn Python functions into training data for neural debuggers.\n\n" + exitCodes,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noVerb,

		SuggestionsMinimumDistance: 2,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	asJSON := root.PersistentFlags().Bool("json", false, "write results and errors as JSON")
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{fmt.Errorf("%w; see `%s --help`", err, c.CommandPath())}
	})
	root.AddCommand(
		newRun(asJSON), newValidate(asJSON), newShow(asJSON), newStats(asJSON), newVerify(asJSON), newDoctor(asJSON), newImage(asJSON), newVersion(asJSON),
	)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	code := exitCode(ctx, err)
	report(stderr, *asJSON, code, err)
	return code
}

// noVerb refuses a first word that is no verb, with the nearest ones.
func noVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("there is no verb %q; see `tracemill --help`", args[0])
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		err = fmt.Errorf("there is no verb %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return &usageError{err}
}

// usageError is a mistake on the command line.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// exitCode is the one place where errors become exit codes.
func exitCode(ctx context.Context, err error) int {
	var usage *usageError
	var config *pipelines.ConfigError
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &usage), errors.As(err, &config):
		return exitUsage
	case errors.Is(err, pipelines.ErrIncomplete):
		return exitIncomplete
	}
	return exitFailed
}

func report(w io.Writer, asJSON bool, code int, err error) {
	if asJSON {
		_ = json.NewEncoder(w).Encode(map[string]any{"error": err.Error(), "exit_code": code})
		return
	}
	if code == exitInterrupted {
		fmt.Fprintln(w, "tracemill: interrupted; what is committed is kept, and the same command goes on from there")
		return
	}
	fmt.Fprintln(w, "tracemill:", err)
}

// exactly wraps an argument check, so that its failure is a usage error that shows how the verb is used.
func exactly(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return &usageError{fmt.Errorf("got %d arguments, want %d: %s", len(args), n, c.UseLine())}
		}
		return nil
	}
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
