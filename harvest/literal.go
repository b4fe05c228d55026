package harvest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// pythonLiteral writes a JSON value as Python. Numbers stay as they are written, whatever their length.
func pythonLiteral(raw json.RawMessage) (string, error) {
	// Backslashes are in strings only, so that a whole document can be searched as one.
	if at := loneSurrogate(raw); at >= 0 {
		return "", columnErrorf(BadUnicode, "an input has half of a surrogate pair: %s", raw[at:at+6])
	}
	var b strings.Builder
	if err := writeLiteral(&b, raw); err != nil {
		return "", err
	}
	return b.String(), nil
}

// pythonArguments writes a JSON list as an argument list.
func pythonArguments(raw json.RawMessage) (string, error) {
	literal, err := pythonLiteral(raw)
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(literal, "[") {
		return "", columnErrorf(ColumnType, "an input is a JSON %s, not a list of arguments", jsonType(raw[0]))
	}
	return literal[1 : len(literal)-1], nil
}

func writeLiteral(b *strings.Builder, raw json.RawMessage) error {
	raw = bytes.TrimSpace(raw)
	switch raw[0] {
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return err
		}
		b.WriteByte('[')
		for i, item := range list {
			if i > 0 {
				b.WriteString(", ")
			}
			if err := writeLiteral(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case '{':
		return writeDict(b, raw)
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		writeString(b, s)
	case 't':
		b.WriteString("True")
	case 'f':
		b.WriteString("False")
	case 'n':
		b.WriteString("None")
	default:
		b.Write(raw)
	}
	return nil
}

// writeDict keeps the order of the keys, which a Go map would lose.
func writeDict(b *strings.Builder, raw json.RawMessage) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return err
	}
	b.WriteByte('{')
	for first := true; d.More(); first = false {
		if !first {
			b.WriteString(", ")
		}
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		writeString(b, key.(string))
		b.WriteString(": ")
		if err := writeLiteral(b, value); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// writeString writes what repr would, for everything that a program's text may hold.
func writeString(b *strings.Builder, s string) {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b.WriteByte(quote)
	for _, c := range s {
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\\' || c == rune(quote):
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == ' ' || unicode.IsPrint(c):
			b.WriteRune(c)
		case c < 0x100:
			fmt.Fprintf(b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(b, `\u%04x`, c)
		default:
			fmt.Fprintf(b, `\U%08x`, c)
		}
	}
	b.WriteByte(quote)
}
