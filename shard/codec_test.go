package shard

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestCodec compares pages of every size around the limits with those of the library's codec, byte for byte.
func TestCodec(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 1000, 127 << 10, 128 << 10, 129 << 10, 300 << 10, smallPage - 1, smallPage, smallPage + 1, 3 << 20} {
		page := make([]byte, 0, size+64)
		for len(page) < size { // what compresses as rows do: old stretches again, near and far, and something new
			if len(page) > 100 && random.IntN(4) > 0 {
				from := random.IntN(len(page) - 50)
				page = append(page, page[from:from+1+random.IntN(49)]...)
			} else {
				page = append(page, byte(random.IntN(64)))
			}
		}
		page = page[:size]
		want, err := parquet.Zstd.Encode(nil, page)
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec{}.Encode(nil, page)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: got %d, want %d, not the same: %v", size, len(got), len(want), err)
		}
		back, err := codec{}.Decode(nil, got)
		if err != nil || !bytes.Equal(back, page) {
			t.Errorf("%d bytes: read back as %d: %v", size, len(back), err)
		}
	}
}
