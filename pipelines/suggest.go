package pipelines

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// suggest says which known key is nearest to an unknown one, or lists them all when none is near.
func suggest[T any](key string, known map[string]T) string {
	names := slices.Sorted(maps.Keys(known))
	if hint := didYouMean(key, names, len(key)/2); hint != "" {
		return hint
	}
	return "; known here: " + strings.Join(names, ", ")
}

// didYouMean names the first of the names that are nearest to a word, "" when none is within a number of edits. Case is no edit.
func didYouMean(word string, names []string, edits int) string {
	best, nearest := "", edits+1
	for _, name := range names {
		if d := editDistance(strings.ToLower(word), strings.ToLower(name)); d < nearest {
			best, nearest = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// editDistance counts insertions, deletions, substitutions and swaps of neighbours.
func editDistance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
