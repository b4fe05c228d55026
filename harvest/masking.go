package harvest

import (
	"strings"

	"github.com/tracemill/tracemill/harvest/secrets"
)

// maskSecrets masks what the analyzer found in an item, before functions are made of it: what is masked is then what runs.
func (a *answer) maskSecrets() {
	var kinds []secrets.Kind
	if a.Program, kinds = secrets.MaskProgram(a.Program); len(kinds) > 0 {
		for i := range a.Functions {
			a.Functions[i].Doc, _ = secrets.Mask(a.Functions[i].Doc)
		}
	}
	for i := range a.Cases {
		c := &a.Cases[i]
		var inCall []secrets.Kind
		if c.Call, inCall = secrets.MaskProgram(c.Call); len(inCall) > 0 {
			c.Expected = nil // of other arguments
		}
		if c.Expected != nil {
			if masked, found := secrets.Mask(*c.Expected); len(found) > 0 {
				c.Expected = &masked
			}
		}
	}
}

// held says what a text that is to be dropped for it holds; "" when it holds nothing, or is not to be dropped.
func (r *Result) held(text string) string {
	if r.secrets != HandleDrop {
		return ""
	}
	_, kinds := secrets.MaskProgram(text)
	if len(kinds) == 0 {
		return ""
	}
	return "it holds: " + kindNames(kinds)
}

func kindNames(kinds []secrets.Kind) string {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind)
	}
	return strings.Join(names, ", ")
}
