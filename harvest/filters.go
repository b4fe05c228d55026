package harvest

import (
	"fmt"
	"slices"
)

// Filters leave functions out by what their text is. The zero value leaves none out; each filter has a [Reason] of its own.
type Filters struct {
	// MaxLines bounds the lines of a function's definition.
	MaxLines int `yaml:"max_lines" json:"max_lines,omitempty"`
	// MinStatements and MaxStatements bound its statements at any depth, but for the docstring.
	MinStatements int `yaml:"min_statements" json:"min_statements,omitempty"`
	MaxStatements int `yaml:"max_statements" json:"max_statements,omitempty"`
	// MaxArguments bounds its parameters, but for the one that a method is bound to.
	MaxArguments int `yaml:"max_arguments" json:"max_arguments,omitempty"`
	// Imports names the modules and packages that its program may need; stdlib stands for the standard library, image for all that the
	// sandbox's interpreter finds. None: any.
	Imports []string `yaml:"imports" json:"imports,omitempty"`
	// Ban names kinds of calls that its program may not have, as far as their names tell: network, files, subprocess, input, sleep, threads.
	Ban []string `yaml:"ban" json:"ban,omitempty"`
	// DocstringOnly leaves out functions that are nothing but a docstring.
	DocstringOnly bool `yaml:"docstring_only" json:"docstring_only,omitempty"`
	// Trivial leaves out those of one statement that returns what it has, raises, or only calls another.
	Trivial bool `yaml:"trivial" json:"trivial,omitempty"`
	// Generated leaves out files that a program has written.
	Generated bool `yaml:"generated" json:"generated,omitempty"`
}

var banKinds = []string{"files", "input", "network", "sleep", "subprocess", "threads"}

// validate says what is wrong, by field.
func (f *Filters) validate() error {
	for _, bound := range []struct {
		field string
		value int
	}{{"max_lines", f.MaxLines}, {"min_statements", f.MinStatements}, {"max_statements", f.MaxStatements}, {"max_arguments", f.MaxArguments}} {
		if bound.value < 0 {
			return configErrorf("filters."+bound.field, "%d is negative; 0 is no bound", bound.value)
		}
	}
	if f.MaxStatements > 0 && f.MinStatements > f.MaxStatements {
		return configErrorf("filters.min_statements", "%d is more than max_statements, %d: nothing would be left", f.MinStatements, f.MaxStatements)
	}
	for _, kind := range f.Ban {
		if !slices.Contains(banKinds, kind) {
			return configErrorf("filters.ban", "no kind of call %q; there are: %v", kind, banKinds)
		}
	}
	return nil
}

func (f *Filters) isZero() bool {
	return f.MaxLines+f.MinStatements+f.MaxStatements+f.MaxArguments+len(f.Imports)+len(f.Ban) == 0 && !f.DocstringOnly && !f.Trivial && !f.Generated
}

// checkLeft says why what an analyzer says of a function that it leaves out cannot be.
func checkLeft(l *answerLeft, lines int32) error {
	if l.Line < 1 || l.Line > lines || l.Reason == "" {
		return fmt.Errorf("the analyzer's answer: function %q at line %d of %d is left out because of %q", l.Name, l.Line, lines, l.Reason)
	}
	return nil
}

// answerLeft is a function that is found and left out.
type answerLeft struct {
	Name   string `json:"name"`
	Line   int32  `json:"line"`
	Reason Reason `json:"reason"`
	Detail string `json:"detail"`
}
