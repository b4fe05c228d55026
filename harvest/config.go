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
	Type string `yaml:"type" json:"type,omitempty" jsonschema:"enum=python,enum=jsonl,enum=parquet" jsonschema_description:"what the path holds; with a preset, jsonl or parquet goes by the path"`
	Name string `yaml:"name,omitempty" json:"name,omitempty" jsonschema_description:"name in rows and messages; default: the last part of the path"`
	Path string `yaml:"path" json:"path" jsonschema_description:"a file or a directory"`

	Include []string `yaml:"include,omitempty" json:"include,omitempty" jsonschema_description:"globs of a directory's paths to take; ** is any number of directories"`
	Exclude []string `yaml:"exclude,omitempty" json:"exclude,omitempty" jsonschema_description:"globs of a directory's paths to leave out"`

	IncludeIgnored bool   `yaml:"include_ignored,omitempty" json:"include_ignored,omitempty" jsonschema_description:"python: also take what .gitignore files leave out"`
	Kinds          []Kind `yaml:"kinds,omitempty" json:"kinds,omitempty" jsonschema_description:"kinds of files to take, as their paths tell: code, test, vendored; default for python: code, test"`

	Preset  string  `yaml:"preset,omitempty" json:"preset,omitempty" jsonschema:"enum=apps,enum=code_contests,enum=codesearchnet,enum=cruxeval,enum=humaneval,enum=humanevalplus,enum=livecodebench_codegen,enum=livecodebench_execution,enum=mbpp,enum=mbppplus,enum=the_stack" jsonschema_description:"jsonl, parquet: a known data set"`
	Columns Columns `yaml:"columns,omitempty" json:"columns,omitempty" jsonschema_description:"jsonl, parquet: where each thing is in a row"`
	Entry   string  `yaml:"entry,omitempty" json:"entry,omitempty" jsonschema_description:"jsonl, parquet: entry point of rows without an entry column"`

	Repo     string `yaml:"repo,omitempty" json:"repo,omitempty" jsonschema_description:"repository that all of it is from"`
	Revision string `yaml:"revision,omitempty" json:"revision,omitempty" jsonschema_description:"its revision"`
	License  string `yaml:"license,omitempty" json:"license,omitempty" jsonschema_description:"SPDX expression for all of it"`

	MaxItemBytes int `yaml:"max_item_bytes,omitempty" json:"max_item_bytes,omitempty" jsonschema_description:"longest row or file that is read"`
}

// Columns maps what Tracemill needs to the names of a row's columns. An empty name means that there is none, "a|b" is the first
// of them that a row has, and code "a+b" is the one with the other behind it, as arguments "a+b" are. A row without input,
// call, tests and arguments is read as a file is.
type Columns struct {
	Code      string `yaml:"code,omitempty" json:"code,omitempty" jsonschema_description:"the program"`
	Entry     string `yaml:"entry,omitempty" json:"entry,omitempty" jsonschema_description:"name of the function to call"`
	Input     string `yaml:"input,omitempty" json:"input,omitempty" jsonschema_description:"an argument list, as Python text"`
	Call      string `yaml:"call,omitempty" json:"call,omitempty" jsonschema_description:"a whole call expression, in place of input"`
	Stdin     string `yaml:"stdin,omitempty" json:"stdin,omitempty" jsonschema_description:"what is on standard input of a program that is run and not called: a text or a list of texts"`
	Output    string `yaml:"output,omitempty" json:"output,omitempty" jsonschema_description:"what the call gives, as Python text; or what the program prints, a text for each text of stdin"`
	Tests     string `yaml:"tests,omitempty" json:"tests,omitempty" jsonschema_description:"asserts about calls: a text or a list of texts"`
	Arguments string `yaml:"arguments,omitempty" json:"arguments,omitempty" jsonschema_description:"argument lists, as a list of lists of JSON values"`
	Setup     string `yaml:"setup,omitempty" json:"setup,omitempty" jsonschema_description:"what the tests need in the module"`
	ID        string `yaml:"id,omitempty" json:"id,omitempty" jsonschema_description:"name of the row in messages"`
	Repo      string `yaml:"repo,omitempty" json:"repo,omitempty"`
	Path      string `yaml:"path,omitempty" json:"path,omitempty"`
	Revision  string `yaml:"revision,omitempty" json:"revision,omitempty"`
	License   string `yaml:"license,omitempty" json:"license,omitempty" jsonschema_description:"a licence or a list of them"`
	Language  string `yaml:"language,omitempty" json:"language,omitempty" jsonschema_description:"rows that say another language than Python are left"`
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
		"python":  {validate: validateTree, open: openTree},
		"jsonl":   {validate: validateRows, open: openDataset},
		"parquet": {validate: validateRows, open: openDataset},
	}
}

// WithDefaults is the config with everything that a preset or a default says filled in.
func (c SourceConfig) WithDefaults() SourceConfig {
	if c.Name == "" && c.Path != "" {
		c.Name = baseName(c.Path)
	}
	c.Repo = placeOf(c.Repo)
	if c.MaxItemBytes == 0 {
		c.MaxItemBytes = defaultMaxItemBytes
	}
	if c.Type == "" && c.Preset != "" {
		c.Type = "jsonl"
		if strings.HasSuffix(c.Path, ".parquet") {
			c.Type = "parquet"
		}
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
			c.Include = []string{"**/*.py", "**/*.ipynb"}
		}
		if len(c.Exclude) == 0 {
			// Hidden directories hold version control and environments, caches hold copies.
			c.Exclude = []string{"**/.*/**", "**/__pycache__/**"}
		}
		if len(c.Kinds) == 0 {
			c.Kinds = []Kind{KindCode, KindTest}
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
	for _, kind := range c.Kinds {
		if !slices.Contains(kinds, kind) {
			return configErrorf("kinds", "no kind %q; there are: %v", kind, kinds)
		}
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
	return validateGlobs(c)
}

func validateGlobs(c SourceConfig) error {
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
	if _, ok := presets[c.Preset]; c.Preset != "" && !ok {
		return configErrorf("preset", "no preset %q; there are: %s", c.Preset, names(presets))
	}
	of := c.Columns
	switch {
	case of.Code == "":
		return configErrorf("columns.code", "it is empty; name the column that holds the program, or use a preset")
	case of.Input != "" && of.Call != "":
		return configErrorf("columns.call", "it is given with columns.input; a row has one call")
	case of.Stdin != "" && (of.Input != "" || of.Call != "" || of.Tests != "" || of.Arguments != "" || of.Entry != "" || of.Setup != "" || c.Entry != ""):
		return configErrorf("columns.stdin", "it is given with an entry, calls or tests of it; a program that reads its standard input is run and not called")
	case of.Output != "" && of.Input == "" && of.Call == "" && of.Stdin == "":
		return configErrorf("columns.output", "it is given without columns.input, columns.call or columns.stdin; an output is of an input")
	case of.Entry == "" && c.Entry == "" && c.Preset == "" && (of.Input != "" || of.Call != "" || of.Arguments != ""):
		return configErrorf("entry", "it is empty; name the function to call, or the column in columns.entry")
	}
	return validateGlobs(c)
}

// Caseless says whether the source's items come without cases: those that are not looked for in a file's text.
func (c SourceConfig) Caseless() bool {
	c = c.WithDefaults()
	of := c.Columns
	entry := of.Entry != "" || c.Entry != ""
	return of.Code != "" && entry && of.Input == "" && of.Call == "" && of.Tests == "" && of.Arguments == ""
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
