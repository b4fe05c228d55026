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
	h := sha256.New()
	var length [8]byte
	write := func(s string) {
		binary.LittleEndian.PutUint64(length[:], uint64(len(s)))
		h.Write(length[:])
		h.Write([]byte(s))
	}
	write(kind)
	for _, part := range parts {
		write(part)
	}
	return hex.EncodeToString(h.Sum(nil))[:idLength]
}

// Seed is a random seed made of the build's seed and the id of the thing that choices are made for, so that
// no choice depends on the order in which things are worked on.
func Seed(seed uint64, id, purpose string) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h := sha256.New()
	h.Write(b[:])
	h.Write([]byte(purpose))
	h.Write([]byte{0})
	h.Write([]byte(id))
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

func formatUint(n uint64) string { return strconv.FormatUint(n, 10) }
