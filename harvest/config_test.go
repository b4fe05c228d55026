package harvest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigErrors(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, []byte("\n \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := SourceConfig{Type: "jsonl", Path: empty, Preset: "cruxeval"}
	for _, test := range []struct {
		name   string
		config SourceConfig
		field  string
		text   string
	}{
		{"no type", SourceConfig{Path: "x"}, "type", "there are: jsonl, parquet, python"},
		{"no path", SourceConfig{Type: "python"}, "path", "name a file or a directory"},
		{"no such preset", SourceConfig{Type: "jsonl", Path: "x", Preset: "cruxeval2"}, "preset", "there are: apps, code_contests"},
		{"no code column", SourceConfig{Type: "jsonl", Path: "x"}, "columns.code", "or use a preset"},
		{"an output of no input", SourceConfig{Type: "jsonl", Path: "x", Columns: Columns{Code: "c", Output: "o"}}, "columns.output", "of an input"},
		{"no entry", SourceConfig{Type: "jsonl", Path: "x", Columns: Columns{Code: "c", Input: "i"}}, "entry", "columns.entry"},
		{"a bad glob for rows", SourceConfig{Type: "jsonl", Path: "x", Preset: "cruxeval", Include: []string{"["}}, "include", `"["`},
		{"two kinds of call", SourceConfig{Type: "jsonl", Path: "x", Columns: Columns{Code: "c", Input: "i", Call: "l"}}, "columns.call", "one call"},
		{"an entry of a program", SourceConfig{Type: "jsonl", Path: "x", Columns: Columns{Code: "c", Stdin: "s"}, Entry: "f"}, "columns.stdin", "not called"},
		{"a call of a program", SourceConfig{Type: "jsonl", Path: "x", Columns: Columns{Code: "c", Stdin: "s", Input: "i"}}, "columns.stdin", "not called"},
		{"columns for files", SourceConfig{Type: "python", Path: "x", Entry: "f"}, "type", "data sets"},
		{"a bad glob", SourceConfig{Type: "python", Path: "x", Exclude: []string{"a", "[b"}}, "exclude", `"[b"`},
		{"a size below 1", SourceConfig{Type: "python", Path: "x", MaxItemBytes: -1}, "max_item_bytes", "-1 is not between"},
		{"no such file", SourceConfig{Type: "jsonl", Path: filepath.Join(dir, "none"), Preset: "cruxeval"}, "path", "mend the path"},
		{"a directory without rows", SourceConfig{Type: "jsonl", Path: t.TempDir(), Preset: "cruxeval"}, "path", "no file under"},
		{"no such directory", SourceConfig{Type: "python", Path: filepath.Join(dir, "none")}, "path", "no file or directory"},
		{"nothing matches", SourceConfig{Type: "python", Path: dir}, "include", "no file under " + dir + " matches **/*.py"},
		{"no rows", good, "path", "has no rows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source, err := test.config.Open()
			if err == nil {
				defer source.Close()
				err = source.Scan(t.Context(), func(Listing) error { return nil })
			}
			var config *ConfigError
			if !errors.As(err, &config) || config.Field != test.field || !strings.Contains(err.Error(), test.text) {
				t.Errorf("the error is %v; want one of %s with %q", err, test.field, test.text)
			}
		})
	}
}

func TestDefaultsAreKept(t *testing.T) {
	c := SourceConfig{Type: "jsonl", Path: "a/b.jsonl", Preset: "cruxeval", Entry: "g", License: "CC0-1.0"}.WithDefaults()
	if c.Entry != "g" || c.License != "CC0-1.0" || c.Name != "b.jsonl" || c.Columns.Code != "code" || c.MaxItemBytes != defaultMaxItemBytes {
		t.Errorf("defaults give %+v", c)
	}
}
