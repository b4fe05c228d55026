package grammar

import (
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// quoted writes a JSON string.
func (w *writer) quoted(s string) {
	w.token(`"`)
	from := 0
	for i := range len(s) {
		if escape := schema.JSONEscape(s, i); escape != "" {
			w.raw(s[from:i])
			w.token(escape)
			from = i + 1
		}
	}
	w.raw(s[from:])
	w.token(`"`)
}

// null reads a JSON null, if there is one.
func (s *scanner) null() bool { return s.accept("null") }

// quoted reads a JSON string, written exactly as the writer does.
func (s *scanner) quoted() (string, error) {
	if !s.accept(`"`) {
		return "", s.fail("expected a JSON string")
	}
	var b strings.Builder
	from := s.pos
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '"':
			part := s.text[from:s.pos]
			s.pos++
			if b.Len() == 0 {
				return part, nil
			}
			b.WriteString(part)
			return b.String(), nil
		case c == '\\':
			b.WriteString(s.text[from:s.pos])
			c, err := s.escape()
			if err != nil {
				return "", err
			}
			b.WriteByte(c)
			from = s.pos
		case schema.JSONEscape(s.text, s.pos) != "":
			return "", s.fail("unescaped %q in a JSON string", c)
		default:
			s.pos++
		}
	}
	return "", s.fail("the text ends inside a JSON string")
}

// escape reads one escape sequence and refuses those that the writer would not have written.
func (s *scanner) escape() (byte, error) {
	rest := s.text[s.pos:]
	for _, c := range escapable {
		if strings.HasPrefix(rest, c.escape) {
			if c.byte == '<' && !strings.HasPrefix(rest[len(c.escape):], "|") {
				break
			}
			s.pos += len(c.escape)
			return c.byte, nil
		}
	}
	return 0, s.fail("an escape that is unknown, or not needed")
}

// escapable is the bytes that have an escape, the frequent ones first.
var escapable = func() []escape {
	list := []escape{escapeOf("\\"), escapeOf(`"`), escapeOf("\n"), escapeOf("\t"), escapeOf("<|")}
	for c := range byte(0x20) {
		if c != '\n' && c != '\t' {
			list = append(list, escapeOf(string(c)))
		}
	}
	return list
}()

type escape struct {
	byte   byte
	escape string
}

// escapeOf is that of the first byte of s.
func escapeOf(s string) escape { return escape{s[0], schema.JSONEscape(s, 0)} }

// object reads a JSON object; entry is called at the value of each name and reads it.
func (s *scanner) object(entry func(name string) error) error {
	if !s.accept("{") {
		return s.fail("expected a JSON object")
	}
	if s.accept("}") {
		return nil
	}
	for {
		name, err := s.quoted()
		if err != nil {
			return err
		}
		if !s.accept(": ") {
			return s.fail(`expected ": " after the name %q`, name)
		}
		if err := entry(name); err != nil {
			return err
		}
		if s.accept("}") {
			return nil
		}
		if !s.accept(", ") {
			return s.fail(`expected ", " or "}" after the value of %q`, name)
		}
	}
}

// value reads what a state returns, yields or raises. A return without a value is an unwind: the two share a token.
func (s *scanner) value(state *schema.State) error {
	if state.Kind == schema.KindReturn && s.null() {
		state.Kind = schema.KindUnwind
		return nil
	}
	value, err := s.quoted()
	state.Value, state.HasValue = value, true
	return err
}
