package duplicates

import (
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
)

const (
	// Sketched is how many hashes a sketch has: all of most functions, and of a longer one enough that the standard error of a similarity of
	// 0.85 is 0.03 to 0.05.
	Sketched = 128
	// run is how many tokens are looked at together: fewer are in every function, and of more an edit takes too many along.
	run = 5

	// Anchored is how many anchors there are at most.
	Anchored = 32
	// anchorRun is as much as few functions have in common that are not alike; of so many such runs in a row one is an anchor.
	anchorRun    = 10
	anchorWindow = 6
)

// Signature is what functions are compared by.
type Signature struct {
	// Runs is how many different runs of tokens there are.
	Runs uint32
	// Sketch has the smallest hashes of the runs, in order (Broder 1997, On the resemblance and containment of documents); behind them,
	// where there are fewer, all bits are set.
	Sketch [Sketched]uint32
	// Anchors are hashes of longer runs, the smallest of those that winnowing selects (Schleimer 2003, Winnowing): functions that have 15
	// tokens in a row in common have an anchor in common, as far as there is room for all. Behind them, all bits are set.
	Anchors [Anchored]uint32
}

// Sign makes the signature of a function's tokens.
func Sign(tokens []string) *Signature {
	var s Signature
	runs := smallest(Grams(tokens, run))
	s.Runs = uint32(len(runs))
	fill(s.Sketch[:], runs)
	fill(s.Anchors[:], smallest(winnow(Grams(tokens, anchorRun))))
	return &s
}

// Similarity is the share of the runs of the function that has fewer of them that the other has too, 0 to 1: an estimate where the sketches
// do not hold all. A function of less than half of the other's runs is not similar to it, but at most a part of it.
func Similarity(a, b *Signature) float64 {
	if a.Runs > b.Runs {
		a, b = b, a
	}
	if 2*a.Runs < b.Runs {
		return 0
	}
	// Up to this hash, what is in no sketch is in no function.
	most := min(a.Sketch[Sketched-1], b.Sketch[Sketched-1])
	compared, same, k := 0, 0, 0
	for _, h := range a.Sketch {
		if h > most || h == math.MaxUint32 {
			break
		}
		for k < Sketched && b.Sketch[k] < h {
			k++
		}
		compared++
		if k < Sketched && b.Sketch[k] == h {
			same++
		}
	}
	if compared == 0 {
		return 0
	}
	return float64(same) / float64(compared)
}

// winnow selects the smallest hash of every window, so that two texts with a window in common have one in common.
func winnow(grams []uint64) []uint64 {
	var selected []uint64
	for i := range max(len(grams)-anchorWindow+1, min(len(grams), 1)) {
		selected = append(selected, slices.Min(grams[i:min(i+anchorWindow, len(grams))]))
	}
	return selected
}

// smallest is the different hashes, shortened, in order.
func smallest(hashes []uint64) []uint32 {
	short := make([]uint32, len(hashes))
	for i, h := range hashes {
		short[i] = uint32(h >> 32)
	}
	slices.Sort(short)
	return slices.Compact(short)
}

func fill(into, from []uint32) {
	for i := copy(into, from); i < len(into); i++ {
		into[i] = math.MaxUint32
	}
}

// Grams hashes every run of n tokens; fewer tokens than n are one run.
func Grams(tokens []string, n int) []uint64 {
	hashes := make([]uint64, len(tokens))
	for i, token := range tokens {
		h := fnv.New64a()
		h.Write([]byte(token))
		hashes[i] = mix(h.Sum64())
	}
	n = min(n, len(tokens))
	grams := make([]uint64, 0, len(tokens)-n+1)
	for i := 0; n > 0 && i+n <= len(hashes); i++ {
		var gram uint64
		for _, h := range hashes[i : i+n] {
			gram = mix(bits.RotateLeft64(gram, 5) ^ h)
		}
		grams = append(grams, gram)
	}
	return grams
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
