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
	Nonce    string               `json:"nonce"`
}

// session is a report that is being read.
type session struct {
	Replayed
	values []string
}

// decodeSession reads what a debugger reported. The program could write to where the report was, so a report that is not
// one is an end like any other.
func (t *Tracer) decodeSession(x *result) Replayed {
	var s session
	s.End = EndKilled
	if status, detail := x.ended(&t.options.Limits); status != "" {
		s.Detail = string(status) + ": " + detail
	} else if err := s.read(x); err != nil {
		s.End, s.Detail = EndKilled, oneLine(err.Error())
	}
	if s.End == EndKilled && len(x.stderr) > 0 {
		s.Detail = oneLine(s.Detail + ": " + validText(x.stderr))
	}
	s.Stdout = validText(x.stdout)
	return s.Replayed
}

var errNoEnd = errors.New("the process ended before the session did: os._exit, or the like")

func (s *session) read(x *result) error {
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
		end, err := s.line(line, hex.EncodeToString(x.nonce[:]))
		if err != nil {
			return fmt.Errorf("line %d of the report: %w", n, err)
		}
		if end && len(rest) > 0 {
			return fmt.Errorf("the report goes on after its end, on line %d", n)
		}
		if end {
			return nil
		}
	}
	return errNoEnd
}

// line takes one line, and says whether it is the last.
func (s *session) line(text []byte, nonce string) (bool, error) {
	if bytes.HasPrefix(text, []byte{'['}) {
		return false, s.define(text)
	}
	var l sessionLine
	if err := json.Unmarshal(text, &l); err != nil {
		return false, err
	}
	switch {
	case l.End != "":
		return true, s.end(&l, nonce)
	case l.Event != "":
		return false, s.stop(&l)
	}
	s.Raw = l.Raw
	return false, nil
}

func (s *session) define(text []byte) error {
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

func (s *session) value(n int) (string, error) {
	if n < 0 || n >= len(s.values) {
		return "", fmt.Errorf("value %d does not exist", n)
	}
	return s.values[n], nil
}

func (s *session) stop(l *sessionLine) error {
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
	s.Stops = append(s.Stops, stop)
	return nil
}

func (s *session) end(l *sessionLine, nonce string) error {
	if l.Nonce != nonce {
		return errors.New("the end is forged: its nonce is not this execution's")
	}
	s.End, s.ExceptionType, s.ExceptionMessage = l.End, l.Type, l.Message
	switch l.End {
	case EndReturned:
		if l.Value == nil {
			return errors.New("it returned no value")
		}
		value, err := s.value(*l.Value)
		s.Output = value
		return err
	case EndExhausted, EndRaised, EndUnimportable, EndLimit:
		return nil
	}
	return fmt.Errorf("%q is no end", l.End)
}
