package shard

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tracemill/tracemill/schema"
)

// VersionKey is the key of the schema's version in a file's metadata.
const VersionKey = "tracemill.schema_version"

// writer writes rows of one table to one Parquet file.
type writer[T schema.Row] struct {
	file   *os.File
	out    countingWriter
	pw     *parquet.GenericWriter[T]
	limit  int64 // of a row group, in bytes
	group  int64 // bytes in the open row group
	rows   int64
	buffer [1]T
}

// countingWriter counts before its buffer, so that the size of a file is known at the end of each row group.
type countingWriter struct {
	buffer *bufio.Writer
	n      int64
}

func (w *countingWriter) Write(b []byte) (int, error) {
	n, err := w.buffer.Write(b)
	w.n += int64(n)
	return n, err
}

// newWriter writes to an empty file, which it owns from now on. The pages of the open row group are kept in pages.
func newWriter[T schema.Row](file *os.File, layout Layout, pages parquet.BufferPool) *writer[T] {
	w := &writer[T]{file: file, out: countingWriter{buffer: bufio.NewWriterSize(file, 64<<10)}, limit: layout.withDefaults().RowGroupBytes}
	options := []parquet.WriterOption{
		schemaOf[T](),
		parquet.Compression(codec{}),
		parquet.CreatedBy("tracemill", strconv.Itoa(schema.Version), "parquet-go"),
		parquet.KeyValueMetadata(VersionKey, strconv.Itoa(schema.Version)),
		// Version 1 compresses the levels of lists with their values, and every reader knows it.
		parquet.DataPageVersion(1),
		parquet.DefaultEncodingFor(parquet.ByteArray, &parquet.Plain),
		parquet.DataPageStatistics(false),
		parquet.WriteBufferSize(0), // out has one
		parquet.ColumnPageBuffers(pages),
	}
	w.pw = parquet.NewGenericWriter[T](&w.out, options...)
	return w
}

// Write adds a row. Nothing of the row is kept when it is an error.
func (w *writer[T]) Write(row *T) error {
	size, err := measured(row)
	if err != nil {
		return err
	}
	return w.add(row, size)
}

// add is Write for a row that was measured.
func (w *writer[T]) add(row *T, size int64) error {
	w.buffer[0] = *row
	if _, err := w.pw.Write(w.buffer[:]); err != nil {
		return writeError(w.file.Name(), err)
	}
	w.rows++
	// The row that reaches the limit ends its group, so that a file can end there without a small group after it.
	if w.group += size; w.group >= w.limit {
		return w.flush()
	}
	return nil
}

// measured is the size of a row that the tables can hold, in bytes before encoding.
func measured[T schema.Row](row *T) (int64, error) {
	size, err := schema.Measure(row)
	if err != nil {
		return 0, err
	}
	if size > maxRowBytes {
		id, _ := schema.KeyOf(row)
		return 0, fmt.Errorf("%s row %s has %d bytes, more than the %d that readers can be trusted with; lower the limits of traces or trajectories",
			schema.TableOf[T](), id, size, maxRowBytes)
	}
	return size, nil
}

func (w *writer[T]) flush() error {
	w.group = 0
	if err := w.pw.Flush(); err != nil {
		return writeError(w.file.Name(), err)
	}
	return nil
}

// Close ends the file, and returns when it is on the disk. The file is closed whatever the outcome.
func (w *writer[T]) Close() error {
	err := w.pw.Close()
	if err == nil {
		err = w.out.buffer.Flush()
	}
	if err == nil {
		err = dropTextBounds[T](w.file)
	}
	if err == nil {
		err = w.file.Sync()
	}
	if closed := w.file.Close(); err == nil {
		err = closed
	}
	return writeError(w.file.Name(), err)
}

// writeError names the path, and says what a full disk means for the build.
func writeError(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("write %s: %w; the parts that were committed are kept: make room and run the same command again", path, err)
	case errors.Is(err, syscall.EROFS) || errors.Is(err, os.ErrPermission):
		return fmt.Errorf("write %s: %w; the output directory must be writable", path, err)
	}
	return fmt.Errorf("write %s: %w", path, err)
}

// dropTextBounds rewrites the footer of a finished file without the minima and maxima of its text columns, which
// would be whole texts, once per row group. The writer's own option for this leaves a page index that says
// "" to "" for every page, by which a reader may skip pages that it needs; bounds in the page index are short and stay.
func dropTextBounds[T schema.Row](file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	var tail [8]byte
	if _, err := file.ReadAt(tail[:], info.Size()-8); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	footer := make([]byte, length)
	at := info.Size() - 8 - length
	if _, err := file.ReadAt(footer, at); err != nil {
		return err
	}
	var meta format.FileMetaData
	protocol := new(thrift.CompactProtocol)
	if err := thrift.Unmarshal(protocol, footer, &meta); err != nil {
		return err
	}
	text := textColumns[T]()
	for _, group := range meta.RowGroups {
		for i := range group.Columns {
			column := &group.Columns[i].MetaData
			if text[column.PathInSchema[0]] {
				column.Statistics = format.Statistics{NullCount: column.Statistics.NullCount}
			}
		}
	}
	if footer, err = thrift.Marshal(protocol, &meta); err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(tail[:4], uint32(len(footer)))
	if _, err := file.WriteAt(append(footer, tail[:]...), at); err != nil {
		return err
	}
	return file.Truncate(at + int64(len(footer)) + 8)
}

func textColumns[T schema.Row]() map[string]bool {
	columns := map[string]bool{}
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("bounds") == "off" {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
			columns[name] = true
		}
	}
	return columns
}

var schemas sync.Map // schema.Table to *parquet.Schema

// schemaOf is the one schema that every file of a table has, also an empty one.
func schemaOf[T schema.Row]() *parquet.Schema {
	table := schema.TableOf[T]()
	if s, ok := schemas.Load(table); ok {
		return s.(*parquet.Schema)
	}
	s, _ := schemas.LoadOrStore(table, parquet.NewSchema(string(table), parquet.SchemaOf(new(T))))
	return s.(*parquet.Schema)
}
