package harvest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tracemill/tracemill/harvest/duplicates"
)

// parsing is what CPython itself takes to read files: to parse each, and to compile it. It prints seconds of CPU and functions.
const parsing = `
import ast, sys, time, warnings
warnings.simplefilter("ignore")
texts, functions = [], 0
for path in sys.stdin.read().split("\n"):
    with open(path, "rb") as stream:
        texts.append(stream.read())
for turn in (ast.parse, lambda text: compile(text, "<program>", "exec", dont_inherit=True)):
    begin = time.process_time()
    for text in texts:
        tree = turn(text)
    print(time.process_time() - begin)
for text in texts:
    functions += sum(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) for node in ast.walk(ast.parse(text)))
print(functions)
`

// analyzing is the same for the analyzer: what it answers to each file, whole and sliced.
const analyzing = `
import json, struct, sys, time
sys.path.insert(0, sys.argv[1])
from analyzer import requests
paths = sys.stdin.read().split("\n")
for cut in ("module", "minimal"):
    head = json.dumps({"max_bytes": 1 << 20, "slice": cut, "caseless": True}).encode()
    begin, found = time.process_time(), 0
    for path in paths:
        with open(path, "rb") as stream:
            answer = json.loads(requests.answer(struct.pack("<I", len(head)) + head + stream.read()).decode())
        found += len(answer.get("functions", ()))
    print(time.process_time() - begin, found)
`

// BenchmarkAnalyzer is the analyzer's speed on a standard library, in functions a second of CPU, and as a ratio to what CPython's own
// parser and compiler take for the same files.
func BenchmarkAnalyzer(b *testing.B) {
	of := libraries(b)[0]
	paths, err := filepath.Glob(filepath.Join(of.dir, "*.py"))
	if err != nil || len(paths) == 0 {
		b.Fatalf("no files in %s: %v", of.dir, err)
	}
	analyzer, err := filepath.Abs(".")
	if err != nil {
		b.Fatal(err)
	}
	run := func(script string) []float64 {
		cmd := exec.Command(of.python, "-B", "-c", script, analyzer)
		cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(paths, "\n")), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		var numbers []float64
		for _, field := range strings.Fields(string(out)) {
			n, err := strconv.ParseFloat(field, 64)
			if err != nil {
				b.Fatal(fmt.Errorf("%q: %w", out, err))
			}
			numbers = append(numbers, n)
		}
		return numbers
	}
	for b.Loop() {
		own, ours := run(parsing), run(analyzing)
		b.ReportMetric(own[2]/own[0], "ast-functions/s")
		b.ReportMetric(own[2]/ours[0], "functions/s")
		b.ReportMetric(own[2]/ours[2], "sliced-functions/s")
		b.ReportMetric(ours[0]/own[0], "times-ast")
		b.ReportMetric(ours[2]/own[0], "times-ast-sliced")
		b.ReportMetric(ours[2]/(own[0]+own[1]), "times-ast-and-compile-sliced")
		b.ReportMetric(ours[3], "found")
	}
}

// BenchmarkSurvey is what a survey costs that looks for duplicates: a harvest with fingerprints and signatures, as a ratio to the harvest
// itself, of four packages of the standard library. Both are done in turns, since machines are noisy.
func BenchmarkSurvey(b *testing.B) {
	of := libraries(b)[0]
	source, err := SourceConfig{Type: "python", Path: of.dir, Include: []string{"json/*.py", "email/*.py", "collections/*.py", "asyncio/*.py"}}.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer source.Close()
	items := collect(b, source)
	for _, slice := range []Slice{SliceModule, SliceMinimal} {
		b.Run(string(slice), func(b *testing.B) {
			options := Options{Slice: slice, Caseless: true}
			h := newHarvester(b, &localRuntime{python: of.python, dir: b.TempDir()}, options)
			options.Fingerprints = true
			surveyor := newHarvester(b, &localRuntime{python: of.python, dir: b.TempDir()}, options)
			var harvest, survey time.Duration
			functions := 0
			for b.Loop() {
				begin := time.Now()
				if _, err := h.Harvest(b.Context(), items); err != nil {
					b.Fatal(err)
				}
				harvest += time.Since(begin)
				begin = time.Now()
				result, err := surveyor.Harvest(b.Context(), items)
				if err != nil {
					b.Fatal(err)
				}
				functions = len(result.Units)
				for _, u := range result.Units {
					duplicates.Sign(u.Fingerprint.Tokens)
				}
				survey += time.Since(begin)
			}
			b.ReportMetric(float64(functions), "functions")
			b.ReportMetric(survey.Seconds()/harvest.Seconds(), "times-harvest")
		})
	}
}
