package actions

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

var update = flag.Bool("update", false, "rewrite the expected states of testdata/*.txt")

func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f := parseFixture(t, string(text))
			tree := f.tree(t)
			if len(f.walks) == 0 {
				t.Fatal("the fixture has no walk")
			}
			got := make([][]string, len(f.walks))
			for n, w := range f.walks {
				got[n] = runWalk(t, tree, w.header)
				if !*update && !slices.Equal(got[n], w.want) {
					t.Errorf("%s:%d: walk %s\n got:\n\t%s\nwant:\n\t%s", file, w.line+1, w.header,
						strings.Join(got[n], "\n\t"), strings.Join(w.want, "\n\t"))
				}
			}
			if *update {
				rewrite(t, file, string(text), f.walks, got)
			}
		})
	}
}

// runWalk makes the walk that a header asks for: DIRECTION [KEY=VALUE...]: ACTION...
func runWalk(t *testing.T, tree *Tree, header string) []string {
	t.Helper()
	head, actions, _ := strings.Cut(header, ":")
	words := strings.Fields(head)
	opts, start, horizons := DefaultOptions(), int32(0), false
	direction := schema.Direction(words[0])
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "semantics":
			opts.Semantics = value
		case "tombstones":
			opts.Tombstones = value == "true"
		case "start":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			start = int32(n)
		case "horizons":
			horizons = true
		default:
			t.Fatalf("walk %q: key %q", header, key)
		}
	}
	list, impossible := parseActions(t, tree, opts, direction, start, actions)
	if impossible { // the last one, and only that
		if _, err := tree.Follow(opts, direction, start, list[:len(list)-1]); err != nil {
			t.Fatalf("walk %q: %v", header, err)
		}
	}
	w, err := tree.Follow(opts, direction, start, list)
	if impossible {
		if err == nil {
			return []string{"possible"}
		}
		return []string{"impossible"}
	}
	if err != nil {
		t.Fatalf("walk %q: %v", header, err)
	}
	return formatWalk(w, horizons)
}

func formatWalk(w *Walk, horizons bool) []string {
	d := w.Document()
	var out []string
	for n := range d.States {
		line := formatState(&d.States[n])
		if horizons && n < len(w.Horizons) {
			line += fmt.Sprintf(" skips %d", w.Horizons[n])
		}
		out = append(out, line)
	}
	return append(out, "exit "+string(d.Exit))
}

// parseActions reads actions parted by commas: a word and, of break, a line number; "into*" goes on to the exit, and
// "WORD!" must not be possible.
func parseActions(t *testing.T, tree *Tree, opts Options, d schema.Direction, start int32, text string) (list []schema.Action, impossible bool) {
	t.Helper()
	for _, item := range strings.Split(text, ",") {
		words := strings.Fields(item)
		if len(words) == 0 {
			continue
		}
		word, all := strings.CutSuffix(words[0], "*")
		word, impossible = strings.CutSuffix(word, "!")
		kind, ok := actionWords[word]
		if d == schema.Inverse {
			kind, ok = inverseWords[word]
		}
		if !ok {
			t.Fatalf("action %q", item)
		}
		a := schema.Action{Kind: kind}
		if kind == schema.Breakpoint {
			n, err := strconv.Atoi(words[1])
			if err != nil {
				t.Fatal(err)
			}
			a.Arg = tree.code.line(int32(n))
		}
		list = append(list, a)
		for all {
			w, err := tree.Follow(opts, d, start, list)
			if err != nil {
				list = list[:len(list)-1]
				break
			}
			if w.Exit != schema.ExitCut {
				break
			}
			list = append(list, a)
		}
	}
	return list, impossible
}

func rewrite(t *testing.T, file, text string, walks []fixtureWalk, got [][]string) {
	lines := strings.Split(text, "\n")
	end := len(lines)
	for n := len(walks) - 1; n >= 0; n-- {
		block := []string{lines[walks[n].line]}
		for _, line := range got[n] {
			block = append(block, "  "+line)
		}
		tail := lines[end:]
		for k := end - 1; k > walks[n].line && (lines[k] == "" || strings.HasPrefix(lines[k], "#")); k-- {
			tail = lines[k:]
		}
		lines = append(append(slices.Clone(lines[:walks[n].line]), block...), tail...)
		end = walks[n].line
	}
	if err := os.WriteFile(file, []byte(strings.TrimRight(strings.Join(lines, "\n"), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
