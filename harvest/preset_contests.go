package harvest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// maxSolutions is how many programs of one problem are taken: some have hundreds, which do the same.
const maxSolutions = 10

// ioTests is how APPS writes a problem's tests.
type ioTests struct {
	Inputs  []json.RawMessage `json:"inputs"`
	Outputs []json.RawMessage `json:"outputs"`
	Name    string            `json:"fn_name"`
}

// apps reads a row of APPS: its programs and its tests are JSON in strings, and an empty string stands for none.
func apps(_ *SourceConfig, r record, base Item) ([]Item, error) {
	var found []string
	var tests ioTests
	if !r.has("solutions") {
		return nil, columnErrorf(NoProgram, "the problem has no solution")
	}
	if err := r.inner("solutions", &found); err != nil {
		return nil, err
	}
	if !r.has("input_output") {
		return nil, columnErrorf(NoTests, "the problem has no tests")
	}
	if err := r.inner("input_output", &tests); err != nil {
		return nil, err
	}
	if tests.Name == "" {
		inputs, err := tests.texts()
		if err != nil {
			return nil, err
		}
		return programs(base, found, inputs)
	}
	unwrap := len(tests.Outputs) > 0 && !slices.ContainsFunc(tests.Outputs, func(raw json.RawMessage) bool { return !isSingleton(raw) })
	for i, raw := range tests.Inputs {
		args, err := pythonArguments(raw)
		if err != nil {
			return nil, err
		}
		input := Input{Args: args}
		if i < len(tests.Outputs) {
			if input.Expected, err = pythonLiteral(tests.Outputs[i]); err != nil {
				return nil, err
			}
			if unwrap {
				// Most of the data set has each output in a list of one.
				input.Expected = input.Expected[1 : len(input.Expected)-1]
			}
			input.HasExpected = true
		}
		base.Inputs = append(base.Inputs, input)
	}
	return solutions(base, found, tests.Name)
}

// texts are the tests of a program that reads its standard input: each a text, or a list of its lines.
func (t *ioTests) texts() ([]Input, error) {
	var texts, outputs []string
	for i, raw := range t.Inputs {
		text, err := joined(fmt.Sprintf("inputs[%d]", i), raw)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	for i, raw := range t.Outputs {
		text, err := joined(fmt.Sprintf("outputs[%d]", i), raw)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, text)
	}
	return pair(texts, outputs)
}

func isSingleton(raw json.RawMessage) bool {
	var list []json.RawMessage
	return json.Unmarshal(raw, &list) == nil && len(list) == 1
}

// solutions makes an item of each program, with the same inputs.
func solutions(base Item, programs []string, function string) ([]Item, error) {
	if len(programs) == 0 {
		return nil, columnErrorf(NoProgram, "the problem has no solution")
	}
	var items []Item
	for i, program := range programs[:min(len(programs), maxSolutions)] {
		item := base
		item.Text, item.Entry, item.Imports = program, entryOf(program, function), true
		if len(programs) > 1 {
			item.ID = fmt.Sprintf("%s, solution %d", base.ID, i)
		}
		items = append(items, item)
	}
	return items, nil
}

var solutionClass = regexp.MustCompile(`(?m)^class Solution\b`)

// entryOf is the function as LeetCode wants it, a method of class Solution, or as it is.
func entryOf(program, function string) string {
	if solutionClass.MatchString(program) && !strings.Contains("\n"+program, "\ndef "+function+"(") {
		return "Solution()." + function
	}
	return function
}

// liveCodeTest is how LiveCodeBench writes a test.
type liveCodeTest struct {
	Input  string `json:"input"`
	Output string `json:"output"`
	Type   string `json:"testtype"`
}

// liveCodeBench reads a problem of LiveCodeBench's code generation, to whose rows somebody has added a program.
func liveCodeBench(c *SourceConfig, r record, base Item) ([]Item, error) {
	if !r.has(c.Columns.Code) {
		return nil, columnErrorf(NoProgram, "the problem has no program; add one in a column, and name it in columns.code")
	}
	found, err := r.texts(c.Columns.Code)
	if err != nil {
		return nil, err
	}
	var tests []liveCodeTest
	var metadata struct {
		Name string `json:"func_name"`
	}
	for _, column := range []string{"public_test_cases", "private_test_cases"} {
		if !r.has(column) {
			continue
		}
		text, err := r.text(column)
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(strings.TrimSpace(text), "[") {
			base.Left = append(base.Left, leftOut{Pickled, "column " + column + " is a compressed pickle"})
			continue
		}
		var more []liveCodeTest
		if err := r.inner(column, &more); err != nil {
			return nil, err
		}
		tests = append(tests, more...)
	}
	if r.has("metadata") {
		if err := r.inner("metadata", &metadata); err != nil {
			return nil, err
		}
	}
	switch {
	case len(tests) == 0:
		return nil, columnErrorf(NoTests, "the problem has no tests that can be read")
	case metadata.Name == "":
		inputs := make([]Input, len(tests))
		for i, test := range tests {
			inputs[i] = Input{Stdin: test.Input, Expected: test.Output, HasExpected: true}
		}
		return programs(base, found, inputs)
	}
	for _, test := range tests {
		input, err := test.input()
		if err != nil {
			return nil, err
		}
		base.Inputs = append(base.Inputs, input)
	}
	return solutions(base, found, metadata.Name)
}

// input is a test of a function: a JSON value on each line is an argument.
func (t *liveCodeTest) input() (Input, error) {
	var arguments []string
	for line := range strings.SplitSeq(t.Input, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if !json.Valid([]byte(line)) {
			return Input{}, columnErrorf(BadJSON, "an argument of a test is no JSON: %.60q", line)
		}
		literal, err := pythonLiteral(json.RawMessage(line))
		if err != nil {
			return Input{}, err
		}
		arguments = append(arguments, literal)
	}
	input := Input{Args: strings.Join(arguments, ", ")}
	if json.Valid([]byte(t.Output)) {
		literal, err := pythonLiteral(json.RawMessage(t.Output))
		if err != nil {
			return Input{}, err
		}
		input.Expected, input.HasExpected = literal, true
	}
	return input, nil
}
