package shard

import (
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// codec writes what parquet.Zstd writes, byte for byte, and takes a tenth of its memory: that has room for two windows of
// 8 MiB in each encoder, and a page seldom has a twentieth of one.
type codec struct{}

// smallPage is the longest page that a small window holds all of, so that no window is needed.
const smallPage = 512 << 10

// smallPages is one encoder, so that its tables are there once; who compresses while another does waits.
var smallPages = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false), zstd.WithWindowSize(smallPage), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // of the options alone
	}
	return e
})

func (codec) String() string { return parquet.Zstd.String() }

func (codec) CompressionCodec() format.CompressionCodec { return parquet.Zstd.CompressionCodec() }

func (codec) Encode(dst, page []byte) ([]byte, error) {
	if len(page) > smallPage {
		return parquet.Zstd.Encode(dst, page)
	}
	return smallPages().EncodeAll(page, dst[:0]), nil
}

func (codec) Decode(dst, page []byte) ([]byte, error) { return parquet.Zstd.Decode(dst, page) }
