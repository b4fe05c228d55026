package duplicates

import (
	"hash/fnv"
	"math"
	"math/bits"
)

const (
	// Hashes is the length of a signature: the standard error of a similarity of 0.85 is then 0.03.
	Hashes = 128
	// shingle is how many tokens are looked at together: fewer are in every function, and of more there are too few.
	shingle = 5
)

// Signature is the MinHash of a function's token shingles: the share of places at which two signatures are equal is an estimate
// of the shingles that the functions have in common (Broder 1997, On the resemblance and containment of documents).
type Signature [Hashes]uint32

// Sign makes the signature of a function's tokens.
func Sign(tokens []string) *Signature {
	var s Signature
	for i := range s {
		s[i] = math.MaxUint32
	}
	for _, h := range Grams(tokens, shingle) {
		for i := range s {
			// Multiply-add-shift with constants from a fixed sequence: one hash function per place.
			if v := uint32((h*multipliers[i] + addends[i]) >> 32); v < s[i] {
				s[i] = v
			}
		}
	}
	return &s
}

// Similarity is the share of places at which two signatures are equal, 0 to 1.
func Similarity(a, b *Signature) float64 {
	same := 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return float64(same) / Hashes
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

var multipliers, addends = hashFamily()

// hashFamily draws the constants from a SplitMix64 sequence: signatures are written to disk, and must not change.
func hashFamily() (multipliers, addends [Hashes]uint64) {
	var state uint64
	next := func() uint64 {
		state += 0x9e3779b97f4a7c15
		return mix(state)
	}
	for i := range multipliers {
		multipliers[i], addends[i] = next()|1, next()
	}
	return multipliers, addends
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// bandRows is how many places of a signature make a band: two functions are compared where a whole band is equal. It is the largest
// number by which functions at the threshold are missed in at most one of a hundred pairs.
func bandRows(threshold float64) int {
	rows := 1
	for r := 2; r <= Hashes; r *= 2 {
		if missed := math.Pow(1-math.Pow(threshold, float64(r)), float64(Hashes/r)); missed > 0.01 {
			break
		}
		rows = r
	}
	return rows
}
