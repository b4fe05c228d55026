package shard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// planVersion is the version of the plan and the commits.
//
//	1  first
//	2  the rows of parts are gob, no Parquet
//	3  the rows of parts are told apart by split, and no gob
const planVersion = 3

// Plan is what a build makes: everything that its output depends on, and the parts it is made in. It is written once.
type Plan struct {
	Version int `json:"version"` // set by Open
	Schema  int `json:"schema"`  // version of the tables, set by Open

	// Settings are the settings that change the output, by name, each as text: a build that is opened with
	// others names those that differ. Inputs, image and tracer belong here as their digests.
	Settings map[string]string `json:"settings"`
	Seed     uint64            `json:"seed"`
	Splits   []Split           `json:"splits"` // none: DefaultSplits
	Layout   Layout            `json:"layout"`
	Parts    []PartPlan        `json:"parts"` // in the order in which their rows are published
}

// PartPlan is a part: the smallest piece that is done, committed and skipped as a whole. Items are numbered in the
// order of the build's input.
type PartPlan struct {
	ID    string `json:"id"`
	First int64  `json:"first"` // number of its first item
	Count int64  `json:"count"`
}

// PartID is the id of the n-th part, such that ids are in the order of the parts.
func PartID(n int) string { return fmt.Sprintf("part-%06d", n) }

// SplitParts cuts a number of items into parts of at most size items.
func SplitParts(items, size int64) []PartPlan {
	var parts []PartPlan
	for first := int64(0); first < items; first += size {
		parts = append(parts, PartPlan{ID: PartID(len(parts)), First: first, Count: min(size, items-first)})
	}
	return parts
}

// Digest is the SHA-256 of the plan, in hex.
func (p *Plan) Digest() string {
	full := p.complete()
	sum := sha256.Sum256(encode(&full))
	return hex.EncodeToString(sum[:])
}

func (p *Plan) complete() Plan {
	full := *p
	full.Version, full.Schema = planVersion, schema.Version
	full.Layout = p.Layout.withDefaults()
	if len(full.Splits) == 0 {
		full.Splits = DefaultSplits
	}
	if full.Settings == nil {
		full.Settings = map[string]string{}
	}
	if full.Parts == nil {
		full.Parts = []PartPlan{}
	}
	return full
}

// partName keeps ids what a file name may be on every file system and in every object store.
var partName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$`)

func (p *Plan) validate() error {
	if err := validateSplits(p.Splits); err != nil {
		return err
	}
	if err := p.Layout.validate(); err != nil {
		return err
	}
	seen := make(map[string]bool, len(p.Parts))
	for _, part := range p.Parts {
		if !partName.MatchString(part.ID) {
			return fmt.Errorf("part %q: an id is made of at most 100 letters, digits, _ and -", part.ID)
		}
		if seen[part.ID] {
			return fmt.Errorf("part %q is there twice", part.ID)
		}
		seen[part.ID] = true
	}
	return nil
}

func parsePlan(data []byte) (*Plan, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var p Plan
	if err := decoder.Decode(&p); err != nil {
		return nil, err
	}
	return &p, p.validate()
}

// Difference is a setting that two plans have different values of; "" for one that a plan does not have.
type Difference struct{ Setting, There, Now string }

// MismatchError says that an output directory holds a build of another plan.
type MismatchError struct {
	Dir    string
	Differ []Difference
}

func (e *MismatchError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s holds a build with other settings:\n", e.Dir)
	for _, d := range e.Differ {
		fmt.Fprintf(&b, "  %s: there %s, now %s\n", d.Setting, shown(d.There), shown(d.Now))
	}
	b.WriteString("choose another output directory, or remove this one to build it anew")
	return b.String()
}

func shown(value string) string {
	const most = 100
	if value == "" {
		return "nothing"
	}
	if len(value) > most {
		value = strings.ToValidUTF8(value[:most], "") + "..."
	}
	if strings.ContainsAny(value, "\n\t") {
		return strconv.Quote(value)
	}
	return value
}

// differences lists the settings by which two plans differ, by name.
func differences(there, now *Plan) []Difference {
	a, b := there.flat(), now.flat()
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var differ []Difference
	for _, name := range names {
		if a[name] != b[name] {
			differ = append(differ, Difference{name, a[name], b[name]})
		}
	}
	return differ
}

func (p *Plan) flat() map[string]string {
	full := p.complete()
	flat := maps.Clone(full.Settings)
	flat["plan version"] = strconv.Itoa(p.Version)
	flat["schema version"] = strconv.Itoa(p.Schema)
	flat["seed"] = strconv.FormatUint(p.Seed, 10)
	flat["row group bytes"] = strconv.FormatInt(full.Layout.RowGroupBytes, 10)
	flat["shard bytes"] = strconv.FormatInt(full.Layout.ShardBytes, 10)
	var splits []string
	for _, s := range full.Splits {
		splits = append(splits, fmt.Sprintf("%s %v", s.Name, s.Fraction))
	}
	flat["splits"] = strings.Join(splits, ", ")
	var items int64
	for _, part := range p.Parts {
		items += part.Count
	}
	sum := sha256.Sum256(encode(full.Parts))
	flat["parts"] = fmt.Sprintf("%d parts of %d items (%x)", len(p.Parts), items, sum[:4])
	return flat
}
