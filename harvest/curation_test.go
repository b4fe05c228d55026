package harvest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/harvest/contamination"
	"github.com/tracemill/tracemill/harvest/license"
	"github.com/tracemill/tracemill/schema"
)

// curated is an analyzer with a curation.
func curated(t *testing.T, c Curation) *Harvester {
	t.Helper()
	h := newLocal(t, interpreter(t))
	h.options.Curation = c.withDefaults()
	var err error
	if h.provenance, err = newProvenance(c); err != nil {
		t.Fatal(err)
	}
	return h
}

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestProvenance(t *testing.T) {
	out := written(t, "# who asked\nhttps://github.com/Owner/Name.git\npath:vendor/**\nid:row-7  # one\n")
	h := curated(t, Curation{OptOut: out, Licenses: license.Policy{Allow: []string{"MIT", "Apache-*"}, Unknown: license.Drop}})
	const f = "def f():\n    return 1\n"
	item := func(change func(*Item)) Item {
		i := row(f, "f", "")
		i.License = "MIT"
		change(&i)
		return i
	}
	for _, test := range []struct {
		name string
		item Item
		want string // the function's licence, or the reason of the drop
	}{
		{"the source's licence", item(func(*Item) {}), "MIT"},
		{"the file's own licence", item(func(i *Item) { i.Text = "# SPDX-License-Identifier: Apache-2.0\n" + f }), "Apache-2.0"},
		{"the file's own licence is not wanted", item(func(i *Item) { i.Text = "# SPDX-License-Identifier: GPL-3.0-only\n" + f }), "license_not_allowed"},
		{"no licence", item(func(i *Item) { i.License = "" }), "license_unknown"},
		{"a licence that is no expression", item(func(i *Item) { i.License = "MIT OR" }), "license_unknown"},
		{"another repository", item(func(i *Item) { i.Repo = "owner/other" }), "MIT"},
		{"a repository", item(func(i *Item) { i.Repo = "github.com/owner/name" }), "opted_out"},
		{"a path", item(func(i *Item) { i.Path = "vendor/a/b.py" }), "opted_out"},
		{"an id", item(func(i *Item) { i.ID = "row-7" }), "opted_out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			items := []Item{test.item}
			result, err := h.Harvest(t.Context(), items)
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, result)
			got := ""
			for _, u := range result.Units {
				got += u.Function.License
			}
			for _, d := range result.Drops {
				got += string(d.Reason)
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if items[0].Err != nil {
				t.Error("the caller's item is changed")
			}
		})
	}
}

// TestUnreadableLicence: what is no SPDX expression can be named in the config, and is unknown in the dataset.
func TestUnreadableLicence(t *testing.T) {
	of := func(expression string) Item {
		i := row("def f():\n    return 1\n", "f", "")
		i.License = expression
		return i
	}
	result, err := curated(t, Curation{Licenses: license.Policy{Deny: []string{"secret*"}}}).Harvest(t.Context(), []Item{of("MIT OR"), of("Secret Licence")})
	must(t, err)
	balanced(t, result)
	if len(result.Units) != 1 || result.Units[0].Function.License != "" || result.Drops[0].Reason != LicenseDenied {
		t.Errorf("%+v, %+v", result.Units, result.Drops)
	}
}

func TestOptOutOfFunctions(t *testing.T) {
	items := []Item{row("def f():\n    return 1\n", "f", ""), row("def f():\n    return 2\n", "f", "")}
	all, err := curated(t, Curation{}).Harvest(t.Context(), items)
	must(t, err)
	rest, err := curated(t, Curation{OptOut: written(t, "id:"+all.Units[0].Function.ID+"\n")}).Harvest(t.Context(), items)
	must(t, err)
	balanced(t, rest)
	if len(all.Units) != 2 || len(rest.Units) != 1 || rest.Units[0].Function.ID != all.Units[1].Function.ID || rest.Drops[0].Reason != OptedOut {
		t.Errorf("%+v", rest.Drops)
	}
}

