package sandbox

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errFrame is wrapped by errors about bytes that are no frame: the process is broken or hostile, not the engine.
var errFrame = errors.New("not a frame")

// firstGrab is what is allocated on the mere claim of a length. More is allocated only as bytes arrive, so that a
// forged length costs its sender as much as it costs us.
const firstGrab = 1 << 20

// frameReader cuts a byte stream into frames.
type frameReader struct {
	r    io.Reader
	head [4]byte
}

// next returns the next frame, io.EOF between frames, or io.ErrUnexpectedEOF inside one.
func (f *frameReader) next() ([]byte, error) {
	if _, err := io.ReadFull(f.r, f.head[:]); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(f.head[:]))
	if n > MaxFrame {
		return nil, fmt.Errorf("%w: its length says %d bytes, more than %d; was something printed to stdout?", errFrame, n, MaxFrame)
	}
	frame := make([]byte, min(n, firstGrab))
	for read := 0; ; {
		m, err := io.ReadFull(f.r, frame[read:])
		read += m
		if err != nil {
			if err == io.EOF && n > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if int64(read) == n {
			return frame, nil
		}
		grown := make([]byte, min(n, 4*int64(read)))
		copy(grown, frame)
		frame = grown
	}
}

// demux reads the stdout half of an engine's multiplexed stream and puts the stderr half into a tail. The
// client's own stdcopy pushes into writers and buffers whole chunks; a frame reader needs to pull, without a copy.
type demux struct {
	r    *bufio.Reader
	errs *tail
	left int // bytes of the current stdout chunk still to read
	head [8]byte
}

const (
	streamStdin  = 0 // old engines say so of stdout
	streamStdout = 1
	streamStderr = 2
	streamEngine = 3
)

func (d *demux) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for d.left == 0 {
		if err := d.chunk(); err != nil {
			return 0, err
		}
	}
	n, err := d.r.Read(p[:min(len(p), d.left)])
	d.left -= n
	if err == io.EOF && d.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// chunk reads one chunk header, and the chunk itself unless it is stdout's.
func (d *demux) chunk() error {
	if _, err := io.ReadFull(d.r, d.head[:]); err != nil {
		return err
	}
	size := int(binary.BigEndian.Uint32(d.head[4:]))
	switch d.head[0] {
	case streamStdin, streamStdout:
		d.left = size
		return nil
	case streamStderr:
		return d.skip(size, d.errs)
	case streamEngine:
		var why tail
		err := d.skip(size, &why)
		return errors.Join(fmt.Errorf("the engine broke the stream: %s", why.String()), err)
	}
	return fmt.Errorf("the engine's stream has a chunk of unknown kind %d", d.head[0])
}

func (d *demux) skip(size int, into *tail) error {
	for size > 0 {
		// Peek of one byte fills the buffer with whatever has arrived.
		if _, err := d.r.Peek(1); err != nil {
			return io.ErrUnexpectedEOF
		}
		part, _ := d.r.Peek(min(size, d.r.Buffered()))
		into.write(part)
		n, _ := d.r.Discard(len(part))
		size -= n
	}
	return nil
}

// tailSize is how much of a process's stderr is kept: a Python traceback with some depth.
const tailSize = 8 << 10

// tail keeps the last bytes that were written to it.
type tail struct {
	buf []byte
}

func (t *tail) write(p []byte) {
	if len(p) > tailSize {
		p = p[len(p)-tailSize:]
	}
	t.buf = append(t.buf, p...)
	// Cutting only at twice the size makes a flood of short writes cheap.
	if over := len(t.buf) - tailSize; over > tailSize {
		t.buf = t.buf[:copy(t.buf, t.buf[over:])]
	}
}

func (t *tail) String() string {
	b := t.buf[max(0, len(t.buf)-tailSize):]
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "\ufffd"))
}
