package harvest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// openJSONL opens a file; what is read of it also goes to tee, when there is one.
func openJSONL(path string, max int, tee io.Writer) (*lineRows, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	raw := &countingReader{in: file}
	if tee != nil {
		raw.in = io.TeeReader(file, tee)
	}
	text, stop, err := decompress(raw)
	if err != nil {
		file.Close()
		return nil, configErrorf("path", "%s is damaged, fetch it again: %w", path, err)
	}
	return &lineRows{path: path, raw: raw, lines: newLineReader(text, max), stop: func() { stop(); file.Close() }}, nil
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return configErrorf("path", "there is no file %s; mend the path, or put the data set there", path)
	case errors.Is(err, fs.ErrPermission):
		return configErrorf("path", "%s may not be read by this user: %w", path, err)
	}
	return configErrorf("path", "%w", err)
}

// decompress goes by what the file holds: names lie, when a download tool has unpacked already.
func decompress(in io.Reader) (text io.Reader, stop func(), err error) {
	buffered := bufio.NewReaderSize(in, 64<<10)
	head, err := buffered.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, nil, err
		}
		return z, func() { z.Close() }, nil
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		// One goroutine less to own; a window as large as zstd's --long=27 asks for.
		z, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return buffered, func() {}, nil
}

type countingReader struct {
	in io.Reader
	n  int64
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.n += int64(n)
	return n, err
}

// lineRows is a place in a JSONL file.
type lineRows struct {
	path  string
	raw   *countingReader
	lines *lineReader
	items int // read so far
	stop  func()
}

func (r *lineRows) read() int { return r.items }
func (r *lineRows) close()    { r.stop() }

func (r *lineRows) line(ctx context.Context) (line []byte, tooLong bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	line, tooLong, err = r.lines.next()
	if errors.Is(err, io.EOF) {
		return nil, false, io.EOF
	}
	if err != nil {
		// A compressed file that is cut short ends here, with io.ErrUnexpectedEOF.
		return nil, false, configErrorf("path", "%s is damaged after line %d, fetch it again: %w", r.path, r.lines.number, err)
	}
	r.items++
	return line, tooLong, nil
}

func (r *lineRows) skip(ctx context.Context, n int) error {
	for range n {
		if _, _, err := r.line(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *lineRows) next(ctx context.Context) (rowRead, error) {
	line, tooLong, err := r.line(ctx)
	if err != nil {
		return rowRead{}, err
	}
	row := rowRead{number: r.lines.number}
	switch {
	case tooLong:
		row.err = columnErrorf(RowTooLong, "more than %d bytes", r.lines.max)
	case !utf8.Valid(line):
		row.err = columnErrorf(BadUnicode, "bytes that are not UTF-8")
	default:
		row.record, row.err = decodeRecord(line)
	}
	return row, nil
}