func TestSecretsInPrograms(t *testing.T) {
	code := "def f(to='ann@firm.com'):\n    \"\"\"Mails bob@firm.com.\"\"\"\n    return to == 'ann@firm.com'\n"
	item := Item{Origin: schema.Origin{Path: "r"}, Text: code, Entry: "f", Inputs: []Input{
		{Args: "'ann@firm.com'", Expected: "True", HasExpected: true}, {Args: "1", Expected: "False", HasExpected: true},
	}}
	harvest := func(h Handling) *Result {
		result, err := curated(t, Curation{Secrets: Secrets{Source: h}}).Harvest(t.Context(), []Item{item})
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, result)
		return result
	}
	if kept := harvest(HandleKeep).Units[0]; kept.Function.Program != code {
		t.Errorf("kept: %s", kept.Function.Program)
	}
	masked := harvest(HandleMask).Units[0]
	if strings.Contains(masked.Function.Program+masked.Function.Doc+masked.Cases[0].Call, "firm.com") {
		t.Errorf("masked: %+v", masked)
	}
	address := strings.Split(masked.Cases[0].Call, "'")[1]
	if strings.Count(masked.Function.Program, address) != 2 {
		t.Errorf("%s is not what the program has: %s", address, masked.Function.Program)
	}
	if masked.Cases[0].HasExpected || !masked.Cases[1].HasExpected {
		t.Error("only the masked call is another one than the data set's")
	}
	dropped := harvest(HandleDrop)
	if len(dropped.Units) != 0 || dropped.Drops[0].Reason != Secret || !strings.Contains(dropped.Drops[0].Detail, "email") {
		t.Errorf("dropped: %+v", dropped.Drops)
	}
}

// TestSlicesWithoutSecrets: of a module with a secret, the slices that have none are kept, and are not checked against it.
func TestSlicesWithoutSecrets(t *testing.T) {
	h := curated(t, Curation{Secrets: Secrets{Source: HandleDrop}})
	h.options.Slice, h.options.SliceCheck = SliceMinimal, true
	code := "OWNER = 'ann@firm.com'\n\ndef f(x):\n    return x + 1\n\ndef g():\n    return OWNER\n\nassert f(1) == 2\nassert g()\n"
	result, err := h.Harvest(t.Context(), []Item{{Origin: schema.Origin{Path: "a.py"}, Source: []byte(code)}})
	must(t, err)
	balanced(t, result)
	if len(result.Units) != 1 || result.Units[0].Function.Entry != "f" || result.Units[0].Whole != nil {
		t.Errorf("%+v", result)
	}
}

func TestBenchmarks(t *testing.T) {
	const solution = "def solve(values):\n    total = 0\n    for value in values:\n        if value % 2:\n            total += value * 3\n    return total\n"
	h := curated(t, Curation{
		Decontaminate: []SourceConfig{{Path: writtenAs(t, "b.py", solution+"\ndef trivial(x): return x\n")}},
		Contamination: Contamination{Allow: written(t, "def any(a, b):\n    result = []\n    for x in a:\n        result.append(x + b)\n    return result\n")},
	})
	index, err := h.Benchmarks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if index.Len() != 1 {
		t.Errorf("%d functions, want 1", index.Len())
	}
	match := func(text string) string {
		functions, err := h.functions(t.Context(), text)
		if err != nil || len(functions) != 1 {
			t.Fatal(functions, err)
		}
		if m := index.Match(&functions[0]); m != nil {
			return string(m.Kind)
		}
		return ""
	}
	renamed := strings.NewReplacer("solve", "g", "total", "t", "values", "xs", "value", "x").Replace(solution)
	for _, test := range []struct{ name, text, want string }{
		{"the same", solution, string(contamination.Exact)},
		{"renamed", renamed, string(contamination.Tree)},
		{"with comments and a docstring", strings.Replace(renamed, "    t = 0", "    '''Adds.'''\n    # from none\n    t = 0", 1), string(contamination.Tree)},
		{"inside another", strings.Replace(renamed, "    return t", "    with open('log') as out:\n        out.write(str(t))\n    return [t]", 1), string(contamination.NGram)},
		{"another", "def f(text):\n    words = text.split()\n    return {w: words.count(w) for w in words if len(w) > 3}\n", ""},
	} {
		if got := match(test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func writtenAs(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCurationMistakes(t *testing.T) {
	for field, c := range map[string]Curation{
		"licenses.unknown":     {Licenses: license.Policy{Unknown: "x"}},
		"duplicates.exact":     {Duplicates: Duplicates{Exact: "x"}},
		"duplicates.threshold": {Duplicates: Duplicates{Threshold: 2}},
		"secrets.values":       {Secrets: Secrets{Values: "x"}},
		"contamination":        {Contamination: Contamination{Options: contamination.Options{Overlap: 2}}},
		"decontaminate[0]":     {Decontaminate: []SourceConfig{{Path: "x.jsonl", Preset: "x"}}},
	} {
		if err := c.validate(); err == nil || !strings.HasPrefix(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := (Curation{}).validate(); err != nil {
		t.Error(err)
	}
}

func TestEveryReasonIsDescribed(t *testing.T) {
	for _, reason := range []Reason{OptedOut, LicenseDenied, LicenseNotAllowed, LicenseUnknown, Secret, DuplicateExact, DuplicateNear, Contaminated, NotSurveyed} {
		if !slices.ContainsFunc(Reasons, func(r struct {
			Reason Reason
			Text   string
		}) bool {
			return r.Reason == reason
		}) {
			t.Errorf("%s is not described", reason)
		}
	}
}
