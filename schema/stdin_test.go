package schema

import (
	"strings"
	"testing"
)

func TestAppendStdin(t *testing.T) {
	const program = "print(input())\n"
	for _, test := range []struct{ name, program, stdin, want string }{
		{"lines", program, "1 2\n3\n", program + "\n# stdin: \"1 2\\n\"\n# stdin: \"3\\n\"\n"},
		{"no line end at the end", program, "1\n2", program + "\n# stdin: \"1\\n\"\n# stdin: \"2\"\n"},
		{"nothing", program, "", program + "\n# stdin: \"\"\n"},
		{"an empty line", program, "\n", program + "\n# stdin: \"\\n\"\n"},
		{"carriage returns", program, "a\r\nb\rc", program + "\n# stdin: \"a\\r\\n\"\n# stdin: \"b\\rc\"\n"},
		{"quotes and others", program, "\"\\\x00\x1f\t\f", program + "\n# stdin: \"\\\"\\\\\\u0000\\u001f\\t\\f\"\n"},
		{"not ASCII", program, "é\u2028\U0001F600\x7f\ufeff", program + "\n# stdin: \"é\u2028\U0001F600\x7f\ufeff\"\n"},
		{"a special token", program, "<|line_sep|> < |", program + "\n# stdin: \"\\u003c|line_sep|> < |\"\n"},
		{"a comment of its own", "x = 1\n# stdin: \"old\"\n", "new", "x = 1\n# stdin: \"old\"\n\n# stdin: \"new\"\n"},
		{"no program", "", "1", "# stdin: \"1\"\n"},
	} {
		got := AppendStdin(test.program, test.stdin)
		if got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
		if program, stdin, ok := CutStdin(got); !ok || program != test.program || stdin != test.stdin {
			t.Errorf("%s: cut to %q, %q, %v", test.name, program, stdin, ok)
		}
	}
	if got := AppendStdin("x = 1", ""); got != "x = 1\n\n# stdin: \"\"\n" {
		t.Errorf("a program whose last line has no end: %q", got)
	}
}

func TestCutStdinRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no input":               "x = 1\n",
		"nothing":                "",
		"no empty line":          "x = 1\n# stdin: \"1\"\n",
		"no string":              "x = 1\n\n# stdin: 1\n",
		"no end":                 "x = 1\n\n# stdin: \"1\"",
		"an escape too many":     "x = 1\n\n# stdin: \"\\u0041\"\n",
		"two lines in one":       "x = 1\n\n# stdin: \"1\\n2\"\n",
		"one line in two":        "x = 1\n\n# stdin: \"1\"\n# stdin: \"2\"\n",
		"an empty one too many":  "x = 1\n\n# stdin: \"1\\n\"\n# stdin: \"\"\n",
		"half of a pair":         "x = 1\n\n# stdin: \"\\ud800\"\n",
		"something after it":     "x = 1\n\n# stdin: \"1\"\ny = 1\n",
		"space behind the quote": "x = 1\n\n# stdin: \"1\" \n",
	} {
		if program, stdin, ok := CutStdin(text); ok {
			t.Errorf("%s: taken for %q, %q", name, program, stdin)
		}
	}
}

// FuzzStdin: whatever a text holds, it is read back as it was, no line of it is Python, and what is cut is what is appended.
func FuzzStdin(f *testing.F) {
	for _, seed := range []string{"", "\n", "1\n2", "a\r\n\r", "# stdin: \"\"\n", "<|frame_sep|>", "\u2028\x0b\x0c\\"} {
		f.Add("print(input())\n", seed)
	}
	f.Fuzz(func(t *testing.T, program, stdin string) {
		program, stdin = strings.ToValidUTF8(program, "?"), strings.ToValidUTF8(stdin, "?")
		if program != "" && !strings.HasSuffix(program, "\n") {
			program += "\n"
		}
		text := AppendStdin(program, stdin)
		gotProgram, gotStdin, ok := CutStdin(text)
		if !ok || gotProgram != program || gotStdin != stdin {
			t.Fatalf("%q and %q make %q, which is cut to %q and %q, %v", program, stdin, text, gotProgram, gotStdin, ok)
		}
		appended, ok := strings.CutPrefix(text, program)
		if !ok {
			t.Fatalf("%q does not begin with the program", text)
		}
		for _, line := range Lines(appended) {
			if line != "" && !strings.HasPrefix(line, "#") || strings.ContainsAny(line, "\r\x00") {
				t.Fatalf("a line that is no comment: %q", line)
			}
		}
	})
}

// TestCaseID: a text on standard input is no call, and the empty one is a case like any other.
func TestCaseID(t *testing.T) {
	f := &Function{Program: "print(input())\n", Entry: ModuleEntry}
	f.Identify()
	seen := map[string]string{}
	for _, c := range []Case{{Stdin: ""}, {Stdin: "1"}, {Stdin: "1\n"}, {Call: "1"}} {
		c.Identify(f)
		if was, there := seen[c.ID]; there {
			t.Errorf("%s and %s have one id", was, c.String())
		}
		seen[c.ID] = c.String()
	}
}
