package main

import (
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// shown is what a state shows, a line for each variable or one for the value. A star marks what changed.
func shown(state *schema.State) []string {
	if !state.HasLocals() {
		if !state.HasValue {
			return []string{"(nothing is returned)"}
		}
		return []string{"value = " + state.Value}
	}
	var lines []string
	for _, l := range state.Locals {
		switch l.State {
		case schema.LocalUnbound:
			lines = append(lines, "* "+l.Name+" is unbound")
		case schema.LocalAbsent:
			lines = append(lines, "  "+l.Name+" is unbound")
		case schema.LocalUnchanged:
			lines = append(lines, "  "+l.Name+" = "+l.Value)
		default:
			lines = append(lines, "* "+l.Name+" = "+l.Value)
		}
	}
	if len(lines) == 0 {
		lines = []string{"(no locals)"}
	}
	return lines
}

// clip cuts a line to a number of characters, saying so.
func clip(s string, width int) string {
	s = strings.ReplaceAll(s, "\t", "    ")
	r := []rune(s)
	if len(r) <= width {
		return s
	}
	return string(r[:width-1]) + "…"
}

func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }

// trimRight drops trailing spaces where no escape code follows them.
func trimRight(s string, coloured bool) string {
	if coloured {
		return s
	}
	return strings.TrimRight(s, " ")
}
