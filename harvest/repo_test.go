package harvest

import "testing"

func TestPlaceOf(t *testing.T) {
	for repo, want := range map[string]string{
		"https://user:ghp_0123@github.com/o/p.git":  "github.com/o/p",
		"https://github.com/o/p":                    "github.com/o/p",
		"https://github.com/o/p.git?token=ghp_0123": "github.com/o/p",
		"ssh://git@example.org:2222/o/p.git":        "example.org:2222/o/p",
		"git@github.com:o/p.git":                    "github.com/o/p",
		"host:/srv/p.git":                           "host/srv/p",
		"user:ghp_0123@github.com/o/p":              "github.com/o/p",
		"https://user:a/b@github.com/o/p":           "",
		"file:///home/somebody/p":                   "",
		"github.com/o/p.git":                        "github.com/o/p",
		" o/p ":                                     "o/p",
		"@scope/p":                                  "@scope/p",
		"p":                                         "p",
		"":                                          "",
	} {
		if got := placeOf(repo); got != want {
			t.Errorf("%q: %q, want %q", repo, got, want)
		}
		if got := placeOf(want); got != want {
			t.Errorf("%q is read as %q", want, got)
		}
	}
}

func TestColumnsOfProvenance(t *testing.T) {
	columns := Columns{Code: "code", ID: "id", Repo: "repo", Path: "path", Revision: "revision", License: "license"}
	c := SourceConfig{Type: "jsonl", Path: "rows.jsonl", Name: "rows", Repo: "https://u:p@host/all.git", Columns: columns}.WithDefaults()
	row := func(line string) Item {
		record, err := decodeRecord([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		return c.items("rows.jsonl", rowRead{number: 1, record: record})[0]
	}
	i := row(`{"code": "x = 1", "id": "7", "repo": "https://user:ghp_0123@github.com/o/p.git", "path": "a/b.py", "revision": "v1", "license": ["MIT", "Apache-2.0 OR BSD-3-Clause"]}`)
	if got := [4]string{i.Repo, i.Path, i.Revision, i.License}; got != [4]string{"github.com/o/p", "a/b.py", "v1", "MIT AND (Apache-2.0 OR BSD-3-Clause)"} {
		t.Errorf("%q", got)
	}
	i = row(`{"code": "x = 1", "id": "7\u0085", "repo": "o/p\no/q", "path": "a\r.py", "revision": "\u001b[31m", "license": "MIT"}`)
	if got := [4]string{i.Repo, i.Path, i.Revision, i.ID}; got != [4]string{"host/all", "rows.jsonl", "", ""} {
		t.Errorf("what cannot be shown in a line is kept: %q", got)
	}
}

func TestTreeOfRepository(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"a.py": "x = 1\n"})
	source, err := SourceConfig{Type: "python", Path: dir, Repo: "https://user:ghp_0123@github.com/o/p.git"}.Open()
	must(t, err)
	defer source.Close()
	for item, err := range source.Items(t.Context(), 0, 1) {
		if must(t, err); item.Repo != "github.com/o/p" {
			t.Errorf("repo is %q", item.Repo)
		}
	}
}
