package shard

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestCheck(t *testing.T) {
	plan := Plan{Settings: map[string]string{"a": "1"}, Parts: SplitParts(10, 5)}
	dir := filepath.Join(t.TempDir(), "out")
	if err := Check(dir, plan); err != nil {
		t.Errorf("a directory that is not there: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(StateDir(dir), "survey"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Check(dir, plan); err != nil {
		t.Errorf("a directory without a plan: %v", err)
	}
	full := plan
	full.Settings = map[string]string{"a": "1", "survey": "x"}
	if _, err := Open(dir, full); err != nil {
		t.Fatal(err)
	}
	if err := Check(dir, plan, "survey"); err != nil {
		t.Errorf("the same plan, but for what is not known: %v", err)
	}
	var mismatch *MismatchError
	if err := Check(dir, plan); !errors.As(err, &mismatch) || len(mismatch.Differ) != 1 {
		t.Errorf("another plan: %v", err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "thesis.doc"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var foreign *ForeignError
	if err := Check(other, plan); !errors.As(err, &foreign) {
		t.Errorf("files of somebody else: %v", err)
	}
}
