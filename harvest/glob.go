package harvest

import (
	"path"
	"slices"
	"strings"
)

func matchAny(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return matchGlob(glob, name) })
}

// matchGlob matches a path with forward slashes as path.Match does, and ** as any number of whole parts, also none.
func matchGlob(glob, name string) bool {
	return matchParts(strings.Split(glob, "/"), strings.Split(name, "/"))
}

func matchParts(globs, parts []string) bool {
	for len(globs) > 0 {
		if globs[0] == "**" {
			for i := 0; i <= len(parts); i++ {
				if matchParts(globs[1:], parts[i:]) {
					return true
				}
			}
			return false
		}
		if len(parts) == 0 {
			return false
		}
		if ok, err := path.Match(globs[0], parts[0]); err != nil || !ok {
			return false
		}
		globs, parts = globs[1:], parts[1:]
	}
	return len(parts) == 0
}

// comparePaths orders paths as a walk meets them: part by part.
func comparePaths(a, b string) int {
	return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
}
