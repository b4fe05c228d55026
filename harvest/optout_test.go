package harvest

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

func TestOptOutMistakes(t *testing.T) {
	for entry, want := range map[string]string{
		"a b":             "is no repository",
		"owner":           "is no repository",
		"https://":        "is no repository",
		"owner/na me":     "is no repository",
		"owner/*":         "is no repository",
		"path:[":          "syntax error in pattern",
		"path:":           "the prefix path: has nothing behind it",
		"id: # which":     "the prefix id: has nothing behind it",
		"paths:vendor/**": "no prefix paths:; there are: path:GLOB, id:ID",
		"PATH:vendor/**":  "no prefix PATH:",
		"wat:o/p":         "no prefix wat:",
		":o/p":            "no prefix :",
	} {
		file := written(t, "# list\r\no/p\r\n"+entry+"\r\n")
		_, err := newProvenance(Curation{OptOut: file})
		var mistake *ConfigError
		if !errors.As(err, &mistake) || mistake.Field != "opt_out" || !strings.Contains(err.Error(), file+":3: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", entry, err, want)
		}
	}
	if _, err := newProvenance(Curation{OptOut: "nowhere"}); err == nil {
		t.Error("a file that is not there is read")
	}
}

func TestOptOutRepositories(t *testing.T) {
	for _, entry := range []string{
		"\ufeffowner/name", "github.com/Owner/Name", "https://github.com/owner/name.git", "https://user:x@github.com/owner/name/", "git@github.com:owner/name.git",
		"ssh://git@github.com:22/owner/name", "localhost:3000/owner/name", "gitlab.com/group/owner/name",
	} {
		o, err := parseOptOut(entry)
		must(t, err)
		if reason, _ := o.item(&Item{Origin: schema.Origin{Repo: "github.com/owner/name", Path: "a.py"}}); reason == "" {
			t.Errorf("%s does not leave it out", entry)
		}
	}
}

func TestUnusedOptOuts(t *testing.T) {
	c := Curation{OptOut: written(t, "o/p\npath:**/b.py\nid:7\nid:8\npath:c/*.py\no/p\n")}
	i := row("def f():\n    return 1\n", "f", "")
	i.Origin = schema.Origin{Repo: "o/p", Path: "a/b.py"}
	j := i
	j.Origin, j.ID = schema.Origin{Repo: "o/q", Path: "a/c.py"}, "7"
	result, err := curated(t, c).Harvest(t.Context(), []Item{i, i, j})
	must(t, err)
	if want := map[string]int{"opt_out.1": 2, "opt_out.2": 2, "opt_out.3": 1}; !maps.Equal(result.Facts, want) {
		t.Errorf("%v, want %v", result.Facts, want)
	}
	lines, err := c.UnusedOptOuts(func(string) map[string]int64 { return map[string]int64{"1": 2, "2": 2, "3": 1} })
	if must(t, err); !slices.Equal(lines, []int{4, 5}) {
		t.Errorf("lines %v, want 4 and 5", lines)
	}
}
