package harvest

import (
	"regexp"
	"strings"
)

// mbppPlus reads MBPP+ as it is on Hugging Face, with its inputs in the text of test, or as EvalPlus releases it, with JSON
// and without an entry point's asserts.
func mbppPlus(c *SourceConfig, r record, base Item) ([]Item, error) {
	items, err := plain(c, r, base)
	if err != nil || !r.has("test") {
		return items, err
	}
	texts, err := r.texts("test")
	if err != nil {
		return nil, err
	}
	items[0].Tests = append(items[0].Tests, texts...)
	return items, nil
}

// leetCode reads rows of programs that a site runs with imports of its own.
func leetCode(c *SourceConfig, r record, base Item) ([]Item, error) {
	base.Imports = true
	return plain(c, r, base)
}

var method = regexp.MustCompile(`^\s*(?:async\s+)?def\s+\w+\s*\(\s*(?:self|cls)\b`)

// codeSearchNet reads a function that was cut out of its file: there are no imports and no globals, and a method has no class.
func codeSearchNet(c *SourceConfig, r record, base Item) ([]Item, error) {
	code, err := r.text(c.Columns.Code)
	if err != nil {
		return nil, err
	}
	base.Text = dedent(code)
	name := r.fact("func_name")
	def := base.Text
	for strings.HasPrefix(def, "@") {
		_, def, _ = strings.Cut(def, "\n")
	}
	if strings.Contains(name, ".") && method.MatchString(def) {
		return nil, columnErrorf(CutOut, "%s is a method without its class", name)
	}
	return []Item{base}, nil
}

var headerEnd = regexp.MustCompile(`:\s*(#.*)?$`)

// dedent moves a definition that was cut out of deeper code to the margin, where its first line is already. Lines that are
// less deep than the definition are inside of strings, and stay.
func dedent(code string) string {
	code = strings.ReplaceAll(strings.ReplaceAll(code, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(code, "\n")
	margin := ""
	for i, line := range lines[1:] {
		rest := strings.TrimLeft(line, " \t")
		if rest == "" {
			continue
		}
		indent := line[:len(line)-len(rest)]
		if strings.HasPrefix(lines[0], "@") && (rest[0] == '@' || strings.HasPrefix(rest, "def ") || strings.HasPrefix(rest, "async def ")) {
			margin = indent
			break
		}
		if !strings.HasPrefix(lines[0], "@") && headerEnd.MatchString(lines[i]) {
			// The body's first line is one step deeper than the definition.
			for _, step := range []string{"    ", "\t"} {
				if strings.HasSuffix(indent, step) {
					margin = strings.TrimSuffix(indent, step)
				}
			}
			break
		}
	}
	if margin == "" {
		return code
	}
	for i, line := range lines {
		if i > 0 {
			lines[i] = strings.TrimPrefix(line, margin)
		}
	}
	return strings.Join(lines, "\n")
}
