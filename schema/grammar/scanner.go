package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError says where a text stops being one of its format.
type SyntaxError struct {
	Format string
	Offset int // in code points
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s: character %d: %s", e.Format, e.Offset, e.Reason)
}

// scanner reads a text from its beginning to its end, each byte a bounded number of times.
type scanner struct {
	format string
	text   string
	pos    int // in bytes; errors convert it
}

// newScanner refuses text that is not valid UTF-8, at the first byte that is not.
func newScanner(format, text string) (*scanner, error) {
	s := &scanner{format: format, text: text}
	if !utf8.ValidString(text) {
		for {
			r, size := utf8.DecodeRuneInString(text[s.pos:])
			if r == utf8.RuneError && size <= 1 {
				return nil, s.fail("not valid UTF-8")
			}
			s.pos += size
		}
	}
	return s, nil
}

func (s *scanner) fail(reason string, args ...any) error {
	return &SyntaxError{
		Format: s.format,
		Offset: utf8.RuneCountInString(s.text[:s.pos]),
		Reason: fmt.Sprintf(reason, args...),
	}
}

func (s *scanner) atEnd() bool { return s.pos == len(s.text) }

// accept reads a literal, if it is next.
func (s *scanner) accept(literal string) bool {
	if !strings.HasPrefix(s.text[s.pos:], literal) {
		return false
	}
	s.pos += len(literal)
	return true
}

// expect reads literals that must come next.
func (s *scanner) expect(literals ...string) error {
	for _, literal := range literals {
		if !s.accept(literal) {
			return s.fail("expected %q, found %s", literal, s.found())
		}
	}
	return nil
}

// peek is the special token that is next, "" when none is.
func (s *scanner) peek() string {
	if !strings.HasPrefix(s.text[s.pos:], "<|") {
		return ""
	}
	start, end := findToken(s.text, s.pos)
	if start != s.pos {
		return ""
	}
	return s.text[start:end]
}

// raw reads text up to the next special token or the end.
func (s *scanner) raw() string {
	start, _ := findToken(s.text, s.pos)
	text := s.text[s.pos:start]
	s.pos = start
	return text
}

// line reads raw text that must be part of one line.
func (s *scanner) line() (string, error) {
	text := s.raw()
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		s.pos -= len(text) - i
		return "", s.fail("a line end in a source line")
	}
	return text, nil
}

// found describes what is next, for messages.
func (s *scanner) found() string {
	if s.atEnd() {
		return "the end of the text"
	}
	if token := s.peek(); token != "" {
		return token
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	return fmt.Sprintf("%q", r)
}
