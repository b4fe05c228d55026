package grammar

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestJSONIsPythons: each line of the fixture is what CPython's json.dumps(s, ensure_ascii=False) gave for a string.
func TestJSONIsPythons(t *testing.T) {
	for line := range strings.Lines(readFile(t, "json-dumps.txt")) {
		line = strings.TrimSuffix(line, "\n")
		var s string
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		var w writer
		w.quoted(s)
		want := strings.ReplaceAll(line, "<|", `\u003c|`)
		if got := w.b.String(); got != want || w.chars != len([]rune(want)) {
			t.Errorf("got %s of %d characters, want %s", got, w.chars, want)
		}
		back := &scanner{text: want}
		if got, err := back.quoted(); err != nil || got != s || !back.atEnd() {
			t.Errorf("%s reads back as %q, %v", want, got, err)
		}
	}
}
