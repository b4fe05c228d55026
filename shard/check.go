package shard

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// StateDir is where a build keeps what only it needs. What is in it before the plan is written is no other build's.
func StateDir(dir string) string { return filepath.Join(dir, buildDir) }

// Check says whether Open would take a directory for a plan of which some settings are not known yet. It writes nothing.
func Check(dir string, plan Plan, unknown ...string) error {
	data, err := os.ReadFile(filepath.Join(dir, buildDir, planFile))
	if errors.Is(err, fs.ErrNotExist) {
		return foreign(dir)
	}
	if err != nil {
		return err
	}
	there, err := parsePlan(data)
	if err != nil {
		return nil // Open says it
	}
	differ := slices.DeleteFunc(differences(there, &plan), func(d Difference) bool {
		return slices.Contains(unknown, d.Setting) || d.Setting == "plan version" || d.Setting == "schema version"
	})
	if len(differ) > 0 {
		return &MismatchError{Dir: dir, Differ: differ}
	}
	return nil
}

// foreign lists what is in a directory and no build's.
func foreign(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var names []string
	for _, entry := range entries {
		// A file system's own directory at a mount point, and what a process left that was killed before its plan.
		if name := entry.Name(); name != "lost+found" && name != buildDir {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		return &ForeignError{Dir: dir, Files: names}
	}
	return nil
}
