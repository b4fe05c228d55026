package harvest

import (
	"errors"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

func TestFilters(t *testing.T) {
	const plain = "def f(a, b, *, c=1):\n    '''Doc.'''\n    for x in a:\n        b += x\n    return b\n"
	h := newLocal(t, interpreter(t)) // one for all: the filters go with each request
	for _, test := range []struct {
		name    string
		filters Filters
		code    string
		entry   string
		want    string // reason, or the detail's beginning behind it; "" when it is kept
	}{
		{"nothing is asked for", Filters{}, "import os, nowhere\ndef f(): os.system('x')\n", "f", ""},
		{"lines within", Filters{MaxLines: 5}, plain, "f", ""},
		{"lines", Filters{MaxLines: 4}, plain, "f", "too_many_lines: 5 lines, more than 4"},
		{"decorators are lines", Filters{MaxLines: 5}, "@(lambda f: f)\n" + plain, "f", "too_many_lines: 6 lines"},
		{"statements within", Filters{MaxStatements: 3, MinStatements: 3}, plain, "f", ""},
		{"many statements", Filters{MaxStatements: 2}, plain, "f", "too_many_statements: 3 statements"},
		{"few statements", Filters{MinStatements: 4}, plain, "f", "too_few_statements: 3 statements"},
		{"arguments within", Filters{MaxArguments: 3}, plain, "f", ""},
		{"arguments", Filters{MaxArguments: 2}, plain, "f", "too_many_arguments: 3"},
		{"the object is no argument", Filters{MaxArguments: 1}, "class C:\n    def m(self, a): return a\n", "C.m", ""},
		{"a static method has none", Filters{MaxArguments: 1}, "class C:\n    @staticmethod\n    def m(a, b): return a\n", "C.m", "too_many_arguments: 2"},
		{"standard library", Filters{Imports: []string{"stdlib"}}, "import os.path, json\nfrom collections import abc\n" + plain, "f", ""},
		{"beyond it", Filters{Imports: []string{"stdlib"}}, "import os, nowhere.sub\n" + plain, "f", "import_not_allowed: nowhere.sub"},
		{"named", Filters{Imports: []string{"stdlib", "nowhere"}}, "import os, nowhere.sub\n" + plain, "f", ""},
		{"relative", Filters{Imports: []string{"image"}}, "from . import x\n" + plain, "f", "import_not_allowed: ."},
		{"of the image", Filters{Imports: []string{"image"}}, "import json, nowhere\n" + plain, "f", "import_not_allowed: nowhere"},
		{"in a function", Filters{Imports: []string{"stdlib"}}, "def f():\n    import nowhere\n", "f", "import_not_allowed: nowhere"},
		{"done without", Filters{Imports: []string{"stdlib"}}, "try:\n    import nowhere\nexcept ImportError:\n    nowhere = None\n" + plain, "f", ""},
		{"for type checkers", Filters{Imports: []string{"stdlib"}}, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import nowhere\n" + plain, "f", ""},
		{"network", Filters{Ban: []string{"network"}}, "from urllib import request as r\ndef f(): return r.urlopen('x')\n", "f", "banned_call: network: urllib.request.urlopen"},
		{"files", Filters{Ban: []string{"files"}}, "def f(): return open('x')\n", "f", "banned_call: files: open"},
		{"its own open", Filters{Ban: []string{"files"}}, "def open(x): return x\ndef f(): return open('x')\n", "f", ""},
		{"a path", Filters{Ban: []string{"files"}}, "from pathlib import Path\ndef f(p): return (Path(p) / 'x').read_text()\n", "f", "banned_call: files: pathlib.Path.read_text"},
		{"by another name", Filters{Ban: []string{"subprocess"}}, "import os as o\nrun = o.system\ndef g(): run('x')\ndef f(): return g()\n", "f", "banned_call: subprocess: os.system"},
		{"not reached", Filters{Ban: []string{"subprocess"}}, "import os\ndef g(): os.system('x')\ndef f(): return 1\n", "f", ""},
		{"input", Filters{Ban: []string{"input"}}, "import sys\ndef f(): return [l for l in sys.stdin]\n", "f", "banned_call: input: sys.stdin"},
		{"sleep", Filters{Ban: []string{"sleep"}}, "from time import sleep as s\ndef f(): s(1)\n", "f", "banned_call: sleep: time.sleep"},
		{"threads", Filters{Ban: []string{"threads"}}, "import threading\ndef f(): threading.Thread()\n", "f", "banned_call: threads: threading.Thread"},
		{"another kind", Filters{Ban: []string{"threads"}}, "import time\ndef f(): time.sleep(1)\n", "f", ""},
		{"docstring", Filters{DocstringOnly: true}, "def f():\n    '''Doc.'''\n", "f", "docstring_only"},
		{"docstring and dots", Filters{DocstringOnly: true}, "def f():\n    '''Doc.'''\n    ...\n", "f", "docstring_only"},
		{"pass is no docstring", Filters{DocstringOnly: true}, "def f():\n    pass\n", "f", ""},
		{"pass", Filters{Trivial: true}, "def f():\n    pass\n", "f", "trivial_body: an empty body"},
		{"a constant", Filters{Trivial: true}, "def f():\n    return -1\n", "f", "trivial_body: it only returns"},
		{"an attribute", Filters{Trivial: true}, "def f(x):\n    return x.y.z\n", "f", "trivial_body: it only returns"},
		{"raises", Filters{Trivial: true}, "def f(x):\n    raise ValueError(x)\n", "f", "trivial_body: it only raises"},
		{"hands on", Filters{Trivial: true}, "def f(*a, **k):\n    return g.h(*a, **k)\n", "f", "trivial_body: it only calls"},
		{"computes", Filters{Trivial: true}, "def f(x):\n    return x + 1\n", "f", ""},
		{"computes what it hands on", Filters{Trivial: true}, "def f(x):\n    return abs(x + 1)\n", "f", ""},
		{"a head that says so", Filters{Generated: true}, "# Generated by the compiler. DO NOT EDIT!\n" + plain, "f", "generated: its head says"},
		{"a docstring that says so", Filters{Generated: true}, "\"\"\"Tables.\n\nThis file is automatically generated.\n\"\"\"\n" + plain, "f", "generated: its head says"},
		{"a body that speaks of it", Filters{Generated: true}, plain + "# do not edit\n", "f", ""},
		{"a long line", Filters{Generated: true}, plain + "X = '" + strings.Repeat("x", 1000) + "'\n", "f", "generated: a line of"},
		{"long lines", Filters{Generated: true}, plain + strings.Repeat("X = '"+strings.Repeat("x", 300)+"'\n", 20), "f", "generated: 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h.options.Filters = test.filters
			result, err := h.Harvest(t.Context(), []Item{row(test.code, test.entry, "")})
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, result)
			got := dropped(result)
			if (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestGeneratedByName(t *testing.T) {
	rt := &localRuntime{python: interpreter(t), dir: t.TempDir()}
	item := row("def f(): return 1\n", "f", "")
	item.Origin = schema.Origin{Path: "a/b/message_pb2.py"}
	result, err := newHarvester(t, rt, Options{Filters: Filters{Generated: true}}).Harvest(t.Context(), []Item{item})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Drops) != 1 || result.Drops[0].Reason != GeneratedCode || result.Drops[0].Detail != "its name is *_pb2.py" {
		t.Errorf("drops: %v", result.Drops)
	}
}

func TestOptionsErrors(t *testing.T) {
	for field, o := range map[string]Options{
		"slice":                  {Slice: "half"},
		"filters.max_lines":      {Filters: Filters{MaxLines: -1}},
		"filters.min_statements": {Filters: Filters{MinStatements: 3, MaxStatements: 2}},
		"filters.ban":            {Filters: Filters{Ban: []string{"files", "luck"}}},
	} {
		var config *ConfigError
		if err := o.Validate(); !errors.As(err, &config) || config.Field != field {
			t.Errorf("%s: the error is %v", field, err)
		}
	}
	if err := (Options{Filters: Filters{MinStatements: 3, MaxStatements: 3, Ban: banKinds}}).Validate(); err != nil {
		t.Error(err)
	}
}

// dropped is the reasons and details of all that a result leaves out.
func dropped(result *Result) string {
	var all strings.Builder
	for _, d := range result.Drops {
		all.WriteString(string(d.Reason) + ": " + d.Detail)
	}
	return all.String()
}
