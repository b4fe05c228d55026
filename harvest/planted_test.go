package harvest

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracemill/tracemill/harvest/contamination"
	"github.com/tracemill/tracemill/harvest/duplicates"
)

// plantedCopy is a row of testdata/plant.py.
type plantedCopy struct {
	Kind string
	Of   int // row of CruxEval
	Code string
}

const cruxEval = "../pipelines/cruxeval/cruxeval.jsonl"

func plantedCopies(t *testing.T) (originals []string, copies []plantedCopy) {
	t.Helper()
	rows, err := os.ReadFile(cruxEval)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), interpreter(t), "-B", "testdata/plant.py")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(rows), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	decode(t, rows, func(line []byte) {
		var row struct{ Code string }
		must(t, json.Unmarshal(line, &row))
		originals = append(originals, row.Code)
	})
	decode(t, out, func(line []byte) {
		var row plantedCopy
		must(t, json.Unmarshal(line, &row))
		copies = append(copies, row)
	})
	return originals, copies
}

func decode(t *testing.T, text []byte, each func([]byte)) {
	t.Helper()
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		each(lines.Bytes())
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// last is the fingerprint of a program's last function, which in a row of CruxEval is f.
func last(t *testing.T, h *Harvester, program string) *contamination.Function {
	t.Helper()
	functions, err := h.functions(t.Context(), program)
	must(t, err)
	if len(functions) == 0 {
		t.Fatalf("no fingerprint of\n%s", program)
	}
	return &functions[len(functions)-1]
}

// TestPlantedCopies plants a copy of every function of CruxEval, and counts which are found as duplicates and as contamination, and which
// functions that are nobody's copy are taken for one.
func TestPlantedCopies(t *testing.T) {
	h := newLocal(t, interpreter(t))
	originals, copies := plantedCopies(t)
	var records []byte
	index := contamination.New(contamination.Options{})
	add := func(program string) *contamination.Function {
		f := last(t, h, program)
		records = recordOf(t, f).Append(records)
		return f
	}
	small, trivial := map[int]bool{}, 0
	for i, program := range originals {
		f := add(program)
		small[i] = len(f.Tokens) < duplicates.MinTokens
		if !index.Add("cruxeval", "original", f) {
			trivial++
		}
	}
	type count struct{ planted, found, of, contaminated int } // of: taken for near copies of another, such as of one that is embedded in the same way
	counts := map[string]*count{}
	for _, c := range copies {
		f := add(c.Code)
		n := counts[c.Kind]
		if n == nil {
			n = &count{}
			counts[c.Kind] = n
		}
		n.planted++
		if index.Match(f) != nil {
			n.contaminated++
		}
	}
	found := findCopies(t, records)
	wrong := 0
	for i := range originals {
		if first, kind := found.Of(i); kind != duplicates.First {
			wrong++
			t.Logf("%d is taken for a copy of %d:\n%s\n%s", i, first, originals[i], originals[first])
		}
	}
	for k, c := range copies {
		of, _ := found.Of(c.Of)
		switch first, kind := found.Of(len(originals) + k); {
		case first == of:
			counts[c.Kind].found++
		case kind == duplicates.Near:
			counts[c.Kind].of++
		}
	}
	tooSmall := 0
	for _, is := range small {
		if is {
			tooSmall++
		}
	}
	t.Logf("%d originals, of which %d are too small for near copies and %d for contamination; %d are taken for copies of one another",
		len(originals), tooSmall, trivial, wrong)
	// Percent. Copies all of one tree, near ones where they are large enough; and of benchmarks' functions all but the trivial ones.
	least := map[string]struct{ found, contaminated int }{
		"reformatted": {100, 90}, "renamed": {100, 90}, "commented": {100, 90}, "edited": {55, 65}, "shortened": {45, 50}, "embedded": {40, 65},
	}
	for _, kind := range []string{"reformatted", "renamed", "commented", "edited", "shortened", "embedded"} {
		n := counts[kind]
		t.Logf("%-12s %d planted, %d found as duplicates, %d as another's, %d as contamination", kind, n.planted, n.found, n.of, n.contaminated)
		want := least[kind]
		if n.found*100 < n.planted*want.found || n.contaminated*100 < n.planted*want.contaminated || n.of*20 > n.planted {
			t.Errorf("%s: too few are found, or too many as others", kind)
		}
	}
	if wrong > len(originals)/50 {
		t.Errorf("%d functions that are nobody's copy are taken for one", wrong)
	}
}

// TestNoContamination compares the quickstart's functions and CruxEval with one another.
func TestNoContamination(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a whole data set")
	}
	h := newLocal(t, interpreter(t))
	originals, _ := plantedCopies(t)
	index := contamination.New(contamination.Options{})
	for _, program := range originals {
		index.Add("cruxeval", "original", last(t, h, program))
	}
	compared, matched := 0, 0
	eachOfOthers(t, h, func(file string, f *contamination.Function) {
		compared++
		if m := index.Match(f); m != nil {
			matched++
			t.Logf("%s: %s\n%s", file, m, f.Text)
		}
	})
	t.Logf("%d of %d functions of others match one of CruxEval", matched, compared)
	if compared == 0 || matched > compared/100 {
		t.Error("too many")
	}
}

