package grammar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

var (
	formats = map[string]Format{}
	tokens  = map[string]bool{}
)

// register is called by the init of each format's file, before anything can read the two maps.
func register(words []string, variants ...Format) {
	for _, f := range variants {
		if formats[f.Name()] != nil {
			panic("grammar: two formats are called " + f.Name())
		}
		formats[f.Name()] = f
	}
	for _, word := range words {
		tokens[word] = true
	}
}

// Lookup finds a format by its name.
func Lookup(name string) (Format, error) {
	if f, ok := formats[name]; ok {
		return f, nil
	}
	return nil, fmt.Errorf("no text format is called %q: did you mean %q? (there are %s)",
		name, nearest(name, Names()), strings.Join(Names(), ", "))
}

// Names lists the formats, sorted.
func Names() []string {
	names := make([]string, 0, len(formats))
	for name := range formats {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// NamesOf lists the formats that have documents of a direction, sorted.
func NamesOf(d schema.Direction) []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return !formats[name].Supports(d) })
}

// Tokens lists the special tokens of all formats, sorted: what a tokenizer must know as single tokens.
func Tokens() []string {
	words := make([]string, 0, len(tokens))
	for word := range tokens {
		words = append(words, word)
	}
	slices.Sort(words)
	return words
}

// nearest is the name with the smallest edit distance, the first of them in case of a tie.
func nearest(name string, names []string) string {
	best, least := "", -1
	for _, candidate := range names {
		if d := distance(name, candidate); least < 0 || d < least {
			best, least = candidate, d
		}
	}
	return best
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// StepsOnly says that a format carries no actions, so that only walks by step_into can be written in it.
func StepsOnly(f Format) bool {
	s, ok := f.(interface{ StepsOnly() bool })
	return ok && s.StepsOnly()
}
