package harvest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// record is a row of a data set: the JSON value of each column, whatever the file's own format.
type record map[string]json.RawMessage

// columnError says why a row gives nothing.
type columnError struct {
	reason Reason
	detail string
}

func (e *columnError) Error() string { return e.detail }

func columnErrorf(reason Reason, format string, args ...any) error {
	return &columnError{reason, fmt.Sprintf(format, args...)}
}

// decodeRecord reads one line of a JSONL file.
func decodeRecord(line []byte) (record, error) {
	var row record
	if err := json.Unmarshal(line, &row); err != nil {
		return nil, &columnError{BadJSON, jsonProblem(err)}
	}
	if row == nil {
		return nil, &columnError{BadJSON, "the row is null, not an object"}
	}
	return row, nil
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

// find gives the first of the columns of "a|b" that has a value in the row, else the first that is there, with its null.
func (r record) find(columns string) (name string, raw json.RawMessage, ok bool) {
	for column := range strings.SplitSeq(columns, "|") {
		value, there := r[column]
		if there && string(value) != "null" {
			return column, value, true
		}
		if there && !ok {
			name, raw, ok = column, value, true
		}
	}
	return firstOf(name, columns), raw, ok
}

// has says whether there is a value: null is none, and so is the empty string, which some data sets write for it.
func (r record) has(columns string) bool {
	_, raw, ok := r.find(columns)
	return ok && string(raw) != "null" && string(raw) != `""`
}

func (r record) missing(columns string) error {
	return columnErrorf(MissingColumn, "no column %s; there are: %s", quoteAll(columns), strings.Join(r.names(), ", "))
}

func quoteAll(columns string) string {
	return `"` + strings.ReplaceAll(columns, "|", `" or "`) + `"`
}

// names lists at most a screen line of them.
func (r record) names() []string {
	list := make([]string, 0, len(r))
	for name := range r {
		list = append(list, strconv.Quote(name))
	}
	slices.Sort(list)
	if len(list) > 12 {
		list = append(list[:12], fmt.Sprintf("and %d more", len(list)-12))
	}
	return list
}

// text is a column that holds a string; of "a+b", the strings one after the other.
func (r record) text(columns string) (string, error) {
	var b strings.Builder
	for part := range strings.SplitSeq(columns, "+") {
		name, raw, ok := r.find(part)
		if !ok {
			return "", r.missing(part)
		}
		s, err := jsonText(name, raw)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// scalar is a column that holds a string, or a number, which is taken as it is written: no digit is lost.
func (r record) scalar(columns string) (string, error) {
	name, raw, ok := r.find(columns)
	if !ok {
		return "", r.missing(columns)
	}
	if c := raw[0]; c == '-' || c >= '0' && c <= '9' {
		return string(raw), nil
	}
	return jsonText(name, raw)
}

// texts is a column that holds a string, or a list of them; null is the empty list. An empty string stands for no list.
func (r record) texts(columns string) ([]string, error) {
	name, raw, ok := r.find(columns)
	switch {
	case !ok:
		return nil, r.missing(columns)
	case !r.has(columns):
		return nil, nil
	case raw[0] != '[':
		s, err := jsonText(name, raw)
		return []string{s}, err
	}
	return jsonTexts(name, raw)
}

// list is a column that holds a string, or a list of them, where an empty string is one like any other.
func (r record) list(columns string) ([]string, error) {
	name, raw, ok := r.find(columns)
	switch {
	case !ok:
		return nil, r.missing(columns)
	case string(raw) == "null":
		return nil, nil
	case raw[0] == '[':
		return jsonTexts(name, raw)
	}
	text, err := jsonText(name, raw)
	return []string{text}, err
}

// fact is what a row says of itself on the side, in one line: a row is not worth less without it.
func (r record) fact(columns string) string {
	if columns == "" {
		return ""
	}
	s, _ := r.scalar(columns)
	return oneLine(s)
}

// inner is the JSON text that a column holds as a string, as APPS and LiveCodeBench do.
func (r record) inner(column string, into any) error {
	s, err := r.text(column)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(s), into); err != nil {
		return columnErrorf(BadJSON, "column %q holds no JSON of the data set's shape: %v", column, err)
	}
	if at := loneSurrogate([]byte(s)); at >= 0 {
		return columnErrorf(BadUnicode, "column %q has half of a surrogate pair: %s", column, s[at:at+6])
	}
	return nil
}

func jsonTexts(name string, raw json.RawMessage) ([]string, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, columnErrorf(ColumnType, "column %q: %v", name, err)
	}
	texts := make([]string, 0, len(list))
	for i, raw := range list {
		s, err := jsonText(fmt.Sprintf("%s[%d]", name, i), raw)
		if err != nil {
			return nil, err
		}
		texts = append(texts, s)
	}
	return texts, nil
}

func jsonText(name string, raw json.RawMessage) (string, error) {
	if raw[0] != '"' {
		return "", columnErrorf(ColumnType, "column %q is a JSON %s, not a string", name, jsonType(raw[0]))
	}
	if at := loneSurrogate(raw); at >= 0 {
		return "", columnErrorf(BadUnicode, "column %q has half of a surrogate pair: %s", name, raw[at:at+6])
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", columnErrorf(BadJSON, "column %q: %v", name, err)
	}
	return s, nil
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
