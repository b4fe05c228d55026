package sandbox

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func framed(frames ...[]byte) []byte {
	var out []byte
	for _, frame := range frames {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(frame)))
		out = append(out, frame...)
	}
	return out
}

func chunk(kind byte, data []byte) []byte {
	out := binary.BigEndian.AppendUint32([]byte{kind, 0, 0, 0}, uint32(len(data)))
	return append(out, data...)
}

func newDemux(stream io.Reader) *demux {
	return &demux{r: bufio.NewReaderSize(stream, 64), errs: &tail{}}
}

// TestFramesSurviveChunking cuts frames into an engine's chunks anywhere, with stderr in between, and reads them
// through a connection that gives as few bytes at a time as it likes.
func TestFramesSurviveChunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytesOf := rapid.SliceOfN(rapid.Byte(), 0, 300)
		frames := rapid.SliceOfN(bytesOf, 0, 8).Draw(t, "frames")
		var stream, stderr []byte
		for rest := framed(frames...); len(rest) > 0; {
			noise := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "stderr")
			stderr = append(stderr, noise...)
			stream = append(stream, chunk(streamStderr, noise)...)
			n := rapid.IntRange(0, len(rest)).Draw(t, "chunk")
			stream = append(stream, chunk(streamStdout, rest[:n])...)
			rest = rest[n:]
		}
		var conn io.Reader = bytes.NewReader(stream)
		if rapid.Bool().Draw(t, "slow") {
			conn = iotest.OneByteReader(conn)
		}
		d := newDemux(conn)
		in := frameReader{r: d}
		for i, want := range frames {
			got, err := in.next()
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("frame %d: %q, %v, want %q", i, got, err, want)
			}
		}
		if _, err := in.next(); err != io.EOF {
			t.Fatalf("at the end: %v", err)
		}
		if len(stderr) <= tailSize && !bytes.Equal(d.errs.buf, stderr) {
			t.Fatalf("stderr %q, want %q", d.errs.buf, stderr)
		}
	})
}

func TestFrameErrors(t *testing.T) {
	long := make([]byte, firstGrab+10)
	for name, test := range map[string]struct {
		in   []byte
		want error
	}{
		"nothing":                {nil, io.EOF},
		"half a length":          {[]byte{1, 0}, io.ErrUnexpectedEOF},
		"no payload":             {[]byte{1, 0, 0, 0}, io.ErrUnexpectedEOF},
		"half a payload":         {[]byte{9, 0, 0, 0, 1}, io.ErrUnexpectedEOF},
		"ends where it grows":    {framed(long)[:4+firstGrab], io.ErrUnexpectedEOF},
		"a claim of the maximum": {[]byte{0, 0, 0, 0x10}, io.ErrUnexpectedEOF},
		"a claim of more":        {[]byte{1, 0, 0, 0x10}, errFrame},
		"text":                   {[]byte("Traceback"), errFrame},
	} {
		in := frameReader{r: bytes.NewReader(test.in)}
		if got, err := in.next(); !errors.Is(err, test.want) || got != nil {
			t.Errorf("%s: %d bytes, %v, want %v", name, len(got), err, test.want)
		}
	}
}

// TestClaimCostsNothing reads a frame that says it is as large as can be, and is not.
func TestClaimCostsNothing(t *testing.T) {
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			in := frameReader{r: bytes.NewReader([]byte{0, 0, 0, 0x10, 1, 2, 3})}
			_, _ = in.next()
		}
	})
	if per := result.AllocedBytesPerOp(); per > 2*firstGrab {
		t.Errorf("a claim of 256 MiB allocated %d bytes", per)
	}
}

func TestDemuxErrors(t *testing.T) {
	for name, test := range map[string]struct {
		in   []byte
		want string
	}{
		"unknown kind":    {chunk(9, nil), "unknown kind 9"},
		"engine's word":   {chunk(streamEngine, []byte("no more")), "no more"},
		"half a header":   {[]byte{1, 0, 0}, "unexpected EOF"},
		"half a chunk":    {chunk(streamStdout, []byte("abc"))[:10], "unexpected EOF"},
		"half of stderr":  {chunk(streamStderr, []byte("abc"))[:10], "unexpected EOF"},
		"endless stderr":  {[]byte{streamStderr, 0, 0, 0, 255, 255, 255, 255}, "unexpected EOF"},
		"endless silence": {[]byte{streamStdout, 0, 0, 0, 255, 255, 255, 255}, "unexpected EOF"},
	} {
		if _, err := io.ReadAll(newDemux(bytes.NewReader(test.in))); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

func TestTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all string
		var kept tail
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 3*tailSize), 0, 9).Draw(t, "writes") {
			part := strings.Repeat(rapid.StringMatching(`[a-z]`).Draw(t, "letter"), n)
			kept.write([]byte(part))
			all += part
		}
		if got, want := kept.String(), all[max(0, len(all)-tailSize):]; got != want {
			t.Fatalf("kept %d bytes, want %d, or others", len(got), len(want))
		}
		if len(kept.buf) > 2*tailSize {
			t.Fatalf("holds %d bytes", len(kept.buf))
		}
	})
}

// FuzzStream feeds bytes that a hostile program, or a broken engine, could send.
func FuzzStream(f *testing.F) {
	f.Add(chunk(streamStdout, framed([]byte("one"), nil)))
	f.Add(append(chunk(streamStderr, []byte("oops")), chunk(streamEngine, []byte("end"))...))
	f.Add([]byte{1, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 16})
	f.Fuzz(func(t *testing.T, stream []byte) {
		in := frameReader{r: newDemux(bytes.NewReader(stream))}
		total := 0
		for {
			frame, err := in.next()
			if err != nil {
				break
			}
			total += len(frame) + 4
		}
		if total > len(stream) {
			t.Fatalf("%d bytes of frames out of %d", total, len(stream))
		}
	})
}
