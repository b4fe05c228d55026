package harvest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tracemill/tracemill/harvest/secrets"
	"github.com/tracemill/tracemill/schema"
)

const (
	// maxTexts is how many texts of standard input a program is run with: problems have hundreds, which show its paths again and again.
	maxTexts = 10
	// maxTextBytes is the longest of them; every trajectory of theirs carries it.
	maxTextBytes = 16 << 10
)

// programs makes an item of each program, to be run with texts of standard input.
func programs(base Item, texts []string, inputs []Input) ([]Item, error) {
	if len(inputs) == 0 {
		return nil, columnErrorf(NoTests, "the problem has no tests that can be read")
	}
	base.Inputs = base.shortest(inputs)
	items, err := solutions(base, texts, schema.ModuleEntry)
	for i := range items {
		item := &items[i]
		item.Imports = false // sites import names for functions only
		if strings.TrimSpace(item.Text) == "" {
			item.fail(columnErrorf(NoProgram, "the solution is empty"))
		}
	}
	return items, err
}

// shortest is the first of a problem's texts that are short enough, and notes that others are not.
func (i *Item) shortest(inputs []Input) []Input {
	var kept []Input
	for _, input := range inputs {
		switch {
		case len(input.Stdin) > maxTextBytes:
			i.Left = append(i.Left, leftOut{TooLong, fmt.Sprintf("%d bytes of standard input, more than %d", len(input.Stdin), maxTextBytes)})
		case len(kept) < maxTexts:
			kept = append(kept, input)
		}
	}
	return kept
}

// stdin reads the columns of a program's standard input and of what it is to print, each a text or a list of texts.
func (c *SourceConfig) stdin(r record, item *Item) error {
	texts, err := r.list(c.Columns.Stdin)
	if err != nil {
		return err
	}
	var outputs []string
	if c.Columns.Output != "" {
		if outputs, err = r.list(c.Columns.Output); err != nil {
			return err
		}
	}
	inputs, err := pair(texts, outputs)
	if err != nil {
		return err
	}
	if len(inputs) == 0 {
		return columnErrorf(NoTests, "the row has no text of standard input")
	}
	item.Entry, item.Inputs = schema.ModuleEntry, item.shortest(inputs)
	return nil
}

// pair puts each text of standard input with what is printed for it. There may be no outputs at all.
func pair(texts, outputs []string) ([]Input, error) {
	if len(outputs) > 0 && len(outputs) != len(texts) {
		return nil, columnErrorf(ColumnType, "%d texts of standard input and %d outputs", len(texts), len(outputs))
	}
	inputs := make([]Input, len(texts))
	for i, text := range texts {
		inputs[i].Stdin = text
		if len(outputs) > 0 {
			inputs[i].Expected, inputs[i].HasExpected = outputs[i], true
		}
	}
	return inputs, nil
}

// joined is a text, or a list of lines as one text.
func joined(name string, raw json.RawMessage) (string, error) {
	if raw[0] != '[' {
		return jsonText(name, raw)
	}
	lines, err := jsonTexts(name, raw)
	return strings.Join(lines, "\n"), err
}

// program is the case of a program and one text, or why there is none.
func (r *Result) program(input *Input, f *schema.Function) (schema.Case, *leftOut) {
	c := schema.Case{Stdin: input.Stdin, Expected: input.Expected, HasExpected: input.HasExpected, Generator: "dataset"}
	if r.secrets == HandleDrop || r.secrets == HandleMask {
		masked, kinds := secrets.Mask(c.Stdin)
		switch {
		case len(kinds) > 0 && r.secrets == HandleDrop:
			return c, &leftOut{Secret, "standard input holds: " + kindNames(kinds)}
		case len(kinds) > 0:
			c.Stdin, c.Expected, c.HasExpected = masked, "", false
		}
	}
	c.Identify(f)
	return c, nil
}
