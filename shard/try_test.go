package shard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTry(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                            "",
		filepath.Join(dir, "new", "x"): "", // and it is not made
		file:                           "is no directory; choose another output directory",
		filepath.Join(file, "below"):   "choose another output directory",
		"/proc/new":                    "/proc cannot be written to",
	} {
		err := Try(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}
