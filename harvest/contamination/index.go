// Package contamination finds functions that are, hold, or are cut from solutions of benchmarks.
//
// An Index is filled with the functions of benchmarks and asked about others. It is as large as the benchmarks are, and not changed by
// being asked, so that several goroutines may ask.
package contamination

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/tracemill/tracemill/harvest/duplicates"
)

// Options say what a match is. Zero fields take the defaults.
type Options struct {
	// NGram is the length of the runs of tokens that are compared; default 13, as for the evaluation of GPT-3 (arXiv 2005.14165).
	NGram int `yaml:"ngram" json:"ngram" jsonschema:"description=Tokens of a run that is compared with those of benchmarks"`
	// Overlap is the share of the smaller function's runs that the other has too from which on they match; default 0.5.
	Overlap float64 `yaml:"overlap" json:"overlap" jsonschema:"description=Share of the smaller function's runs that the other has too"`
	// MinTokens is the size below which a function is trivial, and matches nothing; default 14: `def f(x): return x + 1` has ten.
	MinTokens int `yaml:"min_tokens" json:"min_tokens" jsonschema:"description=Smaller functions are trivial and match nothing"`
}

// WithDefaults is the options with the zero fields filled in.
func (o Options) WithDefaults() Options {
	if o.NGram == 0 {
		o.NGram = 13
	}
	if o.Overlap == 0 {
		o.Overlap = 0.5
	}
	if o.MinTokens == 0 {
		o.MinTokens = 14
	}
	return o
}

// Validate says what is wrong with the options.
func (o Options) Validate() error {
	o = o.WithDefaults()
	if o.NGram < 1 || o.MinTokens < 1 || !(o.Overlap > 0 && o.Overlap <= 1) {
		return fmt.Errorf("ngram and min_tokens must be at least 1, overlap above 0 and at most 1")
	}
	return nil
}

// Function is what is compared.
type Function struct {
	Text   string // its source
	Tree   string // digest of its normalised tree
	Tokens []string
}

// Kind says how a function matches.
type Kind string

const (
	Exact Kind = "exact"  // the same text, but for white space
	Tree  Kind = "tree"   // the same normalised tree
	NGram Kind = "n-gram" // runs of tokens in common
)

// Match is a benchmark's function that another matches.
type Match struct {
	Kind      Kind
	Benchmark string
	Of        string  // the benchmark's item
	Overlap   float64 // of the smaller function's runs; 1 unless Kind is NGram
}

func (m *Match) String() string {
	if m.Kind == NGram {
		return fmt.Sprintf("%s match of %s: %.0f %% of the runs", m.Kind, m.Of, 100*m.Overlap)
	}
	return fmt.Sprintf("%s match of %s", m.Kind, m.Of)
}

// Index is the functions of benchmarks.
type Index struct {
	options Options
	from    []string // per function, its benchmark
	of      []string // per function, its item
	sizes   []int    // per function, its different runs
	texts   map[[16]byte]int
	trees   map[string]int
	grams   map[uint64][]int32 // run to functions
	allowed map[string]bool    // trees
}

// New is an empty index.
func New(o Options) *Index {
	return &Index{options: o.WithDefaults(), texts: map[[16]byte]int{}, trees: map[string]int{}, grams: map[uint64][]int32{}, allowed: map[string]bool{}}
}

// Len is the number of functions that can be matched.
func (x *Index) Len() int { return len(x.of) }

// Allow makes a function, and all of the same tree, match nothing. It is called before Add.
func (x *Index) Allow(f *Function) { x.allowed[f.Tree] = true }

// Add takes a benchmark's function. It is false for one that is trivial or allowed.
func (x *Index) Add(benchmark, of string, f *Function) bool {
	if !x.counts(f) {
		return false
	}
	n := len(x.of)
	grams := x.runs(f)
	x.from, x.of, x.sizes = append(x.from, benchmark), append(x.of, of), append(x.sizes, len(grams))
	put(x.texts, textKey(f.Text), n)
	put(x.trees, f.Tree, n)
	for _, g := range grams {
		x.grams[g] = append(x.grams[g], int32(n))
	}
	return true
}

func put[K comparable](m map[K]int, key K, n int) {
	if _, ok := m[key]; !ok {
		m[key] = n // the first names the match
	}
}

// Match finds the benchmark's function that another is closest to, nil when it matches none.
func (x *Index) Match(f *Function) *Match {
	if !x.counts(f) {
		return nil
	}
	if n, ok := x.texts[textKey(f.Text)]; ok {
		return &Match{Exact, x.from[n], x.of[n], 1}
	}
	if n, ok := x.trees[f.Tree]; ok {
		return &Match{Tree, x.from[n], x.of[n], 1}
	}
	grams := x.runs(f)
	common := map[int32]int{}
	for _, g := range grams {
		for _, n := range x.grams[g] {
			common[n]++
		}
	}
	best := Match{Kind: NGram}
	number := int32(-1)
	for n, c := range common {
		overlap := float64(c) / float64(min(len(grams), x.sizes[n]))
		if overlap > best.Overlap || overlap == best.Overlap && n < number {
			best.Overlap, number = overlap, n
		}
	}
	if number < 0 || best.Overlap < x.options.Overlap {
		return nil
	}
	best.Benchmark, best.Of = x.from[number], x.of[number]
	return &best
}

func (x *Index) counts(f *Function) bool {
	return len(f.Tokens) >= x.options.MinTokens && !x.allowed[f.Tree]
}

// runs is a function's different runs.
func (x *Index) runs(f *Function) []uint64 {
	grams := duplicates.Grams(f.Tokens, x.options.NGram)
	slices.Sort(grams)
	return slices.Compact(grams)
}

// textKey leaves white space out.
func textKey(text string) [16]byte {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
	return [16]byte(sum[:16])
}
