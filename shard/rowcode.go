package shard

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"

	"github.com/tracemill/tracemill/schema"
)

// How a part's file holds a row: its fields in their order, and nothing of their names. An int32 or int64 is a zigzag varint, a
// bool a byte, a string its length as a varint and its bytes, a list its length and its items, an item of several fields those.

// encodeRow adds a row to b.
func encodeRow[T schema.Row](b []byte, row *T) []byte {
	return appendFields(b, reflect.ValueOf(row).Elem())
}

func appendFields(b []byte, v reflect.Value) []byte {
	for i := range v.NumField() {
		switch p := v.Field(i).Addr().Interface().(type) {
		case *string:
			b = appendText(b, *p)
		case *int32:
			b = binary.AppendVarint(b, int64(*p))
		case *int64:
			b = binary.AppendVarint(b, *p)
		case *bool:
			b = appendBool(b, *p)
		case *[]string:
			b = binary.AppendUvarint(b, uint64(len(*p)))
			for _, s := range *p {
				b = appendText(b, s)
			}
		case *[]int32:
			b = binary.AppendUvarint(b, uint64(len(*p)))
			for _, n := range *p {
				b = binary.AppendVarint(b, int64(n))
			}
		case *[]bool:
			b = binary.AppendUvarint(b, uint64(len(*p)))
			for _, yes := range *p {
				b = appendBool(b, yes)
			}
		default:
			list := v.Field(i)
			b = binary.AppendUvarint(b, uint64(list.Len()))
			for k := range list.Len() {
				b = appendFields(b, list.Index(k))
			}
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendBool(b []byte, yes bool) []byte {
	if yes {
		return append(b, 1)
	}
	return append(b, 0)
}

var errRowCode = errors.New("its bytes are no row of the table")

// decodeRow reads what encodeRow made, and all of it. It overwrites a row, whose lists it may use again; strings share the memory of one.
func decodeRow[T schema.Row](code []byte, row *T) error {
	d := rowDecoder{code: code, text: string(code)}
	d.fields(reflect.ValueOf(row).Elem())
	if d.bad || d.at != len(code) {
		return errRowCode
	}
	return nil
}

// rowDecoder reads zeros and empty strings once something was bad.
type rowDecoder struct {
	code []byte
	text string // the same bytes
	at   int
	bad  bool
}

func (d *rowDecoder) fields(v reflect.Value) {
	for i := range v.NumField() {
		switch p := v.Field(i).Addr().Interface().(type) {
		case *string:
			*p = d.string()
		case *int32:
			*p = d.int32()
		case *int64:
			*p = d.int64()
		case *bool:
			*p = d.bool()
		case *[]string:
			*p = sized(*p, d.length())
			for k := range *p {
				(*p)[k] = d.string()
			}
		case *[]int32:
			*p = sized(*p, d.length())
			for k := range *p {
				(*p)[k] = d.int32()
			}
		case *[]bool:
			*p = sized(*p, d.length())
			for k := range *p {
				(*p)[k] = d.bool()
			}
		default:
			list, n := v.Field(i), d.length()
			if list.Cap() < n {
				list.Set(reflect.MakeSlice(list.Type(), n, n))
			}
			list.SetLen(n)
			for k := range n {
				d.fields(list.Index(k))
			}
		}
	}
}

// sized is a list of n items, the same one where it has room.
func sized[E any](list []E, n int) []E { return slices.Grow(list[:0], n)[:n] }

// length is that of a string or a list: no more than there are bytes left, as no item takes less than one.
func (d *rowDecoder) length() int {
	n, size := binary.Uvarint(d.code[d.at:])
	if d.bad || size <= 0 || n > uint64(len(d.code)-d.at-size) {
		d.bad = true
		return 0
	}
	d.at += size
	return int(n)
}

func (d *rowDecoder) string() string {
	n := d.length()
	d.at += n
	return d.text[d.at-n : d.at]
}

func (d *rowDecoder) int64() int64 {
	n, size := binary.Varint(d.code[d.at:])
	if d.bad || size <= 0 {
		d.bad = true
		return 0
	}
	d.at += size
	return n
}

func (d *rowDecoder) int32() int32 {
	n := d.int64()
	if n < math.MinInt32 || n > math.MaxInt32 {
		d.bad = true
	}
	return int32(n)
}

func (d *rowDecoder) bool() bool {
	if d.bad || d.at == len(d.code) || d.code[d.at] > 1 {
		d.bad = true
		return false
	}
	d.at++
	return d.code[d.at-1] == 1
}
