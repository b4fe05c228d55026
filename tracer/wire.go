package tracer

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tracemill/tracemill/schema"
)

// wireVersion is the version of docs/wire.md that this package speaks. decodeVersion is raised when the same bytes come to
// mean another trace here.
//
//	1  first
const (
	wireVersion   = 1
	decodeVersion = 1
)

// Types of messages.
const (
	msgConfigure = 'C'
	msgJob       = 'J'
	msgDebug     = 'D'
	msgHello     = 'H'
	msgResult    = 'R'
)

// How the server saw a process end.
const (
	endExited  = 0
	endSignal  = 1
	endTime    = 2
	endOutput  = 3
	endMemory  = 4
	endSandbox = 5 // not on the wire: the execution took its sandbox down
)

const (
	modeTraced   = 0
	modeUntraced = 1

	modeArguments = 2 // added to the others: with a digest of the mutable arguments, for the differential guard
	modeTogether  = 4 // added to the others: the cases share a process, as long as each leaves it as it was
)

// configuration is the JSON object of a configure message.
type configuration struct {
	Limits wireLimits `json:"limits"`
	Budget Budget     `json:"budget"`
	Seed   uint64     `json:"seed"`
	Check  bool       `json:"check"`
}

type wireLimits struct {
	Events    int   `json:"events"`
	Bytes     int64 `json:"bytes"`
	WallMS    int64 `json:"wall_ms"`
	CPUMS     int64 `json:"cpu_ms"`
	Memory    int64 `json:"memory"`
	Output    int64 `json:"output"`
	File      int64 `json:"file"`
	Processes int   `json:"processes"`
}

// hello is what this package reads of the server's hello; it has more.
type hello struct {
	Version string `json:"version"`
}

// result is one execution as the server reports it. Its slices are parts of the frame.
type result struct {
	job         uint64
	index       int32 // of the case in the job
	end         byte
	code        int32
	stdoutTotal uint64
	stdout      []byte
	stderrTotal uint64
	stderr      []byte
	nonce       [nonceSize]byte
	trace       []byte
	detail      string // endSandbox: what was seen
	status      schema.Status
}

func configureFrame(o Options, check bool) ([]byte, error) {
	body, err := json.Marshal(configuration{
		Limits: wireLimits{
			Events: o.Limits.Events, Bytes: o.Limits.Bytes,
			WallMS: o.Limits.Wall.Milliseconds(), CPUMS: o.Limits.CPU.Milliseconds(),
			Memory: o.Limits.Memory, Output: o.Limits.Output, File: o.Limits.File, Processes: o.Limits.Processes,
		},
		Budget: o.Values, Seed: o.Seed, Check: check,
	})
	if err != nil {
		return nil, fmt.Errorf("configuration of the tracer: %w", err)
	}
	return append([]byte{msgConfigure, wireVersion}, body...), nil
}

func decodeHello(frame []byte) (hello, error) {
	var h hello
	if len(frame) < 2 || frame[0] != msgHello {
		return h, errors.New("the first message is no hello")
	}
	if frame[1] != wireVersion {
		return h, fmt.Errorf("hello of version %d, this reader knows %d", frame[1], wireVersion)
	}
	if err := json.Unmarshal(frame[2:], &h); err != nil {
		return h, fmt.Errorf("hello: %w", err)
	}
	return h, nil
}

// jobFrame asks for some cases of a function. The text that is compiled is schema.Execute's, in two pieces.
func jobFrame(job uint64, mode byte, f *schema.Function, cases []schema.Case, wrapper schema.Wrapper) []byte {
	size := len(f.Program) + 32
	for i := range cases {
		size += len(cases[i].Call) + len(cases[i].Stdin) + 64
	}
	b := append(make([]byte, 0, size), msgJob)
	b = binary.AppendUvarint(b, job)
	b = append(b, mode)
	b = appendString(b, f.Program)
	b = binary.AppendUvarint(b, uint64(len(cases)))
	for i := range cases {
		b = appendCase(b, f, &cases[i], wrapper)
	}
	return b
}

// appendCase appends what tells the cases of one function apart.
func appendCase(b []byte, f *schema.Function, c *schema.Case, wrapper schema.Wrapper) []byte {
	wrapper = f.Wrapper(wrapper)
	x := schema.Execute(f.Program, c.Call, "", wrapper)
	text := c.Call
	switch {
	case wrapper == schema.WrapModule:
		text = c.Stdin
	case x.Entry != "":
		text = schema.WrapperSource(x.Entry, text)
	}
	b = appendString(b, text)
	b = binary.AppendUvarint(b, uint64(x.Line))
	return appendString(b, x.Entry)
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// decodeResult reads a message of the server, which is trusted to mean well and no further.
func decodeResult(frame []byte) (*result, error) {
	if len(frame) == 0 || frame[0] != msgResult {
		return nil, errors.New("result: not a message of that type")
	}
	r := reader{b: frame, p: 1}
	x := &result{job: r.uint64(), index: r.uint(), end: r.byte(), code: r.uint()}
	x.stdoutTotal = r.uint64()
	x.stdout = r.bytes()
	x.stderrTotal = r.uint64()
	x.stderr = r.bytes()
	r.fixed(x.nonce[:])
	x.trace = r.bytes()
	switch {
	case r.fault == faultShort:
		return nil, errors.New("result: the message ends too early")
	case r.fault != faultNone:
		return nil, errors.New("result: number out of range")
	case r.p < len(frame):
		return nil, fmt.Errorf("result: %d bytes too many", len(frame)-r.p)
	case x.end > endMemory:
		return nil, fmt.Errorf("result: end %d", x.end)
	}
	return x, nil
}
