package harvest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/harvest/contamination"
	"github.com/tracemill/tracemill/schema"
)

// TestStdinColumns: rows of other data sets, by their columns.
func TestStdinColumns(t *testing.T) {
	config := SourceConfig{Type: "jsonl", Path: "rows.jsonl", Columns: Columns{Code: "code", Stdin: "in", Output: "out"}}.WithDefaults()
	if err := config.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, row, want string }{
		{"lists", `{"code": "c", "in": ["1\n", ""], "out": ["2\n", ""]}`, `"1\n" gives "2\n"; "" gives ""`},
		{"texts", `{"code": "c", "in": "1\n", "out": "2"}`, `"1\n" gives "2"`},
		{"an empty text", `{"code": "c", "in": "", "out": ""}`, `"" gives ""`},
		{"no output", `{"code": "c", "in": ["1"], "out": null}`, `"1"`},
		{"an empty list of outputs", `{"code": "c", "in": ["1"], "out": []}`, `"1"`},
		{"nothing", `{"code": "c", "in": [], "out": []}`, "no_tests"},
		{"null", `{"code": "c", "in": null, "out": null}`, "no_tests"},
		{"no column", `{"code": "c", "out": "1"}`, "missing_column"},
		{"no column of outputs", `{"code": "c", "in": "1"}`, "missing_column"},
		{"a number", `{"code": "c", "in": 1, "out": "1"}`, "column_type"},
		{"a list of others", `{"code": "c", "in": [1], "out": ["1"]}`, "column_type"},
		{"two lengths", `{"code": "c", "in": ["1", "2"], "out": ["1"]}`, "column_type"},
		{"half of a pair", `{"code": "c", "in": "\ud800", "out": "1"}`, "bad_unicode"},
		{"too long", fmt.Sprintf(`{"code": "c", "in": ["%s", "1"], "out": ["a", "b"]}`, strings.Repeat("1", maxTextBytes+1)), `"1" gives "b"; left too_long`},
		{"too many", fmt.Sprintf(`{"code": "c", "in": [%s"1"], "out": []}`, strings.Repeat(`"2",`, maxTexts)), strings.TrimSuffix(strings.Repeat(`"2"; `, maxTexts), "; ")},
	} {
		record, err := decodeRecord([]byte(test.row))
		if err != nil {
			t.Fatal(err)
		}
		items := config.items("rows.jsonl", rowRead{number: 1, record: record})
		if got := describeInputs(items[0]); got != test.want || len(items) != 1 {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func describeInputs(item Item) string {
	if item.Err != nil {
		return string(item.Err.Reason)
	}
	var parts []string
	for _, input := range item.Inputs {
		part := fmt.Sprintf("%q", input.Stdin)
		if input.HasExpected {
			part += fmt.Sprintf(" gives %q", input.Expected)
		}
		parts = append(parts, part)
	}
	for _, left := range item.Left {
		parts = append(parts, "left "+string(left.reason))
	}
	if item.Entry != schema.ModuleEntry {
		parts = append(parts, "entry "+item.Entry)
	}
	return strings.Join(parts, "; ")
}

// TestCodeContestsTests: tests that are no struct of two lists.
func TestCodeContestsTests(t *testing.T) {
	for _, test := range []struct{ name, tests, want string }{
		{"no lists", `{"input": "1", "output": "1"}`, "column_type"},
		{"a list of structs", `[{"input": "1", "output": "1"}]`, "column_type"},
		{"no outputs", `{"input": ["1"]}`, "column_type"},
		{"a null among them", `{"input": [null], "output": ["1"]}`, "column_type"},
		{"as they are", `{"input": ["1"], "output": ["2"]}`, `"1" gives "2"`},
	} {
		line := fmt.Sprintf(`{"name": "n", "solutions": {"language": [3], "solution": ["print(1)"]}, "public_tests": %s}`, test.tests)
		record, err := decodeRecord([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		config := SourceConfig{Preset: "code_contests", Path: "rows.jsonl"}.WithDefaults()
		if got := describeInputs(config.items("rows.jsonl", rowRead{number: 1, record: record})[0]); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// scriptItem is a program that is run with one text on its standard input.
func scriptItem(code, stdin string) Item {
	return Item{Text: code, Entry: schema.ModuleEntry, Inputs: []Input{{Stdin: stdin, Expected: "1", HasExpected: true}}}
}

// TestProgramFilters: what filters say of programs that are run, which are there to read their standard input.
func TestProgramFilters(t *testing.T) {
	const plain = "\"\"\"Doc.\"\"\"\nimport sys\nfor line in sys.stdin:\n    print(input(), open(0).read(), line)\n"
	h := newLocal(t, interpreter(t))
	for _, test := range []struct {
		name    string
		filters Filters
		code    string
		want    string
	}{
		{"input", Filters{Ban: []string{"input", "files"}}, plain, ""},
		{"fileinput", Filters{Ban: []string{"input", "files"}}, "import fileinput\nfor line in fileinput.input(): print(line)\n", ""},
		{"a file", Filters{Ban: []string{"files"}}, "print(open('x').read())\n", "banned_call: files: open"},
		{"a descriptor that is no stream", Filters{Ban: []string{"files"}}, "print(open(3).read())\n", "banned_call: files: open"},
		{"true is no descriptor", Filters{Ban: []string{"files"}}, "print(open(True).read())\n", "banned_call: files: open"},
		{"behind a main guard", Filters{Ban: []string{"subprocess"}}, "import os\nif __name__ == '__main__':\n    os.system('x')\n", "banned_call: subprocess: os.system"},
		{"imports", Filters{Imports: []string{"stdlib"}}, "import nowhere\n", "import_not_allowed: nowhere"},
		{"lines within", Filters{MaxLines: 4}, plain, ""},
		{"lines", Filters{MaxLines: 3}, plain, "too_many_lines: 4 lines"},
		{"statements", Filters{MaxStatements: 2}, plain, "too_many_statements: 3"},
		{"few statements", Filters{MinStatements: 4}, plain, "too_few_statements: 3"},
		{"a docstring alone", Filters{DocstringOnly: true}, "'''Doc.'''\n", "docstring_only"},
		{"trivial is of functions", Filters{Trivial: true, MaxArguments: 1}, "print(input())\n", ""},
		{"generated", Filters{Generated: true}, "# Generated by the compiler. DO NOT EDIT!\nprint(input())\n", "generated: its head says"},
	} {
		h.options.Filters = test.filters
		result, err := h.Harvest(t.Context(), []Item{scriptItem(test.code, "x")})
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, result)
		got := dropped(result)
		if (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestProgramsWithoutStatements: what executes nothing has no line to stop at.
func TestProgramsWithoutStatements(t *testing.T) {
	h := newLocal(t, interpreter(t))
	for code, want := range map[string]string{
		"":                      "no_statement: the program has no text",
		"\ufeff":                "no_statement: the program has no text",
		" \n\t\n":               "no_statement: the program has no text",
		"# print(1)\n":          "no_statement: the program has no statement",
		"\n\n# a\nglobal x\n":   "no_statement: the program has no statement",
		"'Doc.'\n":              "",
		"pass":                  "",
		"# a\nif 0:\n    1\n":   "",
		"\ufeff# a\n\nprint(1)": "",
	} {
		result, err := h.Harvest(t.Context(), []Item{scriptItem(code, "x")})
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, result)
		got := dropped(result)
		if got != want || (want == "") != (len(result.Units) == 1) {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}

// TestProgramSecrets: standard input is of the source, and is handled as its calls are.
func TestProgramSecrets(t *testing.T) {
	const key = "ghp_0123456789abcdefghijklmnopqrstuvwxyzA"
	for _, test := range []struct {
		handling Handling
		cases    int
		expected bool
	}{{HandleKeep, 1, true}, {HandleMask, 1, false}, {HandleDrop, 0, false}} {
		h := newLocal(t, interpreter(t))
		h.options.Secrets.Source = test.handling
		result, err := h.Harvest(t.Context(), []Item{scriptItem("print(input())\n", key+"\n")})
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, result)
		if test.cases == 0 {
			if len(result.Units) != 0 || result.Drops[0].Reason != Secret {
				t.Errorf("%s: %+v", test.handling, result)
			}
			continue
		}
		c := result.Units[0].Cases[0]
		if c.HasExpected != test.expected || strings.Contains(c.Stdin, key) != test.expected {
			t.Errorf("%s: %+v", test.handling, c)
		}
	}
}

// TestProgramsOfBenchmarks: a benchmark's program is found as a whole, whatever it imports its modules as.
func TestProgramsOfBenchmarks(t *testing.T) {
	const benchmark = `{"name": "1_A", "solutions": {"language": [3], "solution": ["import sys\nn = int(input())\nfor line in sys.stdin:\n    n += len(line.split())\nprint(n)\n"]},` +
		` "public_tests": {"input": ["1"], "output": ["1"]}}`
	h := curated(t, Curation{Decontaminate: []SourceConfig{{Path: writtenAs(t, "b.jsonl", benchmark), Preset: "code_contests"}}})
	h.options.Fingerprints = true
	index, err := h.Benchmarks(t.Context())
	must(t, err)
	copied := "# copied\nimport sys as s\nwords = int( input() )\nfor row in s.stdin:\n    words += len(row.split())\nprint(words)\n"
	result, err := h.Harvest(t.Context(), []Item{scriptItem(copied, "1"), scriptItem(strings.Replace(copied, "+=", "-=", 1), "1")})
	must(t, err)
	want := []contamination.Kind{contamination.Tree, ""}
	for i := range result.Units {
		u := &result.Units[i]
		function, got := u.Fingerprint.Of(u), contamination.Kind("")
		if m := index.Match(&function); m != nil {
			got = m.Kind
		}
		if got != want[i] {
			t.Errorf("%q: %q, want %q", u.Function.Program, got, want[i])
		}
	}
}

// TestProgramFingerprints: a program is compared as a whole, not as the function that it may begin with.
func TestProgramFingerprints(t *testing.T) {
	const original = "def f(x):\n    return x + 1\n\n\ntotal = f(int(input()))\nprint(total)\n"
	h := newHarvester(t, &localRuntime{python: interpreter(t), dir: t.TempDir()}, Options{Fingerprints: true})
	print := func(code string) *Fingerprint {
		result, err := h.Harvest(t.Context(), []Item{scriptItem(code, "1")})
		if err != nil || len(result.Units) != 1 || result.Units[0].Fingerprint == nil {
			t.Fatal(result, err)
		}
		return result.Units[0].Fingerprint
	}
	first := print(original)
	if first.Start != 1 || first.End != 6 || len(first.Tokens) == 0 {
		t.Errorf("%+v", first)
	}
	for name, copied := range map[string]string{
		"comments": "# by somebody\n" + original, "names": strings.NewReplacer("total", "sum_of", "f(", "add(").Replace(original),
		"a docstring": "'''Doc.'''\n" + original,
	} {
		if p := print(copied); p.Tree != first.Tree {
			t.Errorf("%s: another tree", name)
		}
	}
	for name, other := range map[string]string{
		"what it prints": strings.Replace(original, "print(total)", "print(-total)", 1), "its function": strings.Replace(original, "+ 1", "+ 2", 1),
	} {
		if p := print(other); p.Tree == first.Tree {
			t.Errorf("%s: the same tree", name)
		}
	}
}
