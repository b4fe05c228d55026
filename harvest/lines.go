package harvest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// lineReader reads the lines of a file that may be longer than memory, and so may each line.
type lineReader struct {
	in     *bufio.Reader
	max    int // bytes of a line that are kept
	number int // of the line read last, from 1
	buffer []byte
}

func newLineReader(in io.Reader, max int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), max: max}
}

// next returns the next line that is not blank, without its end; it is valid until the next call. Of a line that is
// too long it returns the beginning. The error is io.EOF after the last line.
func (r *lineReader) next() (line []byte, tooLong bool, err error) {
	for {
		line, tooLong, err = r.read()
		if err != nil {
			return nil, false, err
		}
		if tooLong || len(bytes.TrimSpace(line)) > 0 {
			return line, tooLong, nil
		}
	}
}

func (r *lineReader) read() (line []byte, tooLong bool, err error) {
	r.buffer = r.buffer[:0]
	started := false
	for {
		chunk, err := r.in.ReadSlice('\n')
		started = started || len(chunk) > 0
		// Two bytes more than max: a line end does not count.
		if room := r.max + 2 - len(r.buffer); len(chunk) > room {
			chunk, tooLong = chunk[:room], true
		}
		r.buffer = append(r.buffer, chunk...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (!errors.Is(err, io.EOF) || !started) {
			return nil, false, err
		}
		break
	}
	r.number++
	line = r.buffer
	if r.number == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) > r.max {
		line, tooLong = line[:r.max], true
	}
	return line, tooLong, nil
}
