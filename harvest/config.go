package harvest

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// SourceConfig names one source of a build. Paths are used as they are: the caller resolves relative ones.
type SourceConfig struct {
	Type string `yaml:"type" json:"type" jsonschema:"enum=python,enum=jsonl" jsonschema_description:"what the path holds"`
	Name string `yaml:"name,omitempty" json:"name,omitempty" jsonschema_description:"name in rows and messages; default: the last part of the path"`
	Path string `yaml:"path" json:"path" jsonschema_description:"a file or, for python, a directory"`

	Include []string `yaml:"include,omitempty" json:"include,omitempty" jsonschema_description:"python: globs of paths to take; ** is any number of directories"`
	Exclude []string `yaml:"exclude,omitempty" json:"exclude,omitempty" jsonschema_description:"python: globs of paths to leave out"`

	Preset  string  `yaml:"preset,omitempty" json:"preset,omitempty" jsonschema:"enum=cruxeval" jsonschema_description:"jsonl: columns of a known data set"`
	Columns Columns `yaml:"columns,omitempty" json:"columns,omitempty" jsonschema_description:"jsonl: where each thing is in a row"`
	Entry   string  `yaml:"entry,omitempty" json:"entry,omitempty" jsonschema_description:"jsonl: entry point of rows without an entry column"`

	Repo     string `yaml:"repo,omitempty" json:"repo,omitempty" jsonschema_description:"repository that all of it is from"`
	Revision string `yaml:"revision,omitempty" json:"revision,omitempty" jsonschema_description:"its revision"`
	License  string `yaml:"license,omitempty" json:"license,omitempty" jsonschema_description:"SPDX expression for all of it"`

	MaxItemBytes int `yaml:"max_item_bytes,omitempty" json:"max_item_bytes,omitempty" jsonschema_description:"longest row or file that is read"`
}

// Columns maps what Tracemill needs to the names of a row's columns. An empty name means that there is none.
type Columns struct {
	Code   string `yaml:"code,omitempty" json:"code,omitempty"`
	Input  string `yaml:"input,omitempty" json:"input,omitempty"`
	Output string `yaml:"output,omitempty" json:"output,omitempty"`
	Entry  string `yaml:"entry,omitempty" json:"entry,omitempty"`
	ID     string `yaml:"id,omitempty" json:"id,omitempty"`
}

// ConfigError is a mistake that the user mends: in the config, or in what it points to.
type ConfigError struct {
	Field string // of SourceConfig, as YAML has it
	Err   error
}

func (e *ConfigError) Error() string { return e.Field + ": " + e.Err.Error() }
func (e *ConfigError) Unwrap() error { return e.Err }

func configErrorf(field, format string, args ...any) error {
	return &ConfigError{Field: field, Err: fmt.Errorf(format, args...)}
}

// defaultMaxItemBytes is far above any program that passes the analyzer's own limit, and small enough that a
// row per worker does not matter.
const defaultMaxItemBytes = 16 << 20

// maxItemBytes keeps an item and its envelope in one frame of the sandbox.
const maxItemBytes = 128 << 20

// sourceType is one entry of the registry of things that `type` names.
type sourceType struct {
	validate func(SourceConfig) error
	open     func(SourceConfig) (Source, error)
}

func sourceTypes() map[string]sourceType {
	return map[string]sourceType{
		"python": {validate: validateTree, open: openTree},
		"jsonl":  {validate: validateRows, open: openRows},
	}
}

type preset struct {
	columns Columns
	entry   string
	license string
}

var presets = map[string]preset{
	"cruxeval": {columns: Columns{Code: "code", Input: "input", Output: "output", ID: "id"}, entry: "f", license: "MIT"},
}

// WithDefaults is the config with everything that a preset or a default says filled in.
func (c SourceConfig) WithDefaults() SourceConfig {
	if c.Name == "" && c.Path != "" {
		c.Name = baseName(c.Path)
	}
	if c.MaxItemBytes == 0 {
		c.MaxItemBytes = defaultMaxItemBytes
	}
	if p, ok := presets[c.Preset]; ok {
		if c.Columns == (Columns{}) {
			c.Columns = p.columns
		}
		c.Entry = firstOf(c.Entry, p.entry)
		c.License = firstOf(c.License, p.license)
	}
	if c.Type == "python" {
		if len(c.Include) == 0 {
			c.Include = []string{"**/*.py"}
		}
		if len(c.Exclude) == 0 {
			// Hidden directories hold version control and environments, caches hold copies.
			c.Exclude = []string{"**/.*/**", "**/__pycache__/**"}
		}
	}
	return c
}

// Validate says what is wrong with the config itself, by field. It does not look at the files.
func (c SourceConfig) Validate() error {
	c = c.WithDefaults()
	kind, ok := sourceTypes()[c.Type]
	if !ok {
		return configErrorf("type", "no source type %q; there are: %s", c.Type, names(sourceTypes()))
	}
	if c.Path == "" {
		return configErrorf("path", "it is empty; name a file or a directory")
	}
	if c.MaxItemBytes < 1 || c.MaxItemBytes > maxItemBytes {
		return configErrorf("max_item_bytes", "%d is not between 1 and %d", c.MaxItemBytes, maxItemBytes)
	}
	return kind.validate(c)
}

// Open opens the source. A *ConfigError says that the user can mend it.
func (c SourceConfig) Open() (Source, error) {
	c = c.WithDefaults()
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("source %s: %w", c.Name, err)
	}
	source, err := sourceTypes()[c.Type].open(c)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w", c.Name, err)
	}
	return source, nil
}

func validateTree(c SourceConfig) error {
	if c.Preset != "" || c.Columns != (Columns{}) || c.Entry != "" {
		return configErrorf("type", "preset, columns and entry are for data sets; a python source has none of them")
	}
	for i, glob := range append(slices.Clone(c.Include), c.Exclude...) {
		if _, err := path.Match(glob, ""); err != nil {
			field := "include"
			if i >= len(c.Include) {
				field = "exclude"
			}
			return configErrorf(field, "%q: %w", glob, err)
		}
	}
	return nil
}

func validateRows(c SourceConfig) error {
	if len(c.Include)+len(c.Exclude) > 0 {
		return configErrorf("include", "include and exclude are for python sources; name the JSONL file in path")
	}
	if _, ok := presets[c.Preset]; c.Preset != "" && !ok {
		return configErrorf("preset", "no preset %q; there are: %s", c.Preset, names(presets))
	}
	if c.Columns.Code == "" {
		return configErrorf("columns.code", "it is empty; name the column that holds the program, or use a preset")
	}
	if c.Columns.Input == "" && c.Columns.Output != "" {
		return configErrorf("columns.output", "it is given without columns.input; an output is of an input")
	}
	if c.Columns.Entry == "" && c.Entry == "" {
		return configErrorf("entry", "it is empty; name the function to call, or the column in columns.entry")
	}
	return nil
}

func names[V any](of map[string]V) string {
	keys := make([]string, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return strings.Join(keys, ", ")
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var errEmpty = errors.New("nothing to harvest")
