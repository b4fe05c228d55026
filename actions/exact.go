package actions

import (
	"slices"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// harmless is the words that may stand in a loop that is proven to be endless: keywords that keep no state of their
// own (a for keeps an iterator, a with a manager), and builtins whose result follows from their arguments.
var harmless = strings.Fields(`and as assert break continue elif else except False finally if in is None not or pass
	raise return True try while abs bool chr dict divmod float int isinstance len list max min ord pow print range
	repr set sorted str sum tuple Exception IndexError KeyError TypeError ValueError ZeroDivisionError`)

// exact says whether all that the events from k to end depend on is in the trace: no suspended frame has a part in
// them, no value is cut or opaque, and their lines name nothing but locals, harmless words and functions that were traced.
func (t *Tree) exact(k, end int32) bool {
	from, to := map[int32]int32{}, map[int32]int32{} // per code: the lines that ran
	names := map[int32]map[string]bool{}
	called := map[string]bool{}
	for i := k; i <= end; i++ {
		e := &t.trace.Events[i]
		if e.Kind == schema.KindYield || e.Kind == schema.KindResume || t.generator(e.Frame) {
			return false
		}
		code := t.trace.Frames[e.Frame].Code
		if e.Kind == schema.KindCall {
			called[t.trace.Codes[code].Name] = true
		}
		for _, v := range t.vars.vars[e.Frame] {
			if value := v.value(i); value >= 0 && !t.whole(value) {
				return false
			}
			if names[code] == nil {
				names[code] = map[string]bool{}
			}
			names[code][t.trace.Names[v.name]] = true
		}
		if from[code] == 0 || e.Line < from[code] {
			from[code] = e.Line
		}
		to[code] = max(to[code], e.Line)
	}
	for code := range from {
		known := func(word string) bool {
			return names[code][word] || called[word] || slices.Contains(harmless, word) && !t.code.assigns(word)
		}
		if !t.code.closed(from[code], to[code], known) {
			return false
		}
	}
	return true
}

// whole says whether a value's rendering is all of it: not cut, and no object that shows nothing of its state, such as
// an iterator, whose rendering is in angle brackets.
func (t *Tree) whole(value int32) bool {
	cut := int(value) < len(t.trace.Cut) && t.trace.Cut[value]
	return !cut && !strings.Contains(t.trace.Values[value], "<")
}

// assigns says whether the program may bind a word anywhere.
func (l *listing) assigns(word string) bool {
	for _, line := range l.lines {
		for _, form := range []string{word + " =", word + "=", "def " + word, "class " + word, "import " + word, "as " + word} {
			if strings.Contains(line, form) {
				return true
			}
		}
	}
	return false
}

// closed says whether lines from to to, with those that were not run, are whole statements whose words are all known.
// Attributes are not: what a class holds is not shown with its instances.
func (l *listing) closed(from, to int32, known func(string) bool) bool {
	depth := 0
	for n := from; n <= to; n++ {
		line := l.line(n)
		if line == "" && n < 1 || strings.HasSuffix(line, `\`) || strings.Contains(line, `"""`) || strings.Contains(line, "'''") {
			return false
		}
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c == '(' || c == '[' || c == '{':
				depth++
			case c == ')' || c == ']' || c == '}':
				if depth--; depth < 0 {
					return false
				}
			case c == '.' && i+1 < len(line) && (isLetter(line[i+1]) || line[i+1] == ' '):
				return false
			case isDigit(c):
				for i+1 < len(line) && (isLetter(line[i+1]) || isDigit(line[i+1]) || line[i+1] == '.') {
					i++
				}
			case isLetter(c):
				begin := i
				for i+1 < len(line) && (isLetter(line[i+1]) || isDigit(line[i+1])) {
					i++
				}
				if word := line[begin : i+1]; word != "def" && !known(word) {
					return false
				}
			}
		}
	}
	return depth == 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
