package harvest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tracemill/tracemill/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// row is an item as a data set gives it.
func row(code, entry, args string) Item {
	return Item{Origin: schema.Origin{Path: "r", Row: 1}, Text: code, Entry: entry, Inputs: []Input{{Args: args}}}
}

func TestGivenInputs(t *testing.T) {
	const f = "def f(*a, **k):\n    return 1\n"
	long := "x = '" + strings.Repeat("y", 70_000) + "'\n"
	h := newLocal(t, interpreter(t))
	for _, test := range []struct {
		name string
		item Item
		want string // the call, or the reasons of the drops
	}{
		{"empty", row(f, "f", ""), "f()"},
		{"trailing comma", row(f, "f", "1,"), "f(1,)"},
		{"lambda", row(f, "f", "lambda x: x, key=1"), "f(lambda x: x, key=1)"},
		{"module global", row("G = 1\n"+f, "f", "G"), "f(G)"},
		{"unknown name", row(f, "f", "nowhere"), "f(nowhere)"},
		{"over lines", row(f, "f", "[1,\r\n 2]"), "f([1,\n 2])"},
		{"a comment inside", row(f, "f", "1, # one\n2"), "f(1, # one\n2)"},
		{"unbalanced", row(f, "f", "[1"), "bad_call no_case"},
		{"two calls", row(f, "f", "1) or f(2"), "bad_call no_case"},
		{"a call of the result", row(f, "f", "1)(2"), "bad_call no_case"},
		{"a comment that hides the end", row(f, "f", "1) #"), "bad_call no_case"},
		{"a statement", row(f, "f", "1); import os; (2"), "bad_call no_case"},
		{"yield", row(f, "f", "(yield)"), "bad_call no_case"},
		{"null character", row(f, "f", "'\x00'"), "bad_call no_case"},
		{"whole call", Item{Text: f, Entry: "f", Inputs: []Input{{Call: "sorted([f(1)])"}}}, "sorted([f(1)])"},
		{"generator", row("def f(n):\n    yield n\n", "f", "3"), "list(f(3))"},
		{"generator, list is taken", row("list = 3\ndef f(n):\n    yield n\n", "f", "3"), "[*f(3)]"},
		{"coroutine", row("async def f(n):\n    return n\n", "f", "3"), "__import__('asyncio').run(f(3))"},
		{"asynchronous generator", row("async def f(n):\n    yield n\n", "f", "3"), "__import__('asyncio').run(collect(f(3)))"},
		{"no entry", row(f, "g", "1"), "no_entry"},
		{"entry is a class", row("class f: pass\n", "f", ""), "no_entry"},
		{"carriage returns", row("def f():\r\n\treturn 1\r\n", "f", ""), "f()"},
		{"byte order mark", row("\ufeff"+f, "f", ""), "f()"},
		{"null in the program", row(f+"\x00", "f", ""), "null_bytes"},
		{"reserved token in the program", row(f+"# <|call_sep|>\n", "f", ""), "reserved_token"},
		{"reserved token in the call", row(f, "f", "'<|frame_sep|>'"), "reserved_token no_case"},
		{"too long", row(long+f, "f", ""), "too_long"},
		{"not Python", row("let f = 1;", "f", ""), "syntax_error"},
		{"Python 2", row("def f():\n  print 'x'\n", "f", ""), "python2"},
		{"a cookie is a comment in a text", row("# coding: utf8mb4\n"+f, "f", "'é'"), "f('é')"},
		{"the source dropped it", Item{Err: &Drop{Level: LevelItem, Reason: BadJSON}}, "bad_json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := h.Harvest(t.Context(), []Item{test.item})
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, result)
			var got []string
			for _, u := range result.Units {
				got = append(got, u.Cases[0].Call)
			}
			for _, d := range result.Drops {
				got = append(got, string(d.Reason))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q: %v", got, test.want, result.Drops)
			}
		})
	}
}

func TestBlocks(t *testing.T) {
	program := `import a; b = 1
@deco(
    1)
class A:
    @property
    def m(self):
        def inner(): pass
        return inner

if b:
    async def c():
        pass
def f(): return 1
`
	result, err := newLocal(t, interpreter(t)).Harvest(t.Context(), []Item{row(program, "f", "")})
	if err != nil {
		t.Fatal(err)
	}
	want := []schema.Block{
		{Start: 1, Def: 1, End: 1}, {Start: 1, Def: 1, End: 1}, {Start: 2, Def: 4, End: 8, Name: "A"}, {Start: 5, Def: 6, End: 8, Name: "m"},
		{Start: 7, Def: 7, End: 7, Name: "inner"}, {Start: 10, Def: 10, End: 12}, {Start: 11, Def: 11, End: 12, Name: "c"},
		{Start: 13, Def: 13, End: 13, Name: "f"},
	}
	f := result.Units[0].Function
	if !slices.Equal(f.Blocks, want) {
		t.Errorf("blocks are %v\nwant %v", f.Blocks, want)
	}
	if f.Program != program || f.ID != schema.ID("function", program, "f") || f.StartLine != 13 || f.EndLine != 13 {
		t.Errorf("the function is %+v", f)
	}
}

