package harvest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tracemill/tracemill/schema"
)

// rows is a JSONL file.
type rows struct {
	config SourceConfig

	// A reader that has given items up to n is kept for whoever asks for n next: a compressed file cannot be entered
	// in the middle, and parts are mostly taken in order.
	mu     sync.Mutex
	idle   []*rowReader
	closed bool
}

// maxIdle bounds the readers that wait for their next range: about one per worker of a machine.
const maxIdle = 16

func openRows(c SourceConfig) (Source, error) {
	r := &rows{config: c}
	reader, err := r.open(nil)
	if err != nil {
		return nil, err
	}
	reader.close()
	return r, nil
}

func (r *rows) Name() string { return r.config.Name }

func (r *rows) Scan(ctx context.Context, visit func(Listing) error) error {
	digest := sha256.New()
	reader, err := r.open(digest)
	if err != nil {
		return err
	}
	defer reader.close()
	for {
		if err := reader.skip(ctx); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
	}
	if reader.items == 0 {
		return configErrorf("path", "%s has no rows: %w", r.config.Path, errEmpty)
	}
	// Bytes behind the end of the compressed stream are part of the file too.
	if _, err := io.Copy(io.Discard, reader.raw); err != nil {
		return fmt.Errorf("read %s: %w", r.config.Path, err)
	}
	return visit(Listing{
		Path: baseName(r.config.Path), Items: reader.items, Bytes: reader.raw.n, SHA256: hex.EncodeToString(digest.Sum(nil)),
	})
}

func (r *rows) Items(ctx context.Context, from, to int) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		reader, err := r.take(from)
		if err != nil {
			yield(Item{}, err)
			return
		}
		defer r.put(reader)
		for reader.items < to {
			if reader.items < from {
				err = reader.skip(ctx)
			} else {
				var item Item
				item, err = reader.item(ctx, r.config)
				if err == nil && !yield(item, nil) {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				err = fmt.Errorf("read %s: it has %d rows now, and had %d or more: %w", r.config.Path, reader.items, to, io.ErrUnexpectedEOF)
			}
			if err != nil {
				reader.broken = true
				yield(Item{}, err)
				return
			}
		}
	}
}

// Close closes the readers that are not in use; one in use is closed when its sequence ends.
func (r *rows) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, reader := range r.idle {
		reader.close()
	}
	r.idle = nil
	return nil
}

// take returns the reader that has the least to skip.
func (r *rows) take(from int) (*rowReader, error) {
	r.mu.Lock()
	best := -1
	for i, reader := range r.idle {
		if reader.items <= from && (best < 0 || reader.items > r.idle[best].items) {
			best = i
		}
	}
	if best >= 0 {
		reader := r.idle[best]
		r.idle = append(r.idle[:best], r.idle[best+1:]...)
		r.mu.Unlock()
		return reader, nil
	}
	r.mu.Unlock()
	return r.open(nil)
}

func (r *rows) put(reader *rowReader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || reader.broken || len(r.idle) == maxIdle {
		reader.close()
		return
	}
	r.idle = append(r.idle, reader)
}

// open opens the file; what is read of it also goes to tee, when there is one.
func (r *rows) open(tee io.Writer) (*rowReader, error) {
	path := r.config.Path
	file, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, configErrorf("path", "there is no file %s; mend the path, or put the data set there", path)
	case errors.Is(err, fs.ErrPermission):
		return nil, configErrorf("path", "%s may not be read by this user: %w", path, err)
	case err != nil:
		return nil, configErrorf("path", "%w", err)
	}
	if info, err := file.Stat(); err != nil || info.IsDir() {
		file.Close()
		return nil, configErrorf("path", "%s is a directory; name the JSONL file in it", path)
	}
	raw := &countingReader{in: file}
	if tee != nil {
		raw.in = io.TeeReader(file, tee)
	}
	text, stop, err := decompress(raw)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	lines := newLineReader(text, r.config.MaxItemBytes)
	return &rowReader{path: path, raw: raw, lines: lines, close: func() { stop(); file.Close() }}, nil
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

// rowReader is a place in the file.
type rowReader struct {
	path   string
	raw    *countingReader
	lines  *lineReader
	items  int // read so far
	broken bool
	close  func()
}

func (r *rowReader) line(ctx context.Context) (line []byte, tooLong bool, err error) {
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

func (r *rowReader) skip(ctx context.Context) error {
	_, _, err := r.line(ctx)
	return err
}

func (r *rowReader) item(ctx context.Context, c SourceConfig) (Item, error) {
	line, tooLong, err := r.line(ctx)
	if err != nil {
		return Item{}, err
	}
	item := Item{Origin: schema.Origin{
		Source: c.Name, Repo: c.Repo, Revision: c.Revision, Path: baseName(c.Path), Row: r.lines.number, License: c.License,
	}}
	if tooLong {
		item.Err = item.drop(RowTooLong, fmt.Sprintf("more than %d bytes", c.MaxItemBytes))
		return item, nil
	}
	decodeRow(line, c, &item)
	return item, nil
}
