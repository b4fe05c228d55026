package pipelines

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/schema/grammar"
	"github.com/tracemill/tracemill/shard"
)

// stdinRows is rows of programs that read standard input; of each text, what it is to print and what that says of the trace.
var stdinRows = []struct {
	Code    string   `json:"code"`
	Stdin   []string `json:"stdin"`
	Output  []string `json:"output"`
	matches []string
	status  []schema.Status
}{{
	Code:  "import sys\n\n\ndef double(text):\n    return 2 * int(text)\n\n\nfor line in sys.stdin:\n    print(double(line))\n",
	Stdin: []string{"1\n2\n", "", "é\n"}, Output: []string{"2 \r\n4\n\n", "", ""},
	matches: []string{"yes", "yes", ""}, status: []schema.Status{"ok", "ok", "exception"},
}, {
	Code:  "def main():\n    a, b = map(int, input().split())\n    if b == 0:\n        print(\"none\")\n        exit()\n    print(a // b)\n\n\nif __name__ == \"__main__\":\n    main()",
	Stdin: []string{"7 2", "7 0\n"}, Output: []string{"4", "none"},
	matches: []string{"no", "yes"}, status: []schema.Status{"ok", "exited"},
}, {
	Code:  "class Stack:\n    def __init__(self):\n        self.items = []\n\n\nstack = Stack()\nfor word in open(0, newline=\"\").read().split(\" \"):\n    stack.items.append(word)\nprint(stack.items[::-1])\n",
	Stdin: []string{"<|line_sep|> \"\\\r\n\u2028é\n# stdin: \"\""}, Output: []string{""},
	matches: []string{"no"}, status: []schema.Status{"ok"},
}}

// TestStdin: from rows of programs that read standard input to tables that say all of it, prove themselves, and whose texts hold the
// program and its input.
func TestStdin(t *testing.T) {
	dir := t.TempDir()
	var rows strings.Builder
	for _, row := range stdinRows {
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		rows.Write(append(line, '\n'))
	}
	config := "output: out\nsources:\n  - {type: jsonl, path: rows.jsonl, columns: {code: code, stdin: stdin, output: output}}\n" +
		"cases: {grow: all}\ntrace: {differential: true, determinism: require}\n" +
		"trajectories: {entry: any_call, per_trace: 3, formats: [neural-debugger, cwm], statuses: [ok, exception, exited]}\n"
	for name, text := range map[string]string{"rows.jsonl": rows.String(), "config.yaml": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	runBuild(t, filepath.Join(dir, "config.yaml"), out)
	d, err := shard.OpenDataset(out)
	if err != nil {
		t.Fatal(err)
	}
	traces := stdinTraces(t, d)
	stdinTexts(t, d, traces)
	report, err := Verify(t.Context(), out, VerifyOptions{Sample: SampleAll, Sequences: 10, Workers: 1}, silent{})
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() || report.Replay.Agreed == 0 || report.Replay.Agreed != report.Replay.Sessions {
		t.Errorf("%+v; %+v", report, report.Replay)
	}
}

// stdinTraces compares the traces with the rows, and gives them by id.
func stdinTraces(t *testing.T, d *shard.Dataset) map[string]*schema.TraceRow {
	t.Helper()
	programs := map[string]string{}
	for f, err := range shard.Rows[schema.FunctionRow](d, "") {
		if err != nil {
			t.Fatal(err)
		}
		if f.EntryPoint != schema.ModuleEntry || f.Qualname != schema.ModuleEntry || f.StartLine != 1 || int(f.EndLine) != len(schema.Lines(f.Program)) {
			t.Errorf("%s: %s, %s, lines %d to %d", f.ID, f.EntryPoint, f.Qualname, f.StartLine, f.EndLine)
		}
		programs[f.ID] = f.Program
	}
	traces := map[string]*schema.TraceRow{}
	found := map[string]string{}
	for row, err := range shard.Rows[schema.TraceRow](d, "") {
		if err != nil {
			t.Fatal(err)
		}
		one := *row
		traces[row.ID] = &one
		found[programs[row.FunctionID]+row.Stdin] = fmt.Sprint(row.Status, row.OutputMatches, row.Call, row.Wrapper, row.CodeName[row.FrameCode[0]])
	}
	count := 0
	for _, row := range stdinRows {
		for i, stdin := range row.Stdin {
			count++
			if got, want := found[row.Code+stdin], fmt.Sprint(row.status[i], row.matches[i], "", "module", schema.ModuleEntry); got != want {
				t.Errorf("%q with %q: %s, want %s", row.Code, stdin, got, want)
			}
		}
	}
	if count != len(traces) {
		t.Errorf("%d traces, want %d", len(traces), count)
	}
	return traces
}

// stdinTexts reads the input of every forward trajectory back from its text.
func stdinTexts(t *testing.T, d *shard.Dataset, traces map[string]*schema.TraceRow) {
	t.Helper()
	formats := map[string]int{}
	for row, err := range shard.Rows[schema.TrajectoryRow](d, "") {
		if err != nil {
			t.Fatal(err)
		}
		if row.Direction != string(schema.Forward) {
			continue
		}
		format, err := grammar.Lookup(row.Format)
		if err != nil {
			t.Fatal(err)
		}
		document, err := format.Parse(row.Text)
		if err != nil {
			t.Fatal(err)
		}
		if _, stdin, ok := schema.CutStdin(document.Code); !ok || stdin != traces[row.TraceID].Stdin {
			t.Errorf("%s: %q, %v, and %q was on standard input", row.Text, stdin, ok, traces[row.TraceID].Stdin)
		}
		formats[row.Format]++
	}
	if formats["neural-debugger"] == 0 || formats["cwm"] == 0 {
		t.Errorf("trajectories by format: %v", formats)
	}
}

// TestOfThreads: only what a stop shows can be the threads' doing, and only where there are some.
func TestOfThreads(t *testing.T) {
	threads := &schema.Trace{Notes: []string{"clock", "threads"}}
	for _, test := range []struct {
		trace *schema.Trace
		field string
		want  bool
	}{{threads, "locals", true}, {threads, "value", true}, {threads, "place", false}, {threads, "end", false}, {&schema.Trace{}, "locals", false}} {
		if got := ofThreads(test.trace, &difference{field: test.field}); (got != "") != test.want {
			t.Errorf("%v, %s: %q", test.trace.Notes, test.field, got)
		}
	}
}
