package tracer

import (
	"errors"
	"fmt"

	"github.com/tracemill/tracemill/schema"
)

// Tags of a trace's records; docs/wire.md describes them.
const (
	tagCode  = 0x01
	tagName  = 0x02
	tagValue = 0x03
	tagEvent = 0x10
	tagEnd   = 0x7f
)

// Outcomes, as an END record has them.
const (
	outcomeReturned     = 1
	outcomeRaised       = 2
	outcomeExited       = 3
	outcomeEventLimit   = 4
	outcomeByteLimit    = 5
	outcomeUnimportable = 6
)

const (
	traceMagic   = "TMT"
	nonceSize    = 16
	flagsMask    = 1<<6 - 1 // the bits of schema.Flags
	codeMask     = 1<<3 - 1 // the bits of schema.CodeFlags
	maxNotes     = 64       // notes are a fixed set of words
	noteSize     = 64
	startOfTrace = len(traceMagic) + 1
)

// recording is a decoded trace.
type recording struct {
	codes   []schema.Code
	frames  []schema.Frame
	events  []schema.Event
	changes []schema.Change
	names   []string
	values  []string
	cut     []bool

	end     *endRecord // nil: incomplete
	whole   string     // the whole records, END's nonce not counted: what a trace's id is made of, and its text a part of
	entered int        // frames that the runner called
	hole    string     // where events must be missing, because frames do not nest; "" nowhere
	running []int32    // frames that were entered and not left, outermost first
}

// endRecord is what the shim says of the whole execution.
type endRecord struct {
	outcome          byte
	events           int32
	lost             int32
	alive            bool
	output           int32 // value number, -1: none
	exceptionType    string
	exceptionMessage string
	arguments        string
	notes            []string
	nonce            [nonceSize]byte
}

// frameState is what the decoder has to know of a frame while it goes on.
type frameState struct {
	depth int32
	back  int32 // the caller
	phase phase
}

type phase uint8

const (
	phaseRunning phase = iota
	phaseSuspended
	phaseClosed
)

type decoder struct {
	reader
	recording
	states    []frameState
	outer     int32 // the caller of the frame whose end was the last event, else -1
	maxEvents int
}

// decode reads a trace. It trusts nothing: a record is taken when all of it is there and every number in it is in range. The
// records before the first that is not are kept. When the bytes merely end, that is no error, and the recording has no end;
// an error says that something else than the shim wrote here.
//
// Nothing is allocated by a claimed length: slices grow with what was read, from a first size that is a fraction of
// the bytes at hand.
func decode(raw []byte, maxEvents int) (recording, error) {
	if len(raw) < startOfTrace {
		return recording{}, nil
	}
	if string(raw[:len(traceMagic)]) != traceMagic {
		return recording{}, errors.New("trace: does not begin with " + traceMagic)
	}
	if v := raw[len(traceMagic)]; v != wireVersion {
		return recording{}, fmt.Errorf("trace: version %d, this reader knows %d", v, wireVersion)
	}
	d := decoder{reader: reader{b: raw, text: string(raw), p: startOfTrace}, outer: -1, maxEvents: maxEvents}
	d.events = make([]schema.Event, 0, len(raw)/12)
	d.changes = make([]schema.Change, 0, len(raw)/24)
	err := d.records()
	return d.recording, err
}

func (d *decoder) records() error {
	d.whole = d.text[:d.p]
	for d.p < len(d.b) {
		start, tag := d.p, d.b[d.p]
		d.p++
		var err error
		switch {
		case tag > tagEvent && tag <= tagEvent+byte(schema.KindException):
			err = d.event(schema.Kind(tag - tagEvent))
		case tag == tagName:
			if name := d.str(); d.fault == faultNone {
				d.names = append(d.names, name)
			}
		case tag == tagValue:
			err = d.value()
		case tag == tagCode:
			err = d.code()
		case tag == tagEnd:
			err = d.endOfTrace()
		default:
			err = fmt.Errorf("unknown tag %#x", tag)
		}
		if err == nil {
			err = d.faultError()
		}
		if err != nil {
			return fmt.Errorf("trace: byte %d: %w", start, err)
		}
		if d.fault == faultShort {
			return nil
		}
		if d.end == nil {
			d.whole = d.text[:d.p]
		}
	}
	return nil
}

func (d *decoder) faultError() error {
	switch d.fault {
	case faultRange:
		return errors.New("number out of range")
	case faultText:
		return errors.New("text is not UTF-8")
	}
	return nil
}

func (d *decoder) code() error {
	c := schema.Code{Name: d.str(), FirstLine: d.uint()}
	flags := d.byte()
	if flags&^codeMask != 0 {
		return fmt.Errorf("code flags %#x", flags)
	}
	if c.Flags = schema.CodeFlags(flags); d.fault == faultNone {
		d.codes = append(d.codes, c)
	}
	return nil
}

func (d *decoder) value() error {
	flags := d.byte()
	if flags > 1 {
		return fmt.Errorf("value flags %#x", flags)
	}
	if s := d.str(); d.fault == faultNone {
		d.values = append(d.values, s)
		d.cut = append(d.cut, flags == 1)
	}
	return nil
}

