package tracer

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// report is the answer to a session, its lines ended and NONCE put in.
func sessionResult(lines ...string) *result {
	x := &result{nonce: [nonceSize]byte{1, 2, 3}}
	text := strings.Join(lines, "\n")
	if text != "" {
		text += "\n"
	}
	x.trace = []byte(strings.ReplaceAll(text, "NONCE", hex.EncodeToString(x.nonce[:])))
	return x
}

func readSession(x *result) (Replayed, error) {
	s := sessions{asked: 1}
	err := s.read(x)
	if len(s.done) > 0 {
		return s.done[0], err
	}
	return s.open, err
}

func TestDecodeSession(t *testing.T) {
	r, err := readSession(sessionResult("",
		`["[1, 2]",0]`, `["3",1]`,
		`{"event":"call","line":3,"function":"f","depth":2,"closed":false,"locals":[["xs",0]]}`,
		`{"event":"return","line":4,"function":"f","depth":2,"closed":true,"locals":[["xs",0],["s",1]],"value":1}`,
		`{"raw":["c3","r4"]}`,
		`{"end":"returned","value":1,"nonce":"NONCE"}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Stops) != 2 || r.Stops[0].Locals["xs"] != "[1, 2]" || r.Stops[0].HasValue || r.Stops[0].Closed {
		t.Errorf("first stop %+v", r.Stops)
	}
	if last := r.Stops[1]; !last.HasValue || last.Value != "3" || !last.Closed || last.Locals["s"] != "3" || last.Line != 4 || last.Depth != 2 || last.Function != "f" {
		t.Errorf("second stop %+v", last)
	}
	if r.End != EndReturned || r.Output != "3" || strings.Join(r.Raw, " ") != "c3 r4" {
		t.Errorf("end %q, output %q, events %v", r.End, r.Output, r.Raw)
	}
}

func TestDecodeSessionRefuses(t *testing.T) {
	const end = `{"end":"exhausted","nonce":"NONCE"}`
	for _, test := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"nothing", nil, "ended before the session"},
		{"no end", []string{""}, "ended before the session"},
		{"another's nonce", []string{"", `{"end":"exhausted","nonce":"00"}`}, "forged"},
		{"unknown end", []string{"", `{"end":"gone","nonce":"NONCE"}`}, "is no end"},
		{"after the end", []string{"", end, end}, "goes on after its end"},
		{"value out of range", []string{"", `{"event":"line","locals":[["x",0]]}`, end}, "value 0 does not exist"},
		{"negative value", []string{"", `["1",0]`, `{"event":"line","value":-1}`, end}, "value -1 does not exist"},
		{"returned nothing", []string{"", `{"end":"returned","nonce":"NONCE"}`}, "returned no value"},
		{"no JSON", []string{"", "{", end}, "line 1"},
		{"value that is no text", []string{"", "[1,0]", end}, "line 1"},
		{"name that is no text", []string{"", `["1",0]`, `{"event":"line","locals":[[1,0]]}`, end}, "line 2"},
		{"line out of range", []string{"", `{"event":"line","line":99999999999}`, end}, "line 1"},
		{"empty line", []string{"", "", end}, "line 1"},
		{"another session's end", []string{"", `{"end":"exhausted","session":1,"nonce":"NONCE"}`}, "session 1 ends where session 0"},
	} {
		if _, err := readSession(sessionResult(test.lines...)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
	}
	x := sessionResult("", end)
	x.trace = x.trace[:len(x.trace)-1]
	if _, err := readSession(x); err == nil || !strings.Contains(err.Error(), "cut") {
		t.Errorf("cut line: error %v", err)
	}
}

// What a process reports of several sessions: those with an end of theirs, and why there are no others.
func TestDecodeShared(t *testing.T) {
	const (
		first  = `{"end":"exhausted","session":0,"nonce":"NONCE"}`
		second = `{"end":"returned","value":0,"session":1,"nonce":"NONCE"}`
		stop   = `{"event":"line","line":2,"locals":[["x",0]]}`
		rest   = `{"end":"rest","session":1,"nonce":"NONCE"}`
	)
	tracer := &Tracer{}
	for _, test := range []struct {
		name  string
		lines []string
		end   byte
		ends  []string
		more  bool
	}{
		{"all", []string{"", `["1",0]`, stop, first, stop, second}, endExited, []string{EndExhausted, EndReturned}, false},
		{"left to another process", []string{"", `["1",0]`, stop, first, rest}, endExited, []string{EndExhausted}, true},
		{"died in the second", []string{"", `["1",0]`, first, stop}, endExited, []string{EndExhausted}, false},
		{"killed for time", []string{"", `["1",0]`, first, rest}, endTime, []string{EndExhausted}, false},
		{"died in the first", []string{"", `["1",0]`}, endExited, nil, false},
		{"damaged", []string{"", first, "{", second}, endExited, []string{EndExhausted}, false},
		{"a session twice", []string{"", first, first}, endExited, []string{EndExhausted}, false},
	} {
		x := sessionResult(test.lines...)
		x.end = test.end
		reports, more := tracer.decodeSessions(x, 2)
		var ends []string
		for _, r := range reports {
			ends = append(ends, r.End)
		}
		if !slices.Equal(ends, test.ends) || more != test.more {
			t.Errorf("%s: ends %v, more %v, want %v, %v", test.name, ends, more, test.ends, test.more)
		}
		if len(reports) == 2 && (len(reports[0].Stops) != 1 || len(reports[1].Stops) != 1 || reports[1].Stops[0].Locals["x"] != "1") {
			t.Errorf("%s: stops %+v", test.name, reports)
		}
	}
}

func FuzzDecodeSession(f *testing.F) {
	f.Add([]byte("\n[\"1\",0]\n{\"event\":\"line\",\"locals\":[[\"x\",0]],\"value\":0}\n{\"end\":\"returned\",\"value\":0,\"nonce\":\"\"}\n"))
	f.Add([]byte("\n{}\n[]\nnull\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := readSession(&result{trace: data})
		if err == nil && r.End == "" {
			t.Error("a report without an end was taken")
		}
	})
}

func TestTogether(t *testing.T) {
	f, g := program("def f():\n    pass\n").Function, program("def f(a):\n    pass\n").Function
	for _, test := range []struct {
		name     string
		sessions []Session
		want     []span
	}{
		{"none", nil, nil},
		{"one case", []Session{{Function: f, Call: "f()"}, {Function: f, Call: "f()"}}, []span{{0, 2}}},
		{"two calls", []Session{{Function: f, Call: "f()"}, {Function: f, Call: "f(1)"}}, []span{{0, 1}, {1, 2}}},
		{"two functions", []Session{{Function: f}, {Function: g}, {Function: g}}, []span{{0, 1}, {1, 3}}},
		{"alone between others", []Session{{Function: f}, {Function: f, Alone: true}, {Function: f}, {Function: f}}, []span{{0, 1}, {1, 2}, {2, 4}}},
	} {
		if got := together(test.sessions); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
