package harvest

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTreeLicenses(t *testing.T) {
	apache, err := os.ReadFile("../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	const mit = `MIT License

Copyright (c) 2020 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`
	dir := t.TempDir()
	for name, text := range map[string]string{
		"LICENSE": string(apache), "a.py": "", "pkg/b.py": "", "vendor/x/LICENSE.txt": mit, "vendor/x/src/c.py": "",
		"odd/COPYING": "Ask me.", "odd/d.py": "", "both/LICENSE-MIT": mit, "both/LICENSE-APACHE": string(apache), "both/e.py": "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{
		"a.py": "Apache-2.0", "pkg/b.py": "Apache-2.0", "vendor/x/src/c.py": "MIT", "odd/d.py": "", "both/e.py": "Apache-2.0 AND MIT",
	}
	for _, given := range []string{"", "BSD-3-Clause"} {
		source, err := SourceConfig{Type: "python", Path: dir, License: given}.Open()
		if err != nil {
			t.Fatal(err)
		}
		listed := map[string]string{}
		if err := source.Scan(t.Context(), func(l Listing) error { listed[l.Path] = l.License; return nil }); err != nil {
			t.Fatal(err)
		}
		for item, err := range source.Items(t.Context(), 0, len(want)) {
			if err != nil {
				t.Fatal(err)
			}
			expected := firstOf(given, want[item.Path])
			if item.License != expected || listed[item.Path] != expected {
				t.Errorf("%s: licence %q, listed with %q, want %q", item.Path, item.License, listed[item.Path], expected)
			}
		}
	}
}