// TestNoCopies looks for near copies among functions that people have written for a standard library: those of one file may be alike, of two
// files few are.
func TestNoCopies(t *testing.T) {
	h := newLocal(t, interpreter(t))
	var records []byte
	var of, texts []string
	eachOfOthers(t, h, func(file string, f *contamination.Function) {
		records = recordOf(t, f).Append(records)
		of, texts = append(of, file), append(texts, f.Text)
	})
	found := findCopies(t, records)
	within, across := 0, 0
	for i := range of {
		switch first, kind := found.Of(i); {
		case kind != duplicates.Near:
		case of[i] == of[first]:
			within++
		default:
			across++
			t.Logf("%s is like %s:\n%s\n%s", of[i], of[first], texts[i], texts[first])
		}
	}
	t.Logf("of %d functions %d are nearly copies of others of their files, %d of those of other files", len(of), within, across)
	if len(of) == 0 || across > len(of)/200 {
		t.Error("too many")
	}
}

// eachOfOthers visits the functions of the quickstart and of files of the standard library.
func eachOfOthers(t *testing.T, h *Harvester, visit func(file string, f *contamination.Function)) {
	t.Helper()
	files, err := filepath.Glob("../pipelines/quickstart/*.py")
	must(t, err)
	out, err := exec.Command(interpreter(t), "-c", "import os; print(os.path.dirname(os.__file__), end='')").Output()
	must(t, err)
	library, err := filepath.Glob(filepath.Join(string(out), "*.py"))
	must(t, err)
	slices.Sort(library)
	for _, file := range append(files, library[:min(len(library), 80)]...) {
		text, err := os.ReadFile(file)
		must(t, err)
		functions, err := h.functions(t.Context(), string(text))
		must(t, err)
		for i := range functions {
			visit(file, &functions[i])
		}
	}
}

func recordOf(t *testing.T, f *contamination.Function) *duplicates.Record {
	t.Helper()
	r := &duplicates.Record{Tokens: uint32(len(f.Tokens)), Signature: *duplicates.Sign(f.Tokens)}
	_, err := hex.Decode(r.Tree[:], []byte(f.Tree))
	must(t, err)
	return r
}

func findCopies(t *testing.T, records []byte) *duplicates.Found {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records")
	must(t, os.WriteFile(path, records, 0o644))
	files, err := duplicates.OpenFiles([]string{path})
	must(t, err)
	defer files.Close()
	found, err := duplicates.Find(t.Context(), files, t.TempDir(), duplicates.Options{Exact: true, Near: true, Threshold: 0.85})
	must(t, err)
	return found
}
