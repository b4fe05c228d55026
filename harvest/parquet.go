package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// parquetReader is a place in a Parquet file. It reads the columns that are wanted, a page of each at a time.
type parquetReader struct {
	path    string
	file    *os.File
	groups  []parquet.RowGroup
	columns []*parquet.Column // the wanted ones at top level
	max     int               // bytes of a row that are kept
	items   int

	group  int   // that the leaves are in
	ends   []int // of each group, in items
	leaves map[int]*leafReader
}

// openParquet opens a file for some columns; each of wanted is a name, or the alternatives "a|b".
func openParquet(path string, wanted []string, max int) (reader *parquetReader, err error) {
	defer guard(path, &err)
	file, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	r := &parquetReader{path: path, file: file, max: max, group: -1}
	info, err := file.Stat()
	if err == nil {
		var table *parquet.File
		// Indexes are of no use to who reads all rows in order.
		table, err = parquet.OpenFile(file, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		if err == nil {
			r.groups = table.RowGroups()
			for _, column := range table.Root().Columns() {
				if slices.ContainsFunc(wanted, func(names string) bool { return slices.Contains(strings.Split(names, "|"), column.Name()) }) {
					r.columns = append(r.columns, column)
				}
			}
		}
	}
	if err != nil {
		file.Close()
		return nil, configErrorf("path", "%s is damaged, fetch it again: %w", path, err)
	}
	end := 0
	for _, group := range r.groups {
		end += int(group.NumRows())
		r.ends = append(r.ends, end)
	}
	return r, nil
}

// guard makes an error of a panic: the decoder trusts what a file says of itself.
func guard(path string, err *error) {
	if p := recover(); p != nil {
		*err = configErrorf("path", "%s is damaged, fetch it again: %v", path, p)
	}
}

func (r *parquetReader) read() int { return r.items }

func (r *parquetReader) close() {
	r.leave()
	r.file.Close()
}

func (r *parquetReader) leave() {
	for _, leaf := range r.leaves {
		leaf.values.Close()
	}
	r.leaves = nil
}

func (r *parquetReader) skip(ctx context.Context, n int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.leave()
	r.group = -1
	if r.items += n; len(r.ends) == 0 || r.items > r.ends[len(r.ends)-1] {
		return io.EOF
	}
	return nil
}

// enter opens the columns of the group that the next row is in.
func (r *parquetReader) enter() error {
	group := slices.IndexFunc(r.ends, func(end int) bool { return r.items < end })
	if group < 0 {
		return io.EOF
	}
	if group == r.group {
		return nil
	}
	r.leave()
	r.group, r.leaves = group, map[int]*leafReader{}
	first := r.ends[group] - int(r.groups[group].NumRows())
	chunks := r.groups[group].ColumnChunks()
	for _, column := range r.columns {
		for _, leaf := range leavesOf(column) {
			values := parquet.NewColumnChunkValueReader(chunks[leaf.Index()])
			r.leaves[leaf.Index()] = &leafReader{values: values}
			if r.items == first {
				continue
			}
			if err := values.SeekToRow(int64(r.items - first)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *parquetReader) next(ctx context.Context) (row rowRead, err error) {
	defer guard(r.path, &err)
	if err := ctx.Err(); err != nil {
		return rowRead{}, err
	}
	if err := r.enter(); err != nil {
		return rowRead{}, r.problem(err)
	}
	r.items++
	row.number = r.items
	size := 0
	for _, leaf := range r.leaves {
		if err := leaf.take(r.max, &size); err != nil {
			return rowRead{}, r.problem(err)
		}
	}
	if size > r.max {
		row.err = columnErrorf(RowTooLong, "more than %d bytes", r.max)
		return row, nil
	}
	row.record = record{}
	for _, column := range r.columns {
		var b strings.Builder
		if err := r.write(&b, column); err != nil {
			row.err = err
			return row, nil
		}
		row.record[column.Name()] = json.RawMessage(b.String())
	}
	return row, nil
}

func (r *parquetReader) problem(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return configErrorf("path", "%s is damaged after row %d, fetch it again: %w", r.path, r.items, err)
}

func leavesOf(column *parquet.Column) []*parquet.Column {
	if column.Leaf() {
		return []*parquet.Column{column}
	}
	var leaves []*parquet.Column
	for _, child := range column.Columns() {
		leaves = append(leaves, leavesOf(child)...)
	}
	return leaves
}

// leafReader reads the values of one row from a column chunk.
type leafReader struct {
	values parquet.ColumnChunkValueReader
	row    []parquet.Value // of the row; those that are not written yet
	ahead  []parquet.Value
	buffer [64]parquet.Value
}

// take reads a row's values: those up to the next that begins a row.
func (l *leafReader) take(max int, size *int) error {
	l.row = l.row[:0]
	for first := true; ; first = false {
		if len(l.ahead) == 0 {
			n, err := l.values.ReadValues(l.buffer[:])
			l.ahead = l.buffer[:n]
			if n == 0 {
				if err == nil {
					err = io.ErrNoProgress
				}
				if errors.Is(err, io.EOF) {
					if first {
						return io.ErrUnexpectedEOF
					}
					return nil
				}
				return err
			}
		}
		value := l.ahead[0]
		if !first && value.RepetitionLevel() == 0 {
			return nil
		}
		l.ahead = l.ahead[1:]
		switch value.Kind() {
		case parquet.ByteArray, parquet.FixedLenByteArray:
			*size += len(value.ByteArray())
		default:
			*size += 8
		}
		if *size <= max {
			l.row = append(l.row, value.Clone())
		}
	}
}

// write writes a column's value of the row as JSON: https://parquet.apache.org/docs/file-format/nestedencoding/
func (r *parquetReader) write(b *strings.Builder, column *parquet.Column) error {
	leaves := leavesOf(column)
	if len(leaves) == 0 {
		b.WriteString("null")
		return nil
	}
	level := r.leaves[leaves[0].Index()].row[0].DefinitionLevel()
	switch {
	case column.Repeated():
		return r.writeList(b, column, column)
	case level < column.MaxDefinitionLevel():
		r.drop(leaves)
		b.WriteString("null")
		return nil
	}
	return r.writeDefined(b, column)
}

func (r *parquetReader) writeDefined(b *strings.Builder, column *parquet.Column) error {
	if column.Leaf() {
		leaf := r.leaves[column.Index()]
		value := leaf.row[0]
		leaf.row = leaf.row[1:]
		return writeValue(b, strings.Join(column.Path(), "."), value)
	}
	fields := column.Columns()
	if len(fields) == 1 && fields[0].Repeated() && !column.Repeated() {
		// A list: its repeated child is a wrapper of the element, except in files of old writers, where it is the element.
		repeated := fields[0]
		if !repeated.Leaf() && len(repeated.Columns()) == 1 && repeated.Name() != "array" && !strings.HasSuffix(repeated.Name(), "_tuple") {
			return r.writeList(b, repeated, repeated.Columns()[0])
		}
		return r.writeList(b, repeated, repeated)
	}
	b.WriteByte('{')
	for i, field := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(field.Name())
		if err != nil {
			return err
		}
		b.Write(name)
		b.WriteByte(':')
		if err := r.write(b, field); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func (r *parquetReader) writeList(b *strings.Builder, repeated, element *parquet.Column) error {
	leaves := leavesOf(repeated)
	first := r.leaves[leaves[0].Index()]
	if first.row[0].DefinitionLevel() < repeated.MaxDefinitionLevel() {
		r.drop(leaves)
		b.WriteString("[]")
		return nil
	}
	b.WriteByte('[')
	write := r.write
	if element == repeated {
		write = r.writeDefined
	}
	for n := 0; n == 0 || len(first.row) > 0 && first.row[0].RepetitionLevel() == repeated.MaxRepetitionLevel(); n++ {
		if n > 0 {
			b.WriteByte(',')
		}
		if err := write(b, element); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

func (r *parquetReader) drop(leaves []*parquet.Column) {
	for _, leaf := range leaves {
		reader := r.leaves[leaf.Index()]
		reader.row = reader.row[1:]
	}
}

func writeValue(b *strings.Builder, path string, value parquet.Value) error {
	switch value.Kind() {
	case parquet.Boolean:
		fmt.Fprint(b, value.Boolean())
	case parquet.Int32:
		fmt.Fprint(b, value.Int32())
	case parquet.Int64:
		fmt.Fprint(b, value.Int64())
	case parquet.Float, parquet.Double:
		number, err := json.Marshal(value.Double())
		if value.Kind() == parquet.Float {
			number, err = json.Marshal(value.Float())
		}
		if err != nil {
			number = []byte("null") // NaN and the infinities
		}
		b.Write(number)
	case parquet.ByteArray:
		if !utf8.Valid(value.ByteArray()) {
			return columnErrorf(BadUnicode, "column %q has bytes that are not UTF-8", path)
		}
		text, err := json.Marshal(string(value.ByteArray()))
		if err != nil {
			return err
		}
		b.Write(text)
	default:
		b.WriteString("null") // Int96 and fixed-length bytes hold no text
	}
	return nil
}
