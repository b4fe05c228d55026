package tracer

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// sessionLine is any line of a session's report that is an object.
type sessionLine struct {
	Event    string               `json:"event"`
	Line     int32                `json:"line"`
	Function string               `json:"function"`
	Depth    int32                `json:"depth"`
	Closed   bool                 `json:"closed"`
	Locals   [][2]json.RawMessage `json:"locals"`
	Value    *int                 `json:"value"`
	Raw      []string             `json:"raw"`
	End      string               `json:"end"`
	Type     string               `json:"type"`
	Message  string               `json:"message"`
	Session  int                  `json:"session"`
	Nonce    string               `json:"nonce"`
}

// endRest is the end of a process that leaves its other sessions to another one.
const endRest = "rest"

// sessions is a report that is being read.
type sessions struct {
	asked  int
	done   []Replayed
	open   Replayed // the one that is being reported
	more   bool     // the process left the others to another one
	values []string
}

// decodeSessions reads what debuggers reported of sessions of one process: those that came to their end, and whether the
// process itself left the others out. One that was alone always has a report. The program could write to where the report
// was, so a report that is not one is an end like any other.
func (t *Tracer) decodeSessions(x *result, asked int) (reports []Replayed, more bool) {
	s := sessions{asked: asked}
	err := s.read(x)
	status, detail := x.ended(&t.options.Limits)
	if asked > 1 {
		return s.done, s.more && err == nil && status == ""
	}
	r := s.open
	if len(s.done) > 0 {
		r = s.done[0]
	}
	if status != "" {
		r.End, r.Detail = EndKilled, string(status)+": "+detail
	} else if err != nil {
		r.End, r.Detail = EndKilled, oneLine(err.Error())
	}
	if r.End == EndKilled && len(x.stderr) > 0 {
		r.Detail = oneLine(r.Detail + ": " + validText(x.stderr))
	}
	r.Stdout = validText(x.stdout)
	return []Replayed{r}, false
}

var errNoEnd = errors.New("the process ended before the session did: os._exit, or the like")

func (s *sessions) read(x *result) error {
	rest := x.trace
	for n := 0; len(rest) > 0; n++ {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		if !whole {
			return fmt.Errorf("line %d of the report is cut", n)
		}
		rest = after
		if len(line) == 0 && n == 0 {
			continue
		}
		if err := s.line(line, hex.EncodeToString(x.nonce[:])); err != nil {
			return fmt.Errorf("line %d of the report: %w", n, err)
		}
		if !s.more && len(s.done) < s.asked {
			continue
		}
		if len(rest) > 0 {
			return fmt.Errorf("the report goes on after its end, on line %d", n)
		}
		return nil
	}
	return errNoEnd
}

func (s *sessions) line(text []byte, nonce string) error {
	if bytes.HasPrefix(text, []byte{'['}) {
		return s.define(text)
	}
	var l sessionLine
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	switch {
	case l.End != "":
		return s.end(&l, nonce)
	case l.Event != "":
		return s.stop(&l)
	}
	s.open.Raw = l.Raw
	return nil
}

func (s *sessions) define(text []byte) error {
	var pair [2]json.RawMessage
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	var value string
	if err := json.Unmarshal(pair[0], &value); err != nil {
		return err
	}
	s.values = append(s.values, value)
	return nil
}

func (s *sessions) value(n int) (string, error) {
	if n < 0 || n >= len(s.values) {
		return "", fmt.Errorf("value %d does not exist", n)
	}
	return s.values[n], nil
}

func (s *sessions) stop(l *sessionLine) error {
	stop := Stop{
		Event: l.Event, Line: l.Line, Function: l.Function, Depth: l.Depth, Closed: l.Closed,
		Locals: make(map[string]string, len(l.Locals)),
	}
	for _, pair := range l.Locals {
		var name string
		var number int
		if err := errors.Join(json.Unmarshal(pair[0], &name), json.Unmarshal(pair[1], &number)); err != nil {
			return err
		}
		value, err := s.value(number)
		if err != nil {
			return err
		}
		stop.Locals[name] = value
	}
	if l.Value != nil {
		value, err := s.value(*l.Value)
		if err != nil {
			return err
		}
		stop.Value, stop.HasValue = value, true
	}
	s.open.Stops = append(s.open.Stops, stop)
	return nil
}

// end ends the open session, or the report.
func (s *sessions) end(l *sessionLine, nonce string) error {
	if l.Nonce != nonce {
		return errors.New("the end is forged: its nonce is not this execution's")
	}
	r := &s.open
	r.End, r.ExceptionType, r.ExceptionMessage = l.End, l.Type, l.Message
	if l.End == endRest && len(s.done) > 0 {
		s.more = true
		return nil
	}
	switch l.End {
	case EndReturned:
		if l.Value == nil {
			return errors.New("it returned no value")
		}
		value, err := s.value(*l.Value)
		if err != nil {
			return err
		}
		r.Output = value
	case EndExhausted, EndRaised, EndUnimportable, EndLimit:
	default:
		return fmt.Errorf("%q is no end", l.End)
	}
	if l.Session != len(s.done) {
		return fmt.Errorf("session %d ends where session %d is due to", l.Session, len(s.done))
	}
	s.done = append(s.done, s.open)
	s.open = Replayed{}
	return nil
}
