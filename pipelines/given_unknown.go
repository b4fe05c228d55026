package pipelines

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
)

// unknown are the names in the file that no function of a finished build has, sorted. They are looked for in its rows, so that it does
// not matter which run has done which part.
func (g *givenInputs) unknown(dir string) ([]string, error) {
	if len(g.calls) == 0 {
		return nil, nil
	}
	d, err := shard.OpenDataset(dir)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for row, err := range shard.Rows[schema.FunctionRow](d, "") {
		if err != nil {
			return nil, fmt.Errorf("functions: %w", err)
		}
		for _, name := range []string{row.ID, row.Qualname} {
			if g.calls[name] != nil {
				known[name] = true
			}
		}
	}
	return slices.DeleteFunc(sortedKeys(g.calls), func(name string) bool { return known[name] }), nil
}

// GivenWarning says which names of cases.given no function of the dataset has; "" where all have one.
func (r *Report) GivenWarning() string {
	const most = 5
	names, more := r.GivenUnknown, ""
	if len(names) == 0 {
		return ""
	}
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("cases.given names functions that the dataset has not: %s%s; a name is an id or a qualified name, such as Class.method", strings.Join(names, ", "), more)
}
