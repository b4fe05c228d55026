package grammar

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

func TestLookup(t *testing.T) {
	want := []string{"cwm", "neural-debugger", "neural-debugger:no-tombstones", "neural-debugger:paper", "neural-debugger:paper-tokens"}
	if !slices.Equal(Names(), want) {
		t.Fatalf("names are %q, want %q", Names(), want)
	}
	for _, name := range want {
		f, err := Lookup(name)
		if err != nil || f.Name() != name {
			t.Errorf("Lookup(%q) = %v, %v", name, f, err)
		}
	}
	if got := NamesOf(schema.Inverse); !slices.Equal(got, want[1:]) {
		t.Errorf("inverse formats are %q", got)
	}
	if got := NamesOf(schema.Forward); !slices.Equal(got, want) {
		t.Errorf("forward formats are %q", got)
	}
}

func TestLookupNamesTheNearest(t *testing.T) {
	for name, want := range map[string]string{
		"neural-debuger": `"neural-debugger"?`, "neural_debugger": `"neural-debugger"?`, "CWM": `"cwm"?`, "": `"cwm"?`,
		"neural-debugger:papr": `"neural-debugger:paper"?`, "neural-debugger:paper_token": `"neural-debugger:paper-tokens"?`,
	} {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), "did you mean "+want) {
			t.Errorf("Lookup(%q): %v, want %s", name, err, want)
		}
	}
}

func TestReserved(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a <| b |> c": "", "<||>": "", "<|a b|>": "", "<|a|": "", "<|é|>": "", "<|<|": "",
		"<|a|>": "<|a|>", "x<<|frame_sep|>": "<|frame_sep|>", "<|<|im_end|>|>": "<|im_end|>", "<|a <|fim-prefix|>": "<|fim-prefix|>", "é<|A_9|><|b|>": "<|A_9|>",
	} {
		if got := Reserved(text); got != want {
			t.Errorf("Reserved(%q) = %q, want %q", text, got, want)
		}
	}
	for _, token := range Tokens() {
		if Reserved(token) != token {
			t.Errorf("%q is a token, but not reserved", token)
		}
	}
}

// TestDocumented: the page that tells what to add to a tokenizer lists every token and every format.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range slices.Concat(Tokens(), Names()) {
		if !strings.Contains(string(page), "`"+word+"`") {
			t.Errorf("docs/formats.md does not name `%s`", word)
		}
	}
}
