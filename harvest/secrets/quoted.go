package secrets

import "strings"

// span is a stretch of bytes.
type span struct{ start, end int }

// quoted is the comments and the string literals of a Python program, without their quotes. It takes an f-string for a plain one: where one
// has its own quotes inside, as from CPython 3.12 on it may, what follows on its line may be told wrongly.
func quoted(program string) []span {
	var spans []span
	for i := 0; i < len(program); {
		switch c := program[i]; {
		case c == '#':
			end := lineEnd(program, i)
			spans = append(spans, span{i, end})
			i = end
		case c == '\'' || c == '"':
			start, end, next := literal(program, i)
			spans = append(spans, span{start, end})
			i = next
		default:
			i++
		}
	}
	return spans
}

// literal is where the text of the literal that opens at i begins and ends, and where the program goes on.
func literal(program string, i int) (start, end, next int) {
	quote := program[i : i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(program[i:], triple) {
		quote = triple
	}
	start = i + len(quote)
	for i = start; i < len(program); i++ {
		switch {
		case program[i] == '\\':
			i++
		case strings.HasPrefix(program[i:], quote):
			return start, i, i + len(quote)
		case program[i] == '\n' && len(quote) == 1:
			return start, i, i // not closed: the program would not compile
		}
	}
	return start, len(program), len(program)
}

func lineEnd(text string, from int) int {
	if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(text)
}
