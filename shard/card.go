package shard

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// card is the data card: the YAML header by which Hugging Face finds tables and splits, and a page for people.
func card(title string, m *Manifest) string {
	if title == "" {
		title = "Tracemill dataset"
	}
	title = strings.Join(strings.Fields(title), " ")
	var b strings.Builder
	b.WriteString(cardHeader(title, m))
	fmt.Fprintf(&b, "\n# %s\n\n%s\n", title, cardIntroduction)
	for _, warning := range m.Warnings {
		fmt.Fprintf(&b, "\n**Warning**: %s.\n", warning)
	}
	cardTables(&b, m)
	cardTallies(&b, m)
	cardCounters(&b, m)
	b.WriteString(cardLoading(m))
	b.WriteString(cardLimits)
	cardSettings(&b, m)
	return b.String()
}

// cardHeader names every file pattern: without it, words such as "test" in a path would decide the split.
func cardHeader(title string, m *Manifest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\npretty_name: %q\ntags:\n- code\n- python\n- debugger\n- execution-traces\nconfigs:\n", title)
	for _, table := range []schema.Table{schema.Trajectories, schema.Traces, schema.Functions} {
		fmt.Fprintf(&b, "- config_name: %s\n", table)
		if table == schema.Trajectories {
			b.WriteString("  default: true\n")
		}
		b.WriteString("  data_files:\n")
		for _, split := range m.Splits {
			fmt.Fprintf(&b, "  - split: %s\n    path: %s/%s-*.parquet\n", split.Name, table, split.Name)
		}
	}
	b.WriteString("---\n")
	return b.String()
}

const cardIntroduction = "Executions of Python functions as a debugger shows them, to train models that predict what a debugger would show\n" +
	"next (forward) or what must have come before (inverse). Each function was run in a sandboxed CPython under a tracer;\n" +
	"from each trace a state tree was built, and from the tree trajectories of debugger actions were sampled. Made by\n" +
	"[Tracemill](https://github.com/tracemill/tracemill), where `docs/format.md` describes every column and `docs/` the text formats."

func cardTables(b *strings.Builder, m *Manifest) {
	b.WriteString("\n## Tables\n\n| table |")
	for _, split := range m.Splits {
		fmt.Fprintf(b, " %s |", split.Name)
	}
	b.WriteString(" a row is |\n|---|" + strings.Repeat("---:|", len(m.Splits)) + "---|\n")
	for _, table := range []struct {
		name schema.Table
		row  string
	}{
		{schema.Trajectories, "one text to train on: `text`, the spans to predict (`targets`), the actions, and where it came from"},
		{schema.Traces, "what was recorded of one execution, exactly, so that other trajectories can be made without running code"},
		{schema.Functions, "one harvested program with its entry point, origin and licence"},
	} {
		fmt.Fprintf(b, "| `%s` |", table.name)
		for _, split := range m.Splits {
			fmt.Fprintf(b, " %d |", m.Rows(table.name, split.Name))
		}
		fmt.Fprintf(b, " %s |\n", table.row)
	}
	b.WriteString("\nThe tables are joined by `function_id` and `trace_id`. A repository, or a function that has none, is in one split only; a function whose copies are kept is where they are.\n")
	b.WriteString("`targets` are half-open spans of `text` in Unicode code points, so that `text[start:end]` in Python is the span.\n")
}

func cardTallies(b *strings.Builder, m *Manifest) {
	for _, section := range []struct{ title, column, what string }{
		{"Licences", "functions.license", "functions"},
		{"How executions ended", "traces.status", "traces"},
		{"Interpreters", "traces.python_version", "traces"},
		{"Formats", "trajectories.format", "trajectories"},
		{"Directions", "trajectories.direction", "trajectories"},
		{"Policies", "trajectories.policy", "trajectories"},
		{"How trajectories end", "trajectories.exit", "trajectories"},
	} {
		counts := m.Tallies[section.column]
		if len(counts) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n## %s\n\n| | %s |\n|---|---:|\n", section.title, section.what)
		for _, value := range byCount(counts) {
			fmt.Fprintf(b, "| %s | %d |\n", cell(value), counts[value])
		}
	}
}

// byCount lists the keys with the greatest counts first, and equal ones by name.
func byCount(counts map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		if counts[x] != counts[y] {
			if counts[x] > counts[y] {
				return -1
			}
			return 1
		}
		return strings.Compare(x, y)
	})
}

// cell is a value as a cell of a table: data must not break the page.
func cell(value string) string {
	if value == "" {
		return "(none stated)"
	}
	value = strings.NewReplacer("|", "\\|", "`", "'", "\n", " ", "\r", " ", "<", "&lt;").Replace(value)
	return "`" + value + "`"
}

func cardCounters(b *strings.Builder, m *Manifest) {
	if len(m.Counters) == 0 {
		return
	}
	b.WriteString("\n## What came in, what went out\n\n| counter | |\n|---|---:|\n")
	for _, name := range slices.Sorted(maps.Keys(m.Counters)) {
		fmt.Fprintf(b, "| %s | %d |\n", cell(name), m.Counters[name])
	}
}

func cardLoading(m *Manifest) string {
	split := m.Splits[0].Name
	return fmt.Sprintf("\n## Loading\n\n```python\nfrom datasets import load_dataset\n"+
		"rows = load_dataset(\"PATH\", \"trajectories\", split=%[1]q)\n\n"+
		"import pyarrow.dataset as ds\n"+
		"rows = ds.dataset(\"PATH/trajectories\").to_table(columns=[\"text\", \"targets\"], filter=ds.field(\"split\") == %[1]q)\n```\n\n"+
		"```sql\n-- DuckDB\nSELECT status, count(*) FROM 'PATH/traces/*.parquet' GROUP BY status;\n```\n", split)
}

const cardLimits = "\n## Limits\n\n" +
	"- Values are renderings under a budget. What was cut says so; see `value_cut` in `traces`.\n" +
	"- Behaviour is that of the interpreter named in `python_version`: line events differ between versions of CPython.\n" +
	"- Licences are as the source states them, per function. Check them for your use.\n" +
	"- `expected` outputs are the source's claim; what was computed is in `output`.\n"

func cardSettings(b *strings.Builder, m *Manifest) {
	fmt.Fprintf(b, "\n## Making it again\n\nThe same plan gives the same bytes. Plan `%s`, seed %d, schema version %d.\n", m.Plan, m.Seed, m.SchemaVersion)
	if len(m.Settings) == 0 {
		return
	}
	b.WriteString("\n| setting | value |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(m.Settings)) {
		fmt.Fprintf(b, "| %s | %s |\n", cell(name), cell(m.Settings[name]))
	}
}
