package grammar

import (
	"fmt"
	"strings"
)

// TokenError says that text which a format writes as it is holds a special token, so that no reader could tell the two apart.
type TokenError struct {
	Where string // "the code", "the source of state 3"
	Token string
}

func (e *TokenError) Error() string {
	return fmt.Sprintf("%s holds the special token %s, which would be read as one: drop the program", e.Where, e.Token)
}

// Reserved is the first special token in a text, "" when there is none. Everything of the form <|name|> counts, and not
// only Tokens(): the tokenizer that the text is meant for has others of its own, such as <|endoftext|>, and what is
// dropped should not depend on which formats there are. Programs that hold one cannot be rendered in any format.
func Reserved(text string) string {
	start, end := findToken(text, 0)
	return text[start:end]
}

// findToken finds the first special token at or after from; both results are len(text) when there is none.
func findToken(text string, from int) (start, end int) {
	for {
		i := strings.Index(text[from:], "<|")
		if i < 0 {
			return len(text), len(text)
		}
		start = from + i
		for end = start + 2; end < len(text) && isTokenByte(text[end]); end++ {
		}
		if end > start+2 && strings.HasPrefix(text[end:], "|>") {
			return start, end + 2
		}
		from = start + 2
	}
}

func isTokenByte(b byte) bool {
	return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