func (d *decoder) event(kind schema.Kind) error {
	flags := d.byte()
	e := schema.Event{Kind: kind, Flags: schema.Flags(flags), Frame: d.uint(), Line: d.uint(), Back: -1, Value: -1}
	code := int32(0)
	if kind.Opens() {
		e.Depth = d.uint()
		e.Back = d.uint() - 1
		if kind == schema.KindCall {
			code = d.uint()
		}
	} else if kind == schema.KindReturn || kind == schema.KindYield || kind == schema.KindException {
		e.Value = d.uint()
	}
	before := len(d.changes)
	for n := d.uint(); n > 0 && d.fault == faultNone; n-- {
		c := schema.Change{Name: d.uint(), Value: d.uint() - 1}
		if d.fault == faultNone && (int(c.Name) >= len(d.names) || int(c.Value) >= len(d.values)) {
			d.changes = d.changes[:before]
			return fmt.Errorf("change of name %d to value %d, of %d and %d", c.Name, c.Value, len(d.names), len(d.values))
		}
		d.changes = append(d.changes, c)
	}
	if d.fault != faultNone {
		d.changes = d.changes[:before]
		return nil
	}
	e.Changes = int32(len(d.changes))
	if err := d.place(&e, code); err != nil {
		d.changes = d.changes[:before]
		return err
	}
	d.events = append(d.events, e)
	return nil
}

// place checks an event's numbers against what came before, and keeps the frames' states.
func (d *decoder) place(e *schema.Event, code int32) error {
	switch {
	case byte(e.Flags)&^flagsMask != 0:
		return fmt.Errorf("event flags %#x", byte(e.Flags))
	case len(d.events) >= d.maxEvents:
		return fmt.Errorf("more than %d events", d.maxEvents)
	case int(e.Value) >= len(d.values):
		return fmt.Errorf("value %d of %d", e.Value, len(d.values))
	case int(e.Back) >= len(d.frames):
		return fmt.Errorf("caller %d of %d frames", e.Back, len(d.frames))
	}
	if e.Kind == schema.KindCall {
		if int(e.Frame) != len(d.frames) || int(code) >= len(d.codes) {
			return fmt.Errorf("call of frame %d, code %d, after %d frames, %d codes", e.Frame, code, len(d.frames), len(d.codes))
		}
		d.frames = append(d.frames, schema.Frame{Code: code})
		d.states = append(d.states, frameState{phase: phaseSuspended})
		if e.Back < 0 {
			d.entered++
		}
	} else if int(e.Frame) >= len(d.frames) {
		return fmt.Errorf("frame %d of %d", e.Frame, len(d.frames))
	}
	s := &d.states[e.Frame]
	if e.Kind.Opens() {
		s.depth = e.Depth
	} else {
		e.Depth = s.depth
	}
	if d.hole == "" {
		if what := d.nest(e, s); what != "" {
			d.hole = fmt.Sprintf("event %d, %v of %s at line %d: %s", len(d.events), e.Kind, d.nameOf(e.Frame), e.Line, what)
		}
	}
	return nil
}

// nest follows which frames run. Where an event cannot come next, others before it are missing, and it says why.
//
// What is thrown into a generator that delegates to another comes to the inner one first, from 3.10 as a call by the outer one,
// which does not run. When the inner one has ended, 3.11 lets the outer one go on without a resume.
func (d *decoder) nest(e *schema.Event, s *frameState) string {
	actor := e.Frame
	if e.Kind.Opens() {
		actor = e.Back
	}
	if outer := d.outer; outer >= 0 && outer == actor && d.states[outer].phase == phaseSuspended {
		d.run(outer)
	}
	d.outer = -1
	top := int32(-1)
	if n := len(d.running); n > 0 {
		top = d.running[n-1]
	}
	switch {
	case !e.Kind.Opens() && e.Frame != top && s.phase != phaseRunning:
		return "the frame is not running"
	case actor != top && (!e.Kind.Opens() || actor < 0 || d.states[actor].phase != phaseSuspended):
		if top < 0 {
			return "its caller is not running"
		}
		return "the frame of " + d.nameOf(top) + " was never seen to end"
	case e.Kind.Opens() && s.phase != phaseSuspended:
		return "the frame is running or has ended"
	case e.Kind.Opens():
		s.back = e.Back
		d.run(e.Frame)
	case e.Kind.Closes():
		d.running = d.running[:len(d.running)-1]
		s.phase = phaseSuspended
		if e.Kind != schema.KindYield {
			s.phase = phaseClosed
			d.outer = s.back
		}
	}
	return ""
}

func (d *decoder) run(frame int32) {
	d.states[frame].phase = phaseRunning
	d.running = append(d.running, frame)
}

func (d *decoder) nameOf(frame int32) string { return d.codes[d.frames[frame].Code].Name }

func (d *decoder) endOfTrace() error {
	e := &endRecord{outcome: d.byte(), events: d.uint(), lost: d.uint()}
	alive := d.byte()
	e.alive = alive == 1
	e.output = d.uint() - 1
	e.exceptionType = d.str()
	e.exceptionMessage = d.str()
	e.arguments = d.str()
	n := d.uint()
	if n > maxNotes {
		return fmt.Errorf("%d notes, more than %d", n, maxNotes)
	}
	for ; n > 0 && d.fault == faultNone; n-- {
		note := d.str()
		if len(note) > noteSize {
			return fmt.Errorf("a note of %d bytes, more than %d", len(note), noteSize)
		}
		e.notes = append(e.notes, note)
	}
	whole := d.text[:d.p]
	d.fixed(e.nonce[:])
	switch {
	case d.fault != faultNone:
		return nil
	case e.outcome < outcomeReturned || e.outcome > outcomeUnimportable:
		return fmt.Errorf("outcome %d", e.outcome)
	case alive > 1:
		return fmt.Errorf("alive %d", alive)
	case int(e.output) >= len(d.values):
		return fmt.Errorf("output %d of %d values", e.output, len(d.values))
	case d.p < len(d.b):
		return fmt.Errorf("%d bytes after the end", len(d.b)-d.p)
	}
	d.end, d.whole = e, whole
	return nil
}
