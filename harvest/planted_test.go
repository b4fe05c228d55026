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
		r := duplicates.Record{Tokens: uint32(len(f.Tokens)), Signature: *duplicates.Sign(f.Tokens)}
		_, err := hex.Decode(r.Tree[:], []byte(f.Tree))
		must(t, err)
		records = r.Append(records)
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
	type count struct{ planted, found, contaminated int }
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
	path := filepath.Join(t.TempDir(), "records")
	must(t, os.WriteFile(path, records, 0o644))
	files, err := duplicates.OpenFiles([]string{path})
	must(t, err)
	defer files.Close()
	found, err := duplicates.Find(t.Context(), files, t.TempDir(), duplicates.Options{Exact: true, Near: true, Threshold: 0.85})
	must(t, err)
	wrong := 0
	for i := range originals {
		if first, kind := found.Of(i); kind != duplicates.First {
			wrong++
			t.Logf("%d is taken for a copy of %d:\n%s\n%s", i, first, originals[i], originals[first])
		}
	}
	for k, c := range copies {
		if first, _ := found.Of(len(originals) + k); first == c.Of || first < len(originals) {
			counts[c.Kind].found++
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
	for _, kind := range []string{"reformatted", "renamed", "commented", "edited", "embedded"} {
		n := counts[kind]
		t.Logf("%-12s %d planted, %d found as duplicates, %d as contamination", kind, n.planted, n.found, n.contaminated)
		// Copies all of one tree, near ones where they are large enough; and of benchmarks' functions all but the trivial ones.
		duplicates, contaminated := n.planted, n.planted*9/10
		if kind == "edited" || kind == "embedded" {
			duplicates, contaminated = 0, n.planted*65/100
		}
		if n.found < duplicates || n.contaminated < contaminated {
			t.Errorf("%s: too few are found", kind)
		}
	}
	if wrong > len(originals)/50 {
		t.Errorf("%d functions that are nobody's copy are taken for one", wrong)
	}
}

// TestNoContamination compares the quickstart's functions and CruxEval with one another.
func TestNoContamination(t *testing.T) {
	h := newLocal(t, interpreter(t))
	originals, _ := plantedCopies(t)
	index := contamination.New(contamination.Options{})
	for _, program := range originals {
		index.Add("cruxeval", "original", last(t, h, program))
	}
	files, err := filepath.Glob("../pipelines/quickstart/*.py")
	must(t, err)
	out, err := exec.Command(interpreter(t), "-c", "import os; print(os.path.dirname(os.__file__), end='')").Output()
	must(t, err)
	library, err := filepath.Glob(filepath.Join(string(out), "*.py"))
	must(t, err)
	slices.Sort(library)
	compared, matched := 0, 0
	for _, file := range append(files, library[:min(len(library), 80)]...) {
		text, err := os.ReadFile(file)
		must(t, err)
		functions, err := h.functions(t.Context(), string(text))
		must(t, err)
		for i := range functions {
			compared++
			if m := index.Match(&functions[i]); m != nil {
				matched++
				t.Logf("%s: %s\n%s", file, m, functions[i].Text)
			}
		}
	}
	t.Logf("%d of %d functions of others match one of CruxEval", matched, compared)
	if compared == 0 || matched > compared/100 {
		t.Error("too many")
	}
}
