package schema

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Table is one of the three tables of a build.
type Table string

const (
	Functions    Table = "functions"
	Traces       Table = "traces"
	Trajectories Table = "trajectories"
)

// Tables is every table, in the order in which a build writes them.
var Tables = []Table{Functions, Traces, Trajectories}

// Row is a row of one of the tables, as Parquet holds it. In all of them:
//
//   - every column is required: Go's "" is an empty string in the file and never a null;
//   - a list is a LIST of required elements, and nil and the empty list are the same;
//   - numbers are int32 and int64, and a choice of words is a plain string;
//   - a field tagged bounds:"off" holds text, of which minima and maxima would help nobody and cost a lot.
type Row interface {
	FunctionRow | TraceRow | TrajectoryRow
}

// TableOf is the table that rows of type T belong to.
func TableOf[T Row]() Table {
	switch any((*T)(nil)).(type) {
	case *FunctionRow:
		return Functions
	case *TraceRow:
		return Traces
	default:
		return Trajectories
	}
}

// KeyOf is the id and the split of a row.
func KeyOf[T Row](row *T) (id, split string) {
	switch r := any(row).(type) {
	case *FunctionRow:
		return r.ID, r.Split
	case *TraceRow:
		return r.ID, r.Split
	case *TrajectoryRow:
		return r.ID, r.Split
	}
	return "", ""
}

// Measure is the number of bytes that a row's values take before encoding and compression. It is an error, naming the
// column and the row, when a string is not valid UTF-8: readers in other languages refuse the whole file for one such row.
func Measure[T Row](row *T) (int64, error) {
	v := reflect.ValueOf(row).Elem()
	var size int64
	for i := range v.NumField() {
		n, err := measure(v.Field(i))
		if err != nil {
			id, _ := KeyOf(row)
			return 0, fmt.Errorf("%s row %s: column %s: %w", TableOf[T](), id, columnName(v.Type().Field(i)), err)
		}
		size += n
	}
	return size, nil
}

func measure(v reflect.Value) (int64, error) {
	switch v.Kind() {
	case reflect.String:
		return measureText(v.String())
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.String:
			return measureTexts(v)
		case reflect.Struct:
			return measureStructs(v)
		}
		return int64(v.Len()) * int64(v.Type().Elem().Size()), nil
	default:
		return int64(v.Type().Size()), nil
	}
}

func measureText(s string) (int64, error) {
	if !utf8.ValidString(s) {
		return 0, fmt.Errorf("byte %d is not valid UTF-8; whoever made the row must escape or replace it", invalidAt(s))
	}
	return int64(len(s)) + 4, nil
}

func measureTexts(list reflect.Value) (size int64, err error) {
	for i := range list.Len() {
		n, err := measureText(list.Index(i).String())
		if err != nil {
			return 0, fmt.Errorf("item %d: %w", i, err)
		}
		size += n
	}
	return size, nil
}

// measureStructs looks at the fields that have one size only once: a row has hundreds of such items.
func measureStructs(list reflect.Value) (size int64, err error) {
	item := list.Type().Elem()
	var texts []int
	for k := range item.NumField() {
		if item.Field(k).Type.Kind() == reflect.String {
			texts = append(texts, k)
		} else {
			size += int64(item.Field(k).Type.Size()) * int64(list.Len())
		}
	}
	for i := range list.Len() {
		for _, k := range texts {
			n, err := measureText(list.Index(i).Field(k).String())
			if err != nil {
				return 0, fmt.Errorf("item %d: %s: %w", i, columnName(item.Field(k)), err)
			}
			size += n
		}
	}
	return size, nil
}

func invalidAt(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return len(s)
}

func columnName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
	return name
}

// RowError says why a row is not what its type promises. A row that a converter made never has one.
type RowError struct {
	Table  Table
	ID     string
	Column string
	Reason string
}

func (e *RowError) Error() string {
	return fmt.Sprintf("%s row %s: column %s: %s", e.Table, e.ID, e.Column, e.Reason)
}
