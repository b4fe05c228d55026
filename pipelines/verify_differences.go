package pipelines

import (
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/tracemill/tracemill/schema"
)

// shownChars bounds what a fault quotes of a value.
const shownChars = 200

func unequal(name, want, got string) string {
	if want == got {
		return ""
	}
	return fmt.Sprintf("%s is %s where %s is due", name, clipped(got), clipped(want))
}

func clipped(s string) string {
	if utf8.RuneCountInString(s) <= shownChars {
		return s
	}
	return string([]rune(s)[:shownChars]) + "..."
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// copied compares the columns that a trajectory has of its trace and function, for filtering.
func copied(row *schema.TrajectoryRow, s *subject, rows *lookup) string {
	if d := unequal("python_version", s.trace.PythonVersion, row.PythonVersion); d != "" || rows.origins[originOf(s.function.ID, row.Repo, row.Path, row.License)] {
		return d
	}
	for _, c := range [][3]string{
		{"repo", s.function.Repo, row.Repo}, {"path", s.function.Path, row.Path}, {"license", s.function.License, row.License},
	} {
		if d := unequal(c[0], c[1], c[2]); d != "" {
			return d
		}
	}
	return ""
}

// differentText shows the place where two texts part.
func differentText(want, got string) string {
	if want == got {
		return ""
	}
	a, b := []rune(want), []rune(got)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	around := func(r []rune) string { return string(r[min(max(0, n-20), len(r)):min(n+60, len(r))]) }
	return fmt.Sprintf("text, code point %d: %q where %q is due", n, around(b), around(a))
}

func differentTargets(want, got []schema.Target) string {
	for i := range want {
		if i < len(got) && want[i] != got[i] {
			return fmt.Sprintf("target %d is %v where %v is due", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d targets where %d are due", len(got), len(want))
}

// differentDocuments names the first state in which two documents differ.
func differentDocuments(want, got *schema.Document) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	for i := range want.States {
		if i < len(got.States) && !reflect.DeepEqual(want.States[i], got.States[i]) {
			return clipped(fmt.Sprintf("state %d reads as %+v where %+v is due", i, got.States[i], want.States[i]))
		}
	}
	return fmt.Sprintf("the text reads as another document: %d states, exit %s, where %d states, exit %s are due",
		len(got.States), got.Exit, len(want.States), want.Exit)
}
