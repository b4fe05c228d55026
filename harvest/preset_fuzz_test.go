package harvest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzPresets: whatever a row holds, each preset makes items or a drop of it, and a described one.
func FuzzPresets(f *testing.F) {
	paths, err := filepath.Glob("testdata/datasets/*.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			f.Add(line)
		}
	}
	f.Add(`{"solutions": "[\"def f(): pass\"]", "input_output": "{\"fn_name\": \"f\", \"inputs\": [{}]}"}`)
	f.Add(`{"code": "\n@a", "func_name": "A.f"}`)
	described := map[Reason]bool{}
	for _, r := range Reasons {
		described[r.Reason] = true
	}
	f.Fuzz(func(t *testing.T, line string) {
		row := rowRead{number: 1}
		if row.record, row.err = decodeRecord([]byte(line)); row.err != nil {
			return
		}
		for name := range presets {
			config := SourceConfig{Preset: name, Path: "rows.jsonl"}.WithDefaults()
			items := config.items("rows.jsonl", row)
			if len(items) == 0 {
				t.Fatalf("%s: nothing", name)
			}
			for _, item := range items {
				if item.Err != nil && (!described[item.Err.Reason] || item.Text != "") {
					t.Fatalf("%s: %+v", name, item)
				}
				if _, err := encodeRequest(&item, Options{}.WithDefaults()); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// FuzzPythonLiteral: every JSON value is a Python literal, or is refused.
func FuzzPythonLiteral(f *testing.F) {
	f.Add(`{"a": [1, "\ud800", {"\ud83d\ude00": null}]}`)
	f.Add(` [1e999, -0.0, "\u2028"]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		if literal, err := pythonLiteral(json.RawMessage(text)); err == nil && literal == "" {
			t.Fatal("nothing")
		}
	})
}

// FuzzIgnore: no line of a .gitignore is too much.
func FuzzIgnore(f *testing.F) {
	f.Add("**/a/**\n!b\\\n[\n", "a/b")
	f.Add("/\n//\n!\n!/\n**\n", "a")
	f.Fuzz(func(t *testing.T, text, name string) {
		ignored, decided := decide(parseIgnore([]byte(text)), name, false)
		if ignored && !decided {
			t.Fatal("ignored by no rule")
		}
	})
}

// BenchmarkRows reads rows of the usual length, as items.
func BenchmarkRows(b *testing.B) {
	const rows = 20_000
	text := strings.Repeat(`{"code": "def f(x):\n`+strings.Repeat(`    x += 1\n`, 60)+`    return x\n", "input": "1", "output": "2", "id": "s", "rest": "`+strings.Repeat("y", 500)+`"}`+"\n", rows)
	dir := b.TempDir()
	writeParquet(b, filepath.Join(dir, "x.parquet"), []byte(text), 1000)
	if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"x.jsonl", "x.parquet"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				source, err := SourceConfig{Preset: "cruxeval", Path: filepath.Join(dir, name)}.Open()
				if err != nil {
					b.Fatal(err)
				}
				for item, err := range source.Items(b.Context(), 0, rows) {
					if err != nil || item.Err != nil {
						b.Fatal(err, item.Err)
					}
				}
				source.Close()
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
