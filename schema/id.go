package schema

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
)

// idLength is the length of an id in hex characters: 128 bits, so that a collision is out of the question in
// any corpus, at half the storage of a full SHA-256.
const idLength = 32

// ID is the content hash of parts: SHA-256 over the kind and each part with its length before it, as 32
// lower-case hex characters. Equal parts give equal ids on every machine and in every run.
func ID(kind string, parts ...string) string {
	size := 8 + len(kind)
	for _, part := range parts {
		size += 8 + len(part)
	}
	b := appendPart(make([]byte, 0, size), kind)
	for _, part := range parts {
		b = appendPart(b, part)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:idLength/2])
}

func appendPart(b []byte, part string) []byte {
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(part))), part...)
}

// Seed is a random seed made of the build's seed and the id of the thing that choices are made for, so that
// no choice depends on the order in which things are worked on.
func Seed(seed uint64, id, purpose string) uint64 {
	b := make([]byte, 0, 128)
	b = binary.LittleEndian.AppendUint64(b, seed)
	b = append(append(append(b, purpose...), 0), id...)
	sum := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(sum[:])
}

func formatUint(n uint64) string { return strconv.FormatUint(n, 10) }
