package shard

import (
	"fmt"
	"math"
	"regexp"

	"github.com/tracemill/tracemill/schema"
)

// Layout bounds what files hold. It changes the bytes of a build, and is part of its plan.
type Layout struct {
	// RowGroupBytes is when a row group is closed: bytes of values before encoding. Readers hold a row group's column in
	// memory, and Arrow cannot read a nested column of more than 2 GiB of text, so this is far below. 0: 100 MB.
	RowGroupBytes int64 `json:"row_group_bytes"`
	// ShardBytes is when a file is closed: bytes as written. A file may be longer by one row group. 0: 500 MB.
	ShardBytes int64 `json:"shard_bytes"`
}

const (
	defaultRowGroupBytes = 100 << 20
	defaultShardBytes    = 500 << 20
	maxRowGroupBytes     = 1 << 30

	// maxRowBytes is the longest row that is written: with a row group before it, a nested column stays below 2 GiB.
	maxRowBytes = 512 << 20
)

func (l Layout) withDefaults() Layout {
	if l.RowGroupBytes == 0 {
		l.RowGroupBytes = defaultRowGroupBytes
	}
	if l.ShardBytes == 0 {
		l.ShardBytes = defaultShardBytes
	}
	return l
}

func (l Layout) validate() error {
	if l.RowGroupBytes < 0 || l.RowGroupBytes > maxRowGroupBytes {
		return fmt.Errorf("row groups of %d bytes: 1 to %d are possible", l.RowGroupBytes, maxRowGroupBytes)
	}
	if l.ShardBytes < 0 {
		return fmt.Errorf("shards of %d bytes: a positive number is needed", l.ShardBytes)
	}
	return nil
}

// Split is a named share of the rows.
type Split struct {
	Name     string  `json:"name"`
	Fraction float64 `json:"fraction"`
}

// DefaultSplits puts everything in one split.
var DefaultSplits = []Split{{Name: "train", Fraction: 1}}

// splitName is what Hugging Face datasets accepts for the name of a split.
var splitName = regexp.MustCompile(`^\w+(\.\w+)*$`)

func validateSplits(splits []Split) error {
	sum := 0.0
	seen := map[string]bool{}
	for _, s := range splits {
		switch {
		case !splitName.MatchString(s.Name):
			return fmt.Errorf("split %q: a name is made of letters, digits, _ and dots between them", s.Name)
		case seen[s.Name]:
			return fmt.Errorf("split %q is there twice", s.Name)
		case !(s.Fraction >= 0 && s.Fraction <= 1):
			return fmt.Errorf("split %q: a fraction is in 0..1, not %v", s.Name, s.Fraction)
		}
		seen[s.Name] = true
		sum += s.Fraction
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("the fractions of the splits sum to %v and not to 1", sum)
	}
	return nil
}

// SplitKey is what decides a function's split: its repository, so that nothing of one leaks from a split into
// another, or its id where it has none.
func SplitKey(f *schema.Function) string {
	if f.Repo != "" {
		return "repo:" + f.Repo
	}
	return "function:" + f.ID
}

// SplitOf is the split that a key belongs to, by its hash alone: it stays when rows come or go, and a split that is
// made longer at the cost of the one after it keeps what it had.
func SplitOf(key string, splits []Split) string {
	if len(splits) == 0 {
		splits = DefaultSplits
	}
	const resolution = 1 << 53 // whole numbers up to it are exact in a float64
	at := float64(schema.Seed(0, key, "split")%resolution) / resolution
	sum := 0.0
	last := ""
	for _, s := range splits {
		if s.Fraction == 0 {
			continue
		}
		last = s.Name
		if sum += s.Fraction; at < sum {
			break
		}
	}
	return last
}
