package grammar

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tracemill/tracemill/schema"
)

// isInverse says which actions belong to which direction; it is also the list of actions that exist.
var isInverse = map[schema.ActionKind]bool{
	schema.StepInto: false, schema.StepOver: false, schema.StepReturn: false, schema.Breakpoint: false, schema.Continue: false,
	schema.InvStepInto: true, schema.InvStepOver: true, schema.InvStepCall: true,
}

// checkDocument refuses documents that are not well-formed in any format, so that a renderer after it cannot fail for
// a reason that is not its own.
func checkDocument(f Format, d *schema.Document) error {
	if !f.Supports(d.Direction) {
		return fmt.Errorf("it has no documents of direction %q", d.Direction)
	}
	if err := checkRaw(place{"the code", -1}, d.Code); err != nil {
		return err
	}
	if err := checkShape(d); err != nil {
		return err
	}
	for i := range d.States {
		if err := checkState(d.Direction, i, &d.States[i]); err != nil {
			return err
		}
	}
	for i, a := range d.Actions {
		if err := checkAction(d.Direction, i, a); err != nil {
			return err
		}
	}
	return nil
}

// checkShape checks how many states and actions there are, and that the exit is one of the direction's.
func checkShape(d *schema.Document) error {
	if len(d.States) == 0 {
		return errors.New("the document has no states")
	}
	want := len(d.States)
	switch d.Exit {
	case schema.ExitCut:
		want--
	case schema.ExitEntry:
		if d.Direction != schema.Inverse {
			return fmt.Errorf("exit %q of a %s document", d.Exit, d.Direction)
		}
	case schema.ExitNormal, schema.ExitError, schema.ExitNever:
		if d.Direction != schema.Forward {
			return fmt.Errorf("exit %q of an %s document", d.Exit, d.Direction)
		}
	default:
		return fmt.Errorf("unknown exit %q", d.Exit)
	}
	if len(d.Actions) != want {
		return fmt.Errorf("%d actions, but %d states with exit %q have %d", len(d.Actions), len(d.States), d.Exit, want)
	}
	return nil
}

func checkAction(direction schema.Direction, i int, a schema.Action) error {
	inverse, known := isInverse[a.Kind]
	if !known || inverse != (direction == schema.Inverse) {
		return fmt.Errorf("action %d: %q is no action of a %s document", i, a.Kind, direction)
	}
	if a.Kind == schema.Breakpoint {
		return checkLine(place{"the argument of action", i}, a.Arg)
	}
	if a.Arg != "" {
		return fmt.Errorf("action %d: %s takes no argument, but has %q", i, a.Kind, a.Arg)
	}
	return nil
}

func checkState(direction schema.Direction, i int, s *schema.State) error {
	if !s.Kind.Valid() {
		return fmt.Errorf("state %d: %s kind", i, s.Kind)
	}
	if s.LineCall && (s.Kind != schema.KindLine || direction != schema.Inverse) {
		return fmt.Errorf("state %d: only a line of an inverse document can be a line call", i)
	}
	if err := checkLine(place{"the source of state", i}, s.Source); err != nil {
		return err
	}
	if s.HasLocals() {
		return checkLocals(i, s)
	}
	if s.HasValue != (s.Kind != schema.KindUnwind) {
		return fmt.Errorf("state %d: %s with HasValue %t", i, s.Kind, s.HasValue)
	}
	if !utf8.ValidString(s.Value) {
		return fmt.Errorf("state %d: the value is not valid UTF-8: %q", i, s.Value)
	}
	return nil
}

func checkLocals(i int, s *schema.State) error {
	for k := range s.Locals {
		l := &s.Locals[k]
		switch {
		case l.State > schema.LocalAbsent:
			return fmt.Errorf("state %d: local %q has unknown state %d", i, l.Name, l.State)
		case (l.State == schema.LocalUnchanged || l.State == schema.LocalAbsent) && !s.Elided:
			return fmt.Errorf("state %d: local %q is left out as unchanged, but the state is not elided", i, l.Name)
		case !utf8.ValidString(l.Name) || l.State == schema.LocalSet && !utf8.ValidString(l.Value):
			return fmt.Errorf("state %d: local %q is not valid UTF-8", i, l.Name)
		}
	}
	if name, ok := repeated(s.Locals); ok {
		return fmt.Errorf("state %d: local %q is there twice", i, name)
	}
	return nil
}

// place is where text stands in a document; it is put into words only when something is wrong there.
type place struct {
	part  string
	index int // -1: there is only one
}

func (p place) String() string {
	if p.index < 0 {
		return p.part
	}
	return fmt.Sprintf("%s %d", p.part, p.index)
}

// checkLine checks one line of text that is written as it is.
func checkLine(where place, line string) error {
	if strings.IndexByte(line, '\n') >= 0 {
		return fmt.Errorf("%s is more than one line: %q", where, line)
	}
	return checkRaw(where, line)
}

func checkRaw(where place, text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is not valid UTF-8", where)
	}
	if token := Reserved(text); token != "" {
		return &TokenError{Where: where.String(), Token: token}
	}
	return nil
}

// repeated finds a name that is there twice: such an object would lose a value in every JSON reader. Most states have so
// few locals that looking back beats a map.
func repeated(locals []schema.Local) (string, bool) {
	const few = 12
	if len(locals) <= few {
		for i := range locals {
			for k := range i {
				if locals[k].Name == locals[i].Name {
					return locals[i].Name, true
				}
			}
		}
		return "", false
	}
	seen := make(map[string]bool, len(locals))
	for i := range locals {
		if seen[locals[i].Name] {
			return locals[i].Name, true
		}
		seen[locals[i].Name] = true
	}
	return "", false
}
