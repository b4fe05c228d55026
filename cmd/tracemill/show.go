package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tracemill/tracemill/pipelines"
	"github.com/tracemill/tracemill/schema"
)

func newShow(asJSON *bool) *cobra.Command {
	var trajectory int64
	var text, all bool
	c := &cobra.Command{
		Use:   "show OUT [ID]",
		Short: "Step through a trajectory or a trace of a finished dataset",
		Long: "Step through a trajectory, the source beside the state. ID is that of a trajectory or of a trace;\n" +
			"without it, -n says which trajectory. On a terminal, Enter goes on and q ends; elsewhere, or with\n" +
			"--all, everything is printed.",
		Example: "  tracemill show out/quickstart\n  tracemill show out/quickstart -n 7 --all\n  tracemill show out/quickstart --text | less",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return exactly(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			id := ""
			if len(args) == 2 {
				id = args[1]
			}
			v, err := pipelines.LookAt(args[0], id, trajectory)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			switch {
			case *asJSON:
				return writeJSON(out, v.Rows())
			case text && v.Trajectory != nil:
				_, err := fmt.Fprintln(out, v.Trajectory.Text)
				return err
			case text:
				return &usageError{fmt.Errorf("%s is a trace: only trajectories have a text", id)}
			}
			s := stepper{w: out, view: v, colour: isTerminal(out) && os.Getenv("NO_COLOR") == ""}
			if isTerminal(out) && !all {
				s.wait = os.Stdin
			}
			return s.run()
		},
	}
	c.Flags().Int64VarP(&trajectory, "trajectory", "n", 0, "number of the trajectory, from 0")
	c.Flags().BoolVar(&text, "text", false, "print the trajectory's text as a model reads it")
	c.Flags().BoolVar(&all, "all", false, "do not wait between the states")
	return c
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// stepper shows a walk state by state.
type stepper struct {
	w      io.Writer
	view   *pipelines.View
	colour bool
	wait   io.Reader // nil: do not wait
}

// around is how many source lines are shown before and after the current one.
const around = 3

func (s *stepper) run() error {
	v := s.view
	s.header()
	if v.Walk == nil {
		fmt.Fprintf(s.w, "nothing was recorded: %s\n", v.Trace.StatusDetail)
		return nil
	}
	document := v.Walk.Document()
	for i, state := range document.States {
		s.state(i, v.Walk.Events[i], &state)
		if i < len(document.Actions) {
			s.action(document.Actions[i], v.Walk.Horizons[i])
		}
		if s.wait != nil && i+1 < len(document.States) && !s.next() {
			return nil
		}
	}
	fmt.Fprintf(s.w, "%s\n", s.bold("exit "+string(v.Walk.Exit)))
	return nil
}

func (s *stepper) header() {
	v := s.view
	if t := v.Trajectory; t != nil {
		fmt.Fprintf(s.w, "trajectory %s: %s, %s, policy %s\n", t.ID, t.Direction, t.Format, t.Policy)
	}
	fmt.Fprintf(s.w, "trace      %s: %s, CPython %s, %d events", v.Trace.ID, v.Trace.Status, v.Trace.PythonVersion, len(v.Trace.Events))
	if v.Trace.StatusDetail != "" {
		fmt.Fprintf(s.w, " (%s)", v.Trace.StatusDetail)
	}
	run := "call       " + v.Trace.Call
	if v.Function.IsProgram() {
		run = fmt.Sprintf("stdin      %q", v.Trace.Stdin)
	}
	fmt.Fprintf(s.w, "\nfunction   %s in %s\n%s\n\n", v.Function.Qualname, v.Function.Origin, run)
}

// state prints one state: source lines on the left, an arrow at the current one; what the state shows on the right.
func (s *stepper) state(n int, event int32, state *schema.State) {
	e := s.view.Trace.Events[event]
	kind := state.Kind.String()
	if state.LineCall {
		kind = "line, back from the calls it made"
	}
	fmt.Fprintf(s.w, "%s %s, line %d, in %s, depth %d\n", s.bold(fmt.Sprintf("[%d]", n)), s.bold(kind), e.Line,
		s.view.Trace.CodeOf(int(event)).Name, e.Depth)
	right := shown(state)
	line := s.view.Line(event)
	first := max(1, line-around)
	for i := range max(2*around+1, len(right)) {
		at := first + int32(i)
		left := ""
		if i < 2*around+1 && int(at) <= len(s.view.Source) {
			mark := "  "
			if at == line {
				mark = "->"
			}
			left = fmt.Sprintf("%s%4d  %s", mark, at, s.view.Source[at-1])
		}
		text := ""
		if i < len(right) {
			text = right[i]
		}
		if left == "" && text == "" {
			continue
		}
		s.columns(left, text, at == line)
	}
}

func (s *stepper) columns(left, right string, current bool) {
	const width = 64
	left = clip(left, width)
	padded := left + spaces(width-len([]rune(left)))
	if current {
		padded = s.bold(padded)
	}
	if right == "" {
		fmt.Fprintf(s.w, "%s\n", trimRight(padded, s.colour))
		return
	}
	fmt.Fprintf(s.w, "%s | %s\n", padded, clip(right, 100))
}

func (s *stepper) action(a schema.Action, horizon int32) {
	text := string(a.Kind)
	if a.Arg != "" {
		text += " " + fmt.Sprintf("%q", a.Arg)
	}
	if horizon > 0 {
		text += fmt.Sprintf("  (past %d states)", horizon)
	}
	fmt.Fprintf(s.w, "\n    %s\n\n", s.bold(">>> "+text))
}

// next waits for Enter; it is false when the user has seen enough.
func (s *stepper) next() bool {
	fmt.Fprint(s.w, "Enter goes on, q ends: ")
	var b [64]byte
	n, err := s.wait.Read(b[:])
	return err == nil && n > 0 && b[0] != 'q'
}

func (s *stepper) bold(text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}
