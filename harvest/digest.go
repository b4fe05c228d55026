package harvest

import (
	"maps"
	"slices"

	"github.com/tracemill/tracemill/schema"
)

// Digest identifies the analyzer: what it finds in the same items. It is part of a build's fingerprint.
func Digest() string {
	files, err := analyzerSources()
	if err != nil {
		return err.Error() // embedded files are always there
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		parts = append(parts, name, string(files[name]))
	}
	return schema.ID("analyzer", parts...)
}
