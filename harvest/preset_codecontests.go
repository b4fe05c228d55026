package harvest

import (
	"encoding/json"
	"fmt"
)

// Languages of CodeContests' solutions.
const (
	python2 = 1
	python3 = 3
)

// codeContests reads a row of CodeContests: structs of parallel lists, of programs in several languages and of tests, which are all
// texts of standard input.
func codeContests(_ *SourceConfig, r record, base Item) ([]Item, error) {
	if r.has("input_file") {
		return nil, columnErrorf(ReadsFile, "its programs read the file %s", r.fact("input_file"))
	}
	byLanguage, count, err := codeContestsSolutions(r)
	switch {
	case err != nil:
		return nil, err
	case len(byLanguage[python3]) == 0 && len(byLanguage[python2]) > 0:
		return nil, columnErrorf(Python2, "its only solutions in Python are in Python 2")
	case len(byLanguage[python3]) == 0:
		return nil, columnErrorf(OtherLanguage, "none of its %d solutions is in Python", count)
	}
	var inputs []Input
	for _, column := range []string{"public_tests", "private_tests", "generated_tests"} {
		more, err := codeContestsTests(r, column)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, more...)
	}
	items, err := programs(base, byLanguage[python3], inputs)
	if n := len(byLanguage[python2]); n > 0 && err == nil {
		left := base
		left.fail(columnErrorf(Python2, "%d solutions in Python 2", n))
		items = append(items, left)
	}
	return items, err
}

// codeContestsSolutions is a row's programs by language, and the number of all.
func codeContestsSolutions(r record) (byLanguage map[int][]string, count int, err error) {
	_, raw, ok := r.find("solutions")
	if !ok {
		return nil, 0, r.missing("solutions")
	}
	var found struct {
		Language []int           `json:"language"`
		Solution json.RawMessage `json:"solution"`
	}
	var texts []json.RawMessage
	err = json.Unmarshal(raw, &found)
	if err == nil && found.Solution != nil {
		err = json.Unmarshal(found.Solution, &texts)
	}
	if err != nil || len(found.Language) != len(texts) {
		return nil, 0, columnErrorf(ColumnType, "column \"solutions\" is no struct of two lists of one length, language and solution")
	}
	byLanguage = map[int][]string{}
	for i, language := range found.Language {
		if language != python2 && language != python3 {
			continue
		}
		text, err := jsonText(fmt.Sprintf("solutions[%d]", i), texts[i])
		if err != nil {
			return nil, 0, err
		}
		byLanguage[language] = append(byLanguage[language], text)
	}
	return byLanguage, len(texts), nil
}

func codeContestsTests(r record, column string) ([]Input, error) {
	if !r.has(column) {
		return nil, nil
	}
	var found struct {
		Input  json.RawMessage `json:"input"`
		Output json.RawMessage `json:"output"`
	}
	_, raw, _ := r.find(column)
	if err := json.Unmarshal(raw, &found); err != nil || found.Input == nil || found.Output == nil {
		return nil, columnErrorf(ColumnType, "column %q is no struct of two lists, input and output", column)
	}
	texts, err := jsonTexts(column+".input", found.Input)
	if err != nil {
		return nil, err
	}
	outputs, err := jsonTexts(column+".output", found.Output)
	if err != nil {
		return nil, err
	}
	return pair(texts, outputs)
}