// TestHostileFiles: a file that a parser cannot take costs itself, and the next one is read.
func TestHostileFiles(t *testing.T) {
	good := row("def f(): pass\n", "f", "")
	hostile := map[string]string{
		"parentheses": "def f(): return " + strings.Repeat("(", 20_000) + strings.Repeat(")", 20_000),
		"minuses":     "def f(): return " + strings.Repeat("-", 60_000) + "1",
		"sum":         "def f(): return " + strings.Repeat("1+", 30_000) + "1",
		"attributes":  "def f(): return x" + strings.Repeat(".y", 30_000),
		"blocks":      "def f():\n" + strings.Repeat(" ", 99) + strings.Repeat("if 1:", 99) + "pass",
		"lambdas":     "def f(): return " + strings.Repeat("lambda:", 8_000) + "1",
		"digits":      "def f(): return " + strings.Repeat("9", 60_000),
	}
	for version, python := range interpreters(t) {
		t.Run(version, func(t *testing.T) {
			h := newLocal(t, python)
			for name, text := range hostile {
				result, err := h.Harvest(t.Context(), []Item{row(text, "f", ""), good})
				if err != nil {
					t.Fatal(err)
				}
				balanced(t, result)
				if n := len(result.Units); n == 0 || result.Units[n-1].Function.Program != good.Text {
					t.Errorf("%s: the next file is lost: %v", name, result.Drops)
				}
				for _, d := range result.Drops {
					if d.Reason != ParseCrash && d.Reason != SyntaxError {
						t.Errorf("%s: %s", name, &d)
					}
				}
			}
		})
	}
}

// TestAnalyzerDies: an analyzer that dies of one item twice, and works otherwise, drops that item. One that never
// works is the machine's fault.
func TestAnalyzerDies(t *testing.T) {
	python := interpreter(t)
	const dying = `
import os, sys
sys.path.insert(0, sys.argv[1])
from analyzer import requests, server
def answer(request):
    return requests.answer(request)
ask = server.Worker.ask
def fatal(self, request, late):
    if b"poison" in request:
        os._exit(7)
    return ask(self, request, late)
server.Worker.ask = fatal
server.serve(sys.stdin.buffer, sys.stdout.buffer, answer, server.Limits())
`
	dir := t.TempDir()
	rt := &localRuntime{python: python, dir: dir}
	rt.sabotage = func(_ int, argv []string) []string { return []string{argv[0], "-I", "-S", "-B", "-c", dying, dir} }
	h := newHarvester(t, rt, Options{})
	var items []Item
	for i := range 20 {
		text := fmt.Sprintf("def f(): return %d\n", i)
		if i%7 == 3 {
			text = "# poison\n" + text
		}
		items = append(items, row(text, "f", ""))
	}
	result, err := h.Harvest(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	balanced(t, result)
	if len(result.Units) != 17 || len(result.Drops) != 3 {
		t.Fatalf("%d functions and %d drops, want 17 and 3", len(result.Units), len(result.Drops))
	}
	for _, d := range result.Drops {
		if d.Reason != ParseCrash || !strings.Contains(d.Detail, "exit code 7") {
			t.Error(d.String())
		}
	}
	rt.sabotage = func(_ int, argv []string) []string { return []string{argv[0], "-c", "raise SystemExit(9)"} }
	h = newHarvester(t, rt, Options{})
	h.backoff = func(int) time.Duration { return 0 }
	if result, err := h.Harvest(t.Context(), items); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("an analyzer that never works: %v, %v", result, err)
	}
}

