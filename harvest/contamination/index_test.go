package contamination

import (
	"fmt"
	"strings"
	"testing"
)

// text is a function of some words.
func text(words string) *Function {
	return &Function{Text: words, Tree: words, Tokens: strings.Fields(words)}
}

func words(name string, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(name, i))
	}
	return strings.Join(list, " ")
}

func TestMatch(t *testing.T) {
	x := New(Options{})
	allowed := text("allowed " + words("a", 40))
	x.Allow(allowed)
	for of, f := range map[string]*Function{"one": text(words("one", 60)), "two": text(words("two", 60))} {
		if !x.Add("words", of, f) {
			t.Fatal(of, "is not taken")
		}
	}
	if x.Add("words", "trivial", text("return x + 1")) || x.Add("words", "allowed", allowed) || x.Len() != 2 {
		t.Error("a function is taken that is trivial or allowed")
	}
	renamed := text(words("one", 60))
	renamed.Text = "other"
	for _, test := range []struct {
		name string
		f    *Function
		want string
	}{
		{"the same text", text(strings.ReplaceAll(words("one", 60), " ", "\n\t")), "exact match of one"},
		{"the same tree", renamed, "tree match of one"},
		{"with more around it", text(words("x", 30) + " " + words("two", 60) + " " + words("y", 30)), "n-gram match of two: 100 % of the runs"},
		{"a part of it", text(words("two", 40)), "n-gram match of two: 100 % of the runs"},
		{"half of it, and something else", text(words("two", 36) + " " + words("y", 24)), "n-gram match of two: 50 % of the runs"},
		{"a third of it, and something else", text(words("two", 30) + " " + words("y", 30)), ""},
		{"something else", text(words("three", 60)), ""},
		{"a trivial function", text(words("one", 13)), ""},
		{"an allowed function", allowed, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if m := x.Match(test.f); m != nil {
				got = m.String()
				if m.Benchmark != "words" {
					t.Errorf("benchmark %q", m.Benchmark)
				}
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	if err := (Options{}).Validate(); err != nil {
		t.Error(err)
	}
	for _, o := range []Options{{NGram: -1}, {Overlap: 1.5}, {MinTokens: -1}} {
		if o.Validate() == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
