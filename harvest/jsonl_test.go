package harvest

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// openText makes a JSONL source of a text, with the columns of cruxeval.
func openText(t testing.TB, text []byte, change func(*SourceConfig)) Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	config := SourceConfig{Type: "jsonl", Path: path, Preset: "cruxeval"}
	if change != nil {
		change(&config)
	}
	source, err := config.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	return source
}

func TestRows(t *testing.T) {
	const good = `{"code": "def f(): pass", "input": "", "output": "None", "id": "a"}`
	long := `{"code": "` + strings.Repeat("x", 200_000) + `", "input": "", "output": ""}`
	for _, test := range []struct {
		name, text string
		want       []string // row number, then the code or the reason
	}{
		{"no newline at the end", good + "\n" + good, []string{"1 def f(): pass", "2 def f(): pass"}},
		{"CRLF", good + "\r\n" + good + "\r\n", []string{"1 def f(): pass", "2 def f(): pass"}},
		{"blank lines keep their numbers", "\n" + good + "\n \t\r\n\n" + good + "\n\n", []string{"2 def f(): pass", "5 def f(): pass"}},
		{"byte order mark", "\ufeff" + good, []string{"1 def f(): pass"}},
		{"a line longer than any scanner's buffer", long + "\n" + good, []string{"1 " + strings.Repeat("x", 200_000), "2 def f(): pass"}},
		{"not JSON", "code,input\n" + good, []string{"1 bad_json: invalid character 'c' looking for beginning of value, at byte 1", "2 def f(): pass"}},
		{"cut off", good + "\n" + good[:20], []string{"1 def f(): pass", "2 bad_json: unexpected end of JSON input, at byte 20"}},
		{"two values on a line", good + good, []string{"1 bad_json: invalid character '{' after top-level value, at byte 68"}},
		{"not an object", "[1]\nnull\n3", []string{
			"1 bad_json: the row is a JSON array, not an object", "2 bad_json: the row is null, not an object",
			"3 bad_json: the row is a JSON number, not an object"}},
		{"missing column", `{"kode": "", "input": "", "output": "", "id": 1}`, []string{
			`1 missing_column: no column "code"; there are: "id", "input", "kode", "output"`}},
		{"missing output", `{"code": "", "input": "", "id": 1}`, []string{`1 missing_column: no column "output"; there are: "code", "id", "input"`}},
		{"column of another type", `{"code": ["x"], "input": "", "output": "", "id": 1}`, []string{`1 column_type: column "code" is a JSON array, not a string`}},
		{"input of another type", `{"code": "x", "input": {"a": 1}, "output": "", "id": 1}`, []string{`1 column_type: column "input" is a JSON object, not a string`}},
		{"a number is no program", `{"code": 1, "input": "", "output": "", "id": 1}`, []string{`1 column_type: column "code" is a JSON number, not a string`}},
		{"half of a surrogate pair", `{"code": "x = '\ud800'", "input": "", "output": "", "id": 1}`, []string{
			`1 bad_unicode: column "code" has half of a surrogate pair: \ud800`}},
		{"in another column it is no matter", `{"code": "x", "input": "", "output": "", "id": 1, "text": "\udc00"}`, []string{"1 x"}},
		{"a whole pair, and an escaped backslash", `{"code": "\ud83d\ude00 \\ud800", "input": "", "output": "", "id": 1}`, []string{`1 😀 \ud800`}},
		{"bytes that are not UTF-8", `{"code": "` + "\xff" + `"}`, []string{"1 bad_unicode: bytes that are not UTF-8"}},
		{"an id is not needed", `{"code": "x", "input": "", "output": null}` + "\n" + `{"code": "y", "input": "", "output": "", "id": null}`, []string{"1 x", "2 y"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			items := collect(t, openText(t, []byte(test.text), nil))
			var got []string
			for _, item := range items {
				what := item.Text
				if item.Err != nil {
					what = string(item.Err.Reason) + ": " + item.Err.Detail
				}
				got = append(got, fmt.Sprint(item.Row, " ", what))
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%.300s\nwant\n%.300s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestRowValues(t *testing.T) {
	text := `{"code": "def f(x): pass", "input": 9007199254740993, "output": 123456789012345678901234567890, "id": 7}
{"code": "def f(x): pass", "input": "1", "output": null, "id": "b"}`
	items := collect(t, openText(t, []byte(text), nil))
	want := []Input{{Args: "9007199254740993", Expected: "123456789012345678901234567890", HasExpected: true}, {Args: "1"}}
	for i, item := range items {
		if item.Err != nil || item.Inputs[0] != want[i] {
			t.Errorf("row %d: %v %+v, want %+v", item.Row, item.Err, item.Inputs, want[i])
		}
	}
	if name := items[1].String(); name != "rows.jsonl:2 (b)" {
		t.Errorf("the item is called %s", name)
	}
}

func TestRowTooLong(t *testing.T) {
	row := func(n int) string { return `{"code": "` + strings.Repeat("x", n-len(`{"code": ""}`)) + `"}` }
	text := row(100_000) + "\r\n" + row(100_001) + "\n" + row(300_000) + "\n" + row(50)
	source := openText(t, []byte(text), func(c *SourceConfig) { c.MaxItemBytes = 100_000 })
	var got []Reason
	for _, item := range collect(t, source) {
		got = append(got, item.Err.Reason)
	}
	// The others get as far as their missing columns.
	if want := []Reason{MissingColumn, RowTooLong, RowTooLong, MissingColumn}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("reasons are %v, want %v", got, want)
	}
}

func TestCompressed(t *testing.T) {
	const rows = `{"code": "a", "input": "", "output": "", "id": 1}` + "\n" + `{"code": "b", "input": "", "output": "", "id": 2}`
	gz := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		return b.Bytes()
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	for name, content := range map[string][]byte{
		"plain": []byte(rows), "gzip": gz(rows), "gzip in members": append(gz(rows[:30]), gz(rows[30:])...),
		"zstd": encoder.EncodeAll([]byte(rows), nil),
	} {
		t.Run(name, func(t *testing.T) {
			items := collect(t, openText(t, content, nil))
			if len(items) != 2 || items[0].Text != "a" || items[1].Text != "b" {
				t.Errorf("items are %+v", items)
			}
		})
	}
	t.Run("cut short", func(t *testing.T) {
		whole := gz(strings.Repeat(rows+"\n", 1000))
		source := openText(t, whole[:len(whole)-12], nil)
		err := source.Scan(t.Context(), func(Listing) error { return nil })
		var config *ConfigError
		if !errors.As(err, &config) || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "fetch it again") {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestRowRanges(t *testing.T) {
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, `{"code": "%d", "input": "", "output": "", "id": 1}`+"\n", i)
	}
	source := openText(t, []byte(text.String()), nil)
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, 50).Draw(t, "from")
		to := rapid.IntRange(from, 50).Draw(t, "to")
		stop := rapid.IntRange(from, to).Draw(t, "stop")
		at := from
		for item, err := range source.Items(context.Background(), from, to) {
			if at == stop {
				break
			}
			if err != nil || item.Text != fmt.Sprint(at) {
				t.Fatalf("item %d is %q, %v", at, item.Text, err)
			}
			at++
		}
		if at != stop {
			t.Fatalf("%d items from %d, want %d", at-from, from, stop-from)
		}
	})
	for _, err := range source.Items(t.Context(), 49, 51) {
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("beyond the end: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range source.Items(ctx, 0, 1) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

// TestScanSeesEveryByte: the digest in the plan is that of the file, whatever is in it.
func TestScanSeesEveryByte(t *testing.T) {
	var digests []string
	for _, text := range []string{`{"a": 1}`, `{"a": 1}` + "\n", `{"a": 2}`} {
		err := openText(t, []byte(text), nil).Scan(t.Context(), func(l Listing) error {
			if l.Items != 1 || l.Bytes != int64(len(text)) || l.Path != "rows.jsonl" {
				t.Errorf("%q: listed as %+v", text, l)
			}
			digests = append(digests, l.SHA256)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if digests[0] == digests[1] || digests[0] == digests[2] {
		t.Errorf("different files have one digest: %v", digests)
	}
}

// generated is a JSONL file of so many rows that exists nowhere.
type generated struct {
	rows int
	row  []byte
	rest []byte
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if g.rows == 0 {
			return 0, io.EOF
		}
		g.rows--
		g.rest = g.row
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// TestMemoryIsFlat: what is alive after 200,000 rows is what was alive after 1,000.
func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tens of thousands of rows")
	}
	row := []byte(`{"code": "` + strings.Repeat("x", 500) + `", "input": "1", "output": "2", "id": "s"}` + "\n")
	reader := &lineRows{lines: newLineReader(&generated{rows: 200_000, row: row}, 1<<20)}
	config := SourceConfig{Preset: "cruxeval"}.WithDefaults()
	alive := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early uint64
	for {
		row, err := reader.next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if items := config.items("rows.jsonl", row); items[0].Err != nil {
			t.Fatal(items[0].Err)
		}
		if reader.items == 1_000 {
			early = alive()
		}
	}
	late := alive()
	if reader.items != 200_000 {
		t.Fatalf("%d rows", reader.items)
	}
	if late > early+1<<20 {
		t.Errorf("%d bytes are alive after 1,000 rows, and %d after 200,000", early, late)
	}
	runtime.KeepAlive(reader)
}

// FuzzRows: any bytes are rows or drops; every line that is not blank is one of them.
func FuzzRows(f *testing.F) {
	f.Add([]byte("{\"code\": \"\\ud800\"}\r\n\n{"), 10)
	f.Add([]byte("\xef\xbb\xbf{}\n"), 100)
	f.Add([]byte("\xef\xbb\xbf\n{}"), 1)
	f.Add([]byte("0123456789\r\n0123456789"), 10)
	f.Fuzz(func(t *testing.T, text []byte, max int) {
		max = 1 + max&0xff
		want := 0
		for _, line := range bytes.Split(bytes.TrimPrefix(text, byteOrderMark), []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 || len(bytes.TrimSuffix(line, []byte("\r"))) > max {
				want++
			}
		}
		config := SourceConfig{Preset: "cruxeval", MaxItemBytes: max}.WithDefaults()
		reader := &lineRows{lines: newLineReader(bytes.NewReader(text), max)}
		for {
			row, err := reader.next(t.Context())
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			item := config.items("rows.jsonl", row)[0]
			if (item.Err == nil) != (len(item.Inputs) == 1) {
				t.Fatalf("row %d is neither an item nor a drop: %+v", item.Row, item)
			}
		}
		if reader.items != want {
			t.Fatalf("%d rows, want %d", reader.items, want)
		}
	})
}

// FuzzLoneSurrogate: a string that encoding/json reads without loss is clean, any other is found.
func FuzzLoneSurrogate(f *testing.F) {
	f.Add(`\ud800\udc00`)
	f.Add(`\\ud800\uDBFF\u0041`)
	f.Add(`\udc00\ud800\ud800\udc00`)
	f.Fuzz(func(t *testing.T, body string) {
		quoted := []byte(`"` + body + `"`)
		var s string
		if json.Unmarshal(quoted, &s) != nil || strings.Contains(body, "\ufffd") || strings.Contains(strings.ToLower(body), `ufffd`) || !validUTF8(body) {
			t.Skip()
		}
		if lost := strings.Contains(s, "\ufffd"); lost != (loneSurrogate(quoted) >= 0) {
			t.Fatalf("%s: lost %t, found at %d", quoted, lost, loneSurrogate(quoted))
		}
	})
}

func validUTF8(s string) bool { return strings.ToValidUTF8(s, "") == s }
