package harvest

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPythonLiteral(t *testing.T) {
	for text, want := range map[string]string{
		`[1, 2.50, -0, 1e5]`:                 `[1, 2.50, -0, 1e5]`,
		`{"b": [true, false, null], "a": 1}`: `{'b': [True, False, None], 'a': 1}`,
		`"it's"`:                             `"it's"`,
		`"it's \"it\""`:                      `'it\'s "it"'`,
		`"a\tb\\n\u0000\u2028\ud83d\ude00é"`: `'a\tb\\n\x00\u2028😀é'`,
		` [ ] `:                              `[]`,
		`{}`:                                 `{}`,
	} {
		if got, err := pythonLiteral(json.RawMessage(text)); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", text, got, err, want)
		}
	}
	if _, err := pythonLiteral(json.RawMessage(`["\ud800"]`)); err == nil {
		t.Error("half of a surrogate pair is taken")
	}
	if got, err := pythonArguments(json.RawMessage(`{"a": 1}`)); err == nil {
		t.Errorf("an object is taken for arguments: %s", got)
	}
}

// TestPythonReadsLiterals: Python's reading of the literals is its reading of the JSON.
func TestPythonReadsLiterals(t *testing.T) {
	python := interpreter(t)
	var documents, literals []string
	value := rapid.Custom(func(t *rapid.T) any { return drawJSON(t, 3) })
	for i := range 300 {
		text, err := json.Marshal(value.Example(i))
		if err != nil {
			t.Fatal(err)
		}
		literal, err := pythonLiteral(text)
		if err != nil {
			t.Fatal(err)
		}
		documents, literals = append(documents, string(text)), append(literals, literal)
	}
	request, err := json.Marshal([2][]string{documents, literals})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, "-c", `import ast, json, sys
for text, literal in zip(*json.load(sys.stdin)):
    assert json.loads(text) == ast.literal_eval(literal), (text, literal)`)
	command.Stdin = strings.NewReader(string(request))
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func drawJSON(t *rapid.T, depth int) any {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.String().Draw(t, "text")
	case 1:
		return rapid.Int64().Draw(t, "number")
	case 2:
		return rapid.Float64Range(-1e300, 1e300).Draw(t, "float")
	case 3:
		return []any{true, false, nil}[rapid.IntRange(0, 2).Draw(t, "constant")]
	case 4:
		list := make([]any, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range list {
			list[i] = drawJSON(t, depth-1)
		}
		return list
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "size") {
		object[rapid.String().Draw(t, "key")] = drawJSON(t, depth-1)
	}
	return object
}

func TestDedent(t *testing.T) {
	for _, test := range []struct{ name, code, want string }{
		{"nothing to do", "def f():\n    return 1", "def f():\n    return 1"},
		{"one line", "def f(): return 1", "def f(): return 1"},
		{"deep", "def f(self):\n            x = 1\n\n            return x", "def f(self):\n    x = 1\n\n    return x"},
		{"over lines", "def f(a,\n              b):\n            return a", "def f(a,\n      b):\n    return a"},
		{"a comment behind the colon", "def f(a):  # type: (int) -> int\n        if a:\n            return a", "def f(a):  # type: (int) -> int\n    if a:\n        return a"},
		{"decorated", "@a(1)\n    @b\n    def f():\n        return 1", "@a(1)\n@b\ndef f():\n    return 1"},
		{"tabs", "def f():\n\t\tx = 1\n\t\treturn x", "def f():\n\tx = 1\n\treturn x"},
		{"two spaces", "def f():\n  return 1", "def f():\n  return 1"},
		{"carriage returns", "def f():\r\n        return 1\r\n", "def f():\n    return 1\n"},
		{"a string that begins at the margin", "def f():\n        '''a\nb'''\n        return 1", "def f():\n    '''a\nb'''\n    return 1"},
	} {
		if got := dedent(test.code); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}
