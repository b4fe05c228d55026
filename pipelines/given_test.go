package pipelines

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/llm"
	"github.com/tracemill/tracemill/schema"
)

const givenProgram = "def f(code):\n    if code == 'a key that nothing else says':\n        return 1\n    return 0\n\ndef g(n):\n    return n\n"

// TestGiven: calls of a file and of a model become cases, what is no call is counted, and a build that is made again asks nobody.
func TestGiven(t *testing.T) {
	rt := openTestRuntime(t, "")
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var body struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || !strings.Contains(body.Messages[0].Content, "def f(code)") {
			t.Errorf("prompt %+v, %v", body, err)
		}
		if strings.Contains(body.Messages[0].Content, "calls of `g`") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer := "```python\nf('a key that nothing else says')\nf(undefined)\n```"
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": answer}}}})
	}))
	defer server.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "inputs.jsonl")
	if err := os.WriteFile(file, []byte(`{"function": "g", "input": "12345"}`+"\n\n"+`{"function": "g", "call": "g('text')"}`+"\n"+`{"function": "g", "input": ")("}`), 0o600); err != nil {
		t.Fatal(err)
	}
	items := []harvest.Item{{Origin: schema.Origin{Source: "test", Path: "a.py"}, Source: []byte(givenProgram)}}
	var first []harvest.Unit
	for range 2 {
		w := newCaseWorker(t, rt, func(c *Config) {
			c.Cases.Generators = GeneratorsConfig{Given: 1}
			c.Cases.Given, c.Cases.LLM = file, llm.Options{BaseURL: server.URL, Model: "m", Cache: filepath.Join(dir, "answers.jsonl")}
		})
		result, err := w.harvester.Harvest(t.Context(), items)
		if err != nil {
			t.Fatal(err)
		}
		sums := Counters{}
		if err := w.grow(t.Context(), sums, result); err != nil {
			t.Fatal(err)
		}
		calls := map[string]bool{}
		for _, u := range result.Units {
			for _, c := range u.Cases {
				calls[c.Call] = c.Generator == "given"
			}
		}
		if want := map[string]bool{"f('a key that nothing else says')": true, "g(12345)": true, "g('text')": true}; !reflect.DeepEqual(calls, want) {
			t.Errorf("cases %v", calls)
		}
		if want := (Counters{"given.refused": 1, "given.unknown_names": 1}); !reflect.DeepEqual(sums, want) {
			t.Errorf("counters %v", sums)
		}
		bad := slices.DeleteFunc(slices.Clone(result.Drops), func(d harvest.Drop) bool { return d.Reason != harvest.BadCall })
		if len(bad) != 1 || bad[0].String() != "a.py: g: bad_call: g()(): the input is not an argument list" {
			t.Errorf("bad calls: %v", bad)
		}
		countHarvest(sums, len(items), result)
		if err := sums.Check(); err != nil {
			t.Error(err)
		}
		if first == nil {
			first = result.Units
		} else if !reflect.DeepEqual(first, result.Units) {
			t.Error("the cases differ when they are made again")
		}
	}
	if asked.Load() != 2 {
		t.Errorf("%d requests, want one for each function", asked.Load())
	}
}

func TestGivenFileMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{"function": "f"}`:       "line 1: want either call or input",
		"\n" + `{"call": "f(1)"}`: "line 2: no function",
		`[]`:                      "line 1: json",
		`{"function": "f", "call": "f", "input": ""}`: "either",
	} {
		c := Default()
		c.Cases.Grow, c.Cases.Given = GrowAll, filepath.Join(t.TempDir(), "inputs.jsonl")
		if err := os.WriteFile(c.Cases.Given, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var mistake *ConfigError
		if _, err := openGiven(c); !errors.As(err, &mistake) || mistake.Key != "cases.given" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestGivenOfWholeBuild: a given call is on the object that it makes, and the report names the functions that are not there.
func TestGivenOfWholeBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a whole build")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.py":         "class Conn:\n    def __init__(self, a=0, b=0):\n        self.sum = a + b\n\n    def query(self):\n        return self.sum\n",
		"inputs.jsonl": `{"function": "Conn.query", "call": "Conn(1, 2).query()"}` + "\n" + `{"function": "nosuch", "call": "nosuch(1)"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	for range 2 { // the second finds it complete
		r := runBuild(t, "quickstart.yaml", out, "sources.0.path="+filepath.Join(dir, "a.py"), "cases.grow=all",
			"cases.given="+filepath.Join(dir, "inputs.jsonl"), "cases.generators={found: 0, typed: 0, mutated: 0, given: 1}", "trace.determinism=off")
		if r.Counters["generator.given"] != 1 || !slices.Equal(r.GivenUnknown, []string{"nosuch"}) {
			t.Errorf("unknown are %v; counters %v", r.GivenUnknown, r.Counters)
		}
	}
}
