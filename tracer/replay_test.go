package tracer

import (
	"encoding/hex"
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
	var s session
	err := s.read(x)
	return s.Replayed, err
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