// TestAnalyzerKilled: what somebody outside ends costs no item and changes no answer.
func TestAnalyzerKilled(t *testing.T) {
	const killed = `
import os, sys
sys.path.insert(0, sys.argv[1])
from analyzer import requests, server
ask = server.Worker.ask
def fatal(self, request, late):
    with open(sys.argv[1] + "/kills", "a+") as f:
        f.seek(0)
        left = %d - len(f.read())
        if left > 0 and b"poison" in request:
            f.write("x")
            f.flush()
            os._exit(137)
    return ask(self, request, late)
server.Worker.ask = fatal
server.serve(sys.stdin.buffer, sys.stdout.buffer, requests.answer, server.Limits())
`
	poison := row("# poison\ndef f(): return 1\n", "f", "")
	for _, test := range []struct {
		kills, units int
	}{{maxKills - 1, 3}, {1000, 2}} {
		dir := t.TempDir()
		rt := &localRuntime{python: interpreter(t), dir: dir}
		rt.sabotage = func(_ int, argv []string) []string {
			return []string{argv[0], "-I", "-S", "-B", "-c", fmt.Sprintf(killed, test.kills), dir}
		}
		h := newHarvester(t, rt, Options{})
		result, err := h.Harvest(t.Context(), []Item{row("def f(): return 0\n", "f", ""), poison, row("def f(): return 2\n", "f", "")})
		if err != nil || len(result.Units) != test.units || len(result.Drops) != 3-test.units {
			t.Errorf("%d kills: %d functions, drops %v, %v", test.kills, len(result.Units), result.Drops, err)
		}
		if err := os.Remove(filepath.Join(dir, "kills")); err != nil {
			t.Fatal(err)
		}
		got, err := h.EqualLiterals(t.Context(), "'poison'", `"poison"`)
		if err != nil || (got != nil) != (test.units == 3) {
			t.Errorf("%d kills: equal %v, %v", test.kills, got, err)
		}
	}
}

// TestFingerprintsOfUnits: a unit's fingerprint is that of its definition, whatever of the module is its program.
func TestFingerprintsOfUnits(t *testing.T) {
	const program = "import math\n\n\nUNUSED = 1\n\n\ndef area(r):\n    return math.pi * r\n\n\nclass Box:\n    def size(self):\n        return area(2)\n\n\nassert area(1)\nassert Box().size()\n"
	var want []*Fingerprint
	for _, slice := range []Slice{SliceModule, SliceMinimal} {
		h := newHarvester(t, &localRuntime{python: interpreter(t), dir: t.TempDir()}, Options{Slice: slice, Fingerprints: true})
		if want == nil {
			var err error
			if want, err = h.Fingerprints(t.Context(), program, false); err != nil || len(want) != 2 {
				t.Fatalf("%d fingerprints, %v", len(want), err)
			}
		}
		result, err := h.Harvest(t.Context(), []Item{{Text: program}})
		if err != nil || len(result.Units) != 2 {
			t.Fatalf("%v, %v", result, err)
		}
		for i, u := range result.Units {
			if !reflect.DeepEqual(u.Fingerprint, want[i]) {
				t.Errorf("%s, %s: %+v, want %+v", slice, u.Function.Entry, u.Fingerprint, want[i])
			}
			text := u.Fingerprint.Of(&u).Text
			if !strings.HasPrefix(strings.TrimSpace(text), "def ") {
				t.Errorf("%s, %s is compared as %q", slice, u.Function.Entry, text)
			}
		}
		script := Item{Text: "print(input())\n\n", Entry: schema.ModuleEntry, Inputs: []Input{{Stdin: "1\n"}}}
		result, err = h.Harvest(t.Context(), []Item{script})
		if err != nil || len(result.Units) != 1 || result.Units[0].Fingerprint == nil {
			t.Fatalf("a program: %v, %v", result, err)
		}
		if text := result.Units[0].Fingerprint.Of(&result.Units[0]).Text; strings.TrimSpace(text) != "print(input())" {
			t.Errorf("a program is compared as %q", text)
		}
	}
}

func TestCancel(t *testing.T) {
	h := newLocal(t, interpreter(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Harvest(ctx, []Item{row("def f(): pass\n", "f", "")}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// The harvester is not lost.
	result, err := h.Harvest(t.Context(), []Item{row("def f(): pass\n", "f", "")})
	if err != nil || len(result.Units) != 1 {
		t.Errorf("after a cancel: %v, %v", result, err)
	}
}

// FuzzAnswer: nothing that a parser could be made to say gets past the checks or panics.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"program": "def f():\n pass\n", "blocks": [[1,1,2,"f"]], "functions": [{"name":"f","start":1,"end":2}], "cases": [{"function":"f","call":"f()"}]}`))
	f.Add([]byte(`{"program": "x", "blocks": [[1,1,2]], "functions": []}`))
	f.Add([]byte(`{"blocks": [[null, 0, 0, 0, {}]]}`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		a, err := decodeAnswer(frame)
		if err != nil {
			return
		}
		result := &Result{}
		result.add(&Item{}, a)
		balancedLevels(t, result)
		lines := int32(len(schema.Lines(a.Program)))
		for _, u := range result.Units {
			for _, b := range u.Function.Blocks {
				if b.Start < 1 || b.End > lines || b.Start > b.End {
					t.Fatalf("block %+v of a program of %d lines", b, lines)
				}
			}
		}
		if _, err := json.Marshal(result); err != nil {
			t.Fatal(err)
		}
	})
}
