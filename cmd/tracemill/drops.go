package main

import (
	"fmt"
	"io"

	"github.com/tracemill/tracemill/pipelines"
)

// dropsShown is how many drops of a stage and reason are listed.
const dropsShown = 20

func showDrops(w io.Writer, dir string, asJSON bool) error {
	dropped, err := pipelines.ReadDropped(dir, dropsShown)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(w, dropped)
	}
	writeDrops(w, dropped)
	return nil
}

func writeDrops(w io.Writer, dropped *pipelines.Dropped) {
	lines := map[[2]string][]string{}
	for i := range dropped.Drops {
		d := &dropped.Drops[i]
		key := [2]string{d.Stage, d.Reason}
		lines[key] = append(lines[key], oneLine(d.String()))
	}
	fmt.Fprintf(w, "%s\n", dropped.Dir)
	found, unlisted := false, false
	for _, s := range dropped.Stages {
		if len(s.Dropped) == 0 {
			continue
		}
		found = true
		fmt.Fprintf(w, "\n%s: %d of %d dropped\n", s.Name, s.In-s.Out, s.In)
		for _, reason := range bySum(s.Dropped) {
			fmt.Fprintf(w, "  %s %d\n", reason, s.Dropped[reason])
			listed := lines[[2]string{s.Name, reason}]
			for _, line := range listed {
				fmt.Fprintf(w, "    %s\n", line)
			}
			if more := s.Dropped[reason] - int64(len(listed)); more > 0 {
				unlisted = true
				fmt.Fprintf(w, "    and %d more\n", more)
			}
		}
	}
	switch {
	case !found:
		fmt.Fprintln(w, "\nNothing was dropped.")
	case dropped.File == "":
		fmt.Fprintln(w, "\nThe version that made the build wrote down sums only.")
	case unlisted:
		fmt.Fprintf(w, "\nThe first of each reason and part: %s\n", dropped.File)
	}
}
