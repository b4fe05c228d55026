package harvest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decodeRow fills the item from one line of a JSONL file, or gives it an Err.
func decodeRow(line []byte, c SourceConfig, item *Item) {
	if !utf8.Valid(line) {
		item.Err = item.drop(BadUnicode, "bytes that are not UTF-8")
		return
	}
	var row map[string]json.RawMessage
	if err := json.Unmarshal(line, &row); err != nil {
		item.Err = item.drop(BadJSON, jsonProblem(err))
		return
	}
	if row == nil {
		item.Err = item.drop(BadJSON, "the row is null, not an object")
		return
	}
	var err error
	read := func(column string, kind valueKind) string {
		if err != nil || column == "" {
			return ""
		}
		var text string
		text, err = columnText(row, column, kind)
		return text
	}
	// The id is for messages only: a row is not worth less without it.
	item.ID, _ = columnText(row, c.Columns.ID, scalar)
	code := read(c.Columns.Code, text)
	entry := firstOf(read(c.Columns.Entry, text), c.Entry)
	var input Input
	if c.Columns.Input != "" {
		input.Args = read(c.Columns.Input, scalar)
	}
	if raw, ok := row[c.Columns.Output]; c.Columns.Output != "" && (!ok || string(raw) != "null") {
		input.Expected, input.HasExpected = read(c.Columns.Output, scalar), true
	}
	var bad *columnError
	if errors.As(err, &bad) {
		item.Err = item.drop(bad.reason, bad.detail)
		return
	}
	item.Text, item.Entry = code, entry
	if c.Columns.Input != "" {
		item.Inputs = []Input{input}
	}
}

func jsonProblem(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("%v, at byte %d", err, syntax.Offset)
	case errors.As(err, &kind):
		return "the row is a JSON " + kind.Value + ", not an object"
	}
	return err.Error()
}

// valueKind is what a column may hold.
type valueKind int

const (
	text   valueKind = iota // a string
	scalar                  // a string, or a number, which is taken as it is written: no digit is lost
)

type columnError struct {
	reason Reason
	detail string
}

func (e *columnError) Error() string { return e.detail }

func columnText(row map[string]json.RawMessage, column string, kind valueKind) (string, error) {
	raw, ok := row[column]
	if !ok {
		return "", &columnError{MissingColumn, fmt.Sprintf("no column %q; there are: %s", column, strings.Join(columnNames(row), ", "))}
	}
	switch c := raw[0]; {
	case c == '"':
		if at := loneSurrogate(raw); at >= 0 {
			return "", &columnError{BadUnicode, fmt.Sprintf("column %q has half of a surrogate pair: %s", column, raw[at:at+6])}
		}
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", &columnError{BadJSON, fmt.Sprintf("column %q: %v", column, err)}
		}
		return s, nil
	case kind == scalar && (c == '-' || c >= '0' && c <= '9'):
		return string(raw), nil
	}
	return "", &columnError{ColumnType, fmt.Sprintf("column %q is a JSON %s, not a string", column, jsonType(raw[0]))}
}

// columnNames lists at most a screen line of names.
func columnNames(row map[string]json.RawMessage) []string {
	list := make([]string, 0, len(row))
	for name := range row {
		list = append(list, strconv.Quote(name))
	}
	slices.Sort(list)
	if len(list) > 12 {
		list = append(list[:12], fmt.Sprintf("and %d more", len(list)-12))
	}
	return list
}

func jsonType(first byte) string {
	switch first {
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	case '"':
		return "string"
	}
	return "number"
}

// loneSurrogate finds the escape of a surrogate that is not half of a pair in a valid JSON string, or returns -1.
// encoding/json replaces it without a word, and the program would be another one.
func loneSurrogate(quoted []byte) int {
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		unit, ok := escapedUnit(quoted[i:])
		switch {
		case !ok:
			i++ // the escaped character is no escape itself
		case unit < 0xd800 || unit > 0xdfff:
			i += 5
		default:
			low, ok := escapedUnit(quoted[i+6:])
			if unit >= 0xdc00 || !ok || low < 0xdc00 || low > 0xdfff {
				return i
			}
			i += 11
		}
	}
	return -1
}

// escapedUnit reads \uXXXX.
func escapedUnit(b []byte) (uint64, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return unit, err == nil
}
