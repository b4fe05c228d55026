package duplicates

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
)

// Options say what a copy is.
type Options struct {
	Exact     bool
	Near      bool
	Threshold float64 // [Similarity] from which on a function is a near copy
	// SortBytes is the memory for sorting; default 64 MiB.
	SortBytes int
}

// MinTokens is the size from which on a function can be a near copy. The tokens of smaller ones say too little: that a variable is
// another one is not in them. Of those of fewer than smallTokens a similarity of smallThreshold is asked for, which is one edit: functions
// of CruxEval that are nobody's copies are alike by up to that much.
const (
	MinTokens      = 24
	smallTokens    = 32
	smallThreshold = 0.9
)

// compared bounds how many earlier functions with one anchor a function is compared with, so that an anchor that is everywhere does not
// cost the square of how many have it.
const compared = 16

// Kind says how a function relates to the one that stands for it.
type Kind uint8

const (
	First Kind = iota // it stands for itself
	Exact
	Near
)

// Found is what stands for each function, by its number.
type Found struct {
	first  []uint32
	kind   []Kind
	copied []bool // it stands for others
}

// Copied says whether the nth function stands for others too.
func (f *Found) Copied(n int) bool { return f.copied[n] }

// Of is the number of the function that stands for the nth, and how the nth relates to it.
func (f *Found) Of(n int) (first int, kind Kind) {
	first = int(f.first[n])
	return int(f.first[first]), f.kind[n] // an exact copy of one that is itself a near copy
}

// Find compares all functions. It works in a directory of its own below dir, which is removed.
func Find(ctx context.Context, files *Files, dir string, options Options) (*Found, error) {
	if files.Len() > math.MaxUint32 {
		return nil, fmt.Errorf("%d functions are more than can be compared at once: build from fewer sources", files.Len())
	}
	if options.SortBytes == 0 {
		options.SortBytes = 64 << 20
	}
	work, err := os.MkdirTemp(dir, "sort-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	f := &finder{files: files, dir: work, options: options, Found: Found{first: make([]uint32, files.Len()), kind: make([]Kind, files.Len())}}
	for n := range f.first {
		f.first[n] = uint32(n)
	}
	if options.Exact {
		if err := f.exact(ctx); err != nil {
			return nil, err
		}
	}
	if options.Near {
		if err := f.near(ctx); err != nil {
			return nil, err
		}
	}
	f.copied = make([]bool, len(f.first))
	for n := range f.first {
		if first, kind := f.Of(n); kind != First {
			f.copied[first] = true
		}
	}
	return &f.Found, nil
}

type finder struct {
	Found
	files   *Files
	dir     string
	options Options
}

// exact goes through the functions by their trees. Records are a tree and a number, big-endian so that they sort by it.
func (f *finder) exact(ctx context.Context) error {
	const size = 16 + 4
	s := newSorter(f.dir, size, f.options.SortBytes)
	defer s.close()
	var record [size]byte
	err := f.files.each(func(n int, r *Record) error {
		if r.Excluded != 0 {
			return nil
		}
		copy(record[:16], r.Tree[:])
		binary.BigEndian.PutUint32(record[16:], uint32(n))
		return s.add(record[:])
	})
	if err != nil {
		return err
	}
	var tree [16]byte
	first, some := uint32(0), false
	return s.each(func(record []byte) error {
		n := binary.BigEndian.Uint32(record[16:])
		if some && [16]byte(record[:16]) == tree {
			f.first[n], f.kind[n] = first, Exact
			return nil
		}
		tree, first, some = [16]byte(record[:16]), n, true
		return ctx.Err()
	})
}

// near goes through pairs of functions that have an anchor in common, by the later one: what stands for the earlier is then known.
func (f *finder) near(ctx context.Context) error {
	pairs, err := f.pairs(ctx)
	if err != nil {
		return err
	}
	defer pairs.close()
	var later, earlier Record
	loaded := -1
	var pair [8]byte
	return pairs.each(func(record []byte) error {
		if loaded >= 0 && bytes.Equal(record, pair[:]) {
			return nil // for another anchor
		}
		copy(pair[:], record)
		n, m := int(binary.BigEndian.Uint32(record)), int(binary.BigEndian.Uint32(record[4:]))
		if f.kind[n] != First {
			return nil
		}
		if n != loaded {
			if err := f.files.At(n, &later); err != nil {
				return err
			}
			loaded = n
		}
		first, _ := f.Of(m)
		if err := f.files.At(first, &earlier); err != nil {
			return err
		}
		if f.alike(&later, &earlier) {
			f.first[n], f.kind[n] = uint32(first), Near
		}
		return ctx.Err()
	})
}

func (f *finder) alike(a, b *Record) bool {
	threshold := f.options.Threshold
	if min(a.Tokens, b.Tokens) < smallTokens {
		threshold = max(threshold, smallThreshold)
	}
	return Similarity(&a.Signature, &b.Signature) >= threshold
}

// pairs is the candidates, each later function before the earlier one.
func (f *finder) pairs(ctx context.Context) (*sorter, error) {
	const size = 4 + 4
	anchors := newSorter(f.dir, size, f.options.SortBytes)
	defer anchors.close()
	var record [size]byte
	err := f.files.each(func(n int, r *Record) error {
		if r.Excluded != 0 || f.kind[n] != First || r.Tokens < MinTokens {
			return nil
		}
		for _, anchor := range r.Signature.Anchors {
			if anchor == math.MaxUint32 {
				break
			}
			binary.BigEndian.PutUint32(record[:], anchor)
			binary.BigEndian.PutUint32(record[4:], uint32(n))
			if err := anchors.add(record[:]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	pairs := newSorter(f.dir, 8, f.options.SortBytes)
	var anchor uint32
	var members []uint32
	var pair [8]byte
	err = anchors.each(func(record []byte) error {
		if a := binary.BigEndian.Uint32(record); a != anchor {
			anchor, members = a, members[:0]
		}
		n := binary.BigEndian.Uint32(record[4:])
		for _, m := range members {
			binary.BigEndian.PutUint32(pair[:], n)
			binary.BigEndian.PutUint32(pair[4:], m)
			if err := pairs.add(pair[:]); err != nil {
				return err
			}
		}
		if len(members) < compared {
			members = append(members, n)
		}
		return ctx.Err()
	})
	if err != nil {
		pairs.close()
		return nil, err
	}
	return pairs, nil
}
