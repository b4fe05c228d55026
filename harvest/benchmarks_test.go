package harvest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/harvest/contamination"
)

// TestBenchmarkPresets needs nothing of a benchmark but its file.
func TestBenchmarkPresets(t *testing.T) {
	read := func(path string) map[string]string {
		t.Helper()
		text, err := os.ReadFile(path)
		must(t, err)
		line, _, _ := strings.Cut(string(text), "\n")
		var row map[string]any
		must(t, json.Unmarshal([]byte(line), &row))
		first := map[string]string{}
		for name, value := range row {
			if s, ok := value.(string); ok {
				first[name] = s
			}
		}
		return first
	}
	for _, test := range []struct {
		preset, path string
		program      func(row map[string]string) string // of the first row
		of           string
	}{
		{"cruxeval", cruxEval, func(r map[string]string) string { return r["code"] }, "sample_0"},
		{"humaneval", "testdata/datasets/humaneval.jsonl", func(r map[string]string) string { return r["prompt"] + r["canonical_solution"] }, "HumanEval/0"},
		{"mbpp", "testdata/datasets/mbpp.jsonl", func(r map[string]string) string { return r["code"] }, "(1)"},
	} {
		t.Run(test.preset, func(t *testing.T) {
			h := curated(t, Curation{Decontaminate: []SourceConfig{{Path: test.path, Preset: test.preset}}})
			index, err := h.Benchmarks(t.Context())
			must(t, err)
			m := index.Match(last(t, h, "# copied\n"+test.program(read(test.path))))
			if m == nil || m.Kind != contamination.Exact || !strings.Contains(m.Of, test.of) {
				t.Errorf("%v, want an exact match of %s", m, test.of)
			}
			t.Logf("%d functions; %v", index.Len(), m)
		})
	}
}

func TestBenchmarkMistakes(t *testing.T) {
	empty := curated(t, Curation{Decontaminate: []SourceConfig{{Path: writtenAs(t, "b.py", "x = 1\n")}}})
	if _, err := empty.Benchmarks(t.Context()); err == nil || !strings.Contains(err.Error(), "decontaminate[0]") {
		t.Errorf("a benchmark without functions: %v", err)
	}
	allow := curated(t, Curation{Contamination: Contamination{Allow: written(t, "def f(:")}})
	if _, err := allow.Benchmarks(t.Context()); err == nil || !strings.Contains(err.Error(), "contamination.allow") {
		t.Errorf("functions that do not compile: %v", err)
	}
	missing := Curation{Decontaminate: []SourceConfig{{Path: "nowhere.jsonl", Preset: "cruxeval"}}}
	if _, err := missing.Digests(t.Context()); err == nil || !strings.Contains(err.Error(), "nowhere.jsonl") {
		t.Errorf("a benchmark that is not there: %v", err)
	}
}

func FuzzFingerprints(f *testing.F) {
	f.Add([]byte(`{"fingerprints": [{"tree": "00112233445566778899aabbccddeeff", "tokens": ["a"], "start": 1, "end": 2}, null]}`))
	f.Add([]byte(`{"reason": "syntax_error"}`))
	f.Fuzz(func(t *testing.T, reply []byte) {
		found, err := decodeFingerprints(reply)
		if err != nil {
			return
		}
		for _, p := range found {
			p.function([]string{"def f():", "    pass"})
		}
	})
}
