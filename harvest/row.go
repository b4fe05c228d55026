package harvest

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// items is what a row of a file holds: at least one item, which may be a drop.
func (c *SourceConfig) items(file string, row rowRead) []Item {
	base := Item{Origin: schema.Origin{
		Source: c.Name, Repo: c.Repo, Revision: c.Revision, Path: file, Row: row.number, License: c.License,
	}}
	if row.err != nil {
		base.fail(row.err)
		return []Item{base}
	}
	c.describe(file, row.record, &base)
	shape := plain
	if p, ok := presets[c.Preset]; ok && p.shape != nil {
		shape = p.shape
	}
	if base.Kind != "" && base.unwanted(c) {
		return []Item{base}
	}
	items, err := []Item(nil), c.language(row.record)
	if err == nil {
		items, err = shape(c, row.record, base)
	}
	if err != nil {
		base.fail(err)
		return []Item{base}
	}
	return items
}

// fail makes a drop of an item.
func (i *Item) fail(err error) {
	reason, detail := BadJSON, err.Error()
	var bad *columnError
	if errors.As(err, &bad) {
		reason, detail = bad.reason, bad.detail
	}
	i.Text, i.Entry, i.Inputs, i.Tests = "", "", nil, nil
	i.Err = i.drop(reason, detail)
}

// describe fills in where a row says that it is from. A path of its own takes the place of the file's, which is then part of the id.
func (c *SourceConfig) describe(file string, r record, item *Item) {
	item.ID = r.fact(c.Columns.ID)
	item.Repo = firstOf(placeOf(r.fact(c.Columns.Repo)), item.Repo)
	item.Revision = firstOf(r.fact(c.Columns.Revision), item.Revision)
	if path := r.fact(c.Columns.Path); path != "" {
		item.Path, item.Kind = path, kindOf(path)
		item.ID = strings.TrimSuffix(file+" "+item.ID, " ")
	}
	if c.Columns.License != "" {
		// A list is of the licences that were found in a repository, of which none may be broken.
		if list, err := r.texts(c.Columns.License); err == nil && len(list) > 0 {
			item.License = allOf(list)
		}
	}
}

// allOf is the expression of several licences that all have to be kept to.
func allOf(licenses []string) string {
	if len(licenses) == 1 {
		return licenses[0]
	}
	parts := make([]string, len(licenses))
	for i, l := range licenses {
		if parts[i] = l; strings.ContainsAny(l, " \t") {
			parts[i] = "(" + l + ")"
		}
	}
	return strings.Join(parts, " AND ")
}

func (c *SourceConfig) language(r record) error {
	if c.Columns.Language == "" || !r.has(c.Columns.Language) {
		return nil
	}
	if language := r.fact(c.Columns.Language); !strings.EqualFold(language, "python") {
		return columnErrorf(OtherLanguage, "it is in %s", language)
	}
	return nil
}

// plain reads a row as its columns say.
func plain(c *SourceConfig, r record, item Item) ([]Item, error) {
	var err error
	if item.Text, err = r.text(c.Columns.Code); err != nil {
		return nil, err
	}
	item.Entry = c.Entry
	if c.Columns.Entry != "" && (c.Columns.Tests == "" || r.has(c.Columns.Entry)) {
		entry, err := r.text(c.Columns.Entry)
		if err != nil {
			return nil, err
		}
		item.Entry = firstOf(entry, c.Entry)
	}
	if setup := c.Columns.Setup; setup != "" && r.has(setup) {
		list, err := r.texts(setup)
		if err != nil {
			return nil, err
		}
		item.Text = withSetup(item.Text, strings.Join(list, "\n"))
	}
	if c.Columns.Stdin != "" {
		err := c.stdin(r, &item)
		return []Item{item}, err
	}
	if err := c.input(r, &item); err != nil {
		return nil, err
	}
	if err := c.tests(r, &item); err != nil {
		return nil, err
	}
	return []Item{item}, nil
}

// withSetup puts what the tests of a program need behind it: what a setup binds does not change what the program does.
func withSetup(program, setup string) string {
	if strings.TrimSpace(setup) == "" {
		return program
	}
	return strings.TrimRight(program, "\r\n") + "\n\n" + setup + "\n"
}

func (c *SourceConfig) input(r record, item *Item) (err error) {
	var input Input
	switch {
	case c.Columns.Input != "":
		input.Args, err = r.scalar(c.Columns.Input)
	case c.Columns.Call != "":
		input.Call, err = r.text(c.Columns.Call)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	if output := c.Columns.Output; output != "" {
		if _, raw, ok := r.find(output); !ok || string(raw) != "null" {
			if input.Expected, err = r.scalar(output); err != nil {
				return err
			}
			input.HasExpected = true
		}
	}
	item.Inputs = append(item.Inputs, input)
	return nil
}

// tests reads the columns of tests and of arguments, of which a row needs one: data sets have come in both shapes.
func (c *SourceConfig) tests(r record, item *Item) (err error) {
	found := c.Columns.Tests == "" && c.Columns.Arguments == ""
	if c.Columns.Tests != "" {
		if _, _, ok := r.find(c.Columns.Tests); ok {
			found = true
			if item.Tests, err = r.texts(c.Columns.Tests); err != nil {
				return err
			}
		}
	}
	for column := range strings.SplitSeq(c.Columns.Arguments, "+") {
		name, raw, ok := r.find(column)
		if !ok || column == "" {
			continue
		}
		found = true
		if !r.has(name) {
			continue
		}
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return columnErrorf(ColumnType, "column %q is a JSON %s, not a list of argument lists", name, jsonType(raw[0]))
		}
		for _, arguments := range list {
			args, err := pythonArguments(arguments)
			if err != nil {
				return err
			}
			item.Inputs = append(item.Inputs, Input{Args: args})
		}
	}
	switch {
	case !found:
		return r.missing(firstOf(c.Columns.Tests, c.Columns.Arguments))
	case (c.Columns.Tests != "" || c.Columns.Arguments != "") && len(item.Tests)+len(item.Inputs) == 0:
		return columnErrorf(NoTests, "the row has no tests")
	}
	return nil
}

// wanted is the columns that are read.
func (c *SourceConfig) wanted() []string {
	of := c.Columns
	var wanted []string
	for _, columns := range []string{
		of.Code, of.Input, of.Call, of.Stdin, of.Output, of.Entry, of.Tests, of.Arguments, of.Setup, of.ID, of.Repo, of.Path, of.Revision, of.License, of.Language,
	} {
		if columns != "" {
			wanted = append(wanted, strings.Split(columns, "+")...)
		}
	}
	return append(wanted, presets[c.Preset].reads...)
}
