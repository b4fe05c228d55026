package harvest

import (
	"context"
	"iter"
	"path/filepath"

	"github.com/tracemill/tracemill/schema"
)

// Source gives items. Items are numbered from 0 in an order that only the content decides. Its methods may be
// called by several goroutines.
type Source interface {
	Name() string
	// Scan lists what the source holds, in the order of its items, for a build's plan. Memory does not grow with it.
	Scan(ctx context.Context, visit func(Listing) error) error
	// Items gives the items from to (excluded) of what Scan lists; an item that cannot be read has an Err. The error
	// ends the sequence, and means that the source as a whole cannot be read.
	Items(ctx context.Context, from, to int) iter.Seq2[Item, error]
	Close() error
}

// Listing is one file of a source.
type Listing struct {
	Path   string // as Origin.Path
	Items  int    // in the file
	Bytes  int64  // of the file as it lies on the disk
	SHA256 string // of the same, hex; of the error's kind for a file that cannot be read

	License string // that the source found for the file beside it; part of what the file gives
	// Revision is the one of the file's checkout that its items say.
	Revision string
	Tests    string // digest of the test files that give the file's functions cases; "" without
}

// Item is a file or a row, before its Python is looked at.
type Item struct {
	schema.Origin
	Kind      Kind   // of the file; "" for a row without a path of its own
	ID        string // the data set's own name of the row, for messages
	Source    []byte // bytes of a file, in the encoding that it declares
	Text      string // the program, where the source gives text and Source is nil
	Entry     string // entry point; schema.ModuleEntry where the program is run and not called; "" for every function at top level or, where there are Tests, the one that they call
	Inputs    []Input
	Tests     []string   // texts with asserts about calls of the entry, or of a parameter named candidate that stands for it
	TestFiles []TestFile // of the module that the file is, nearest first
	Imports   bool       // the program comes from a site that imports names for it: analyzer/leetcode.py
	Left      []leftOut  // cases that the source itself left out
	Err       *Drop      // the item could not be read; the rest is empty but for Origin
}

// String names the item as messages do.
func (i *Item) String() string { return itemName(i.Origin, i.ID) }

func itemName(o schema.Origin, id string) string {
	if id == "" {
		return o.String()
	}
	return o.String() + " (" + id + ")"
}

// Input is one input that the source itself gives.
type Input struct {
	Args        string // argument list: the call is Entry(Args)
	Call        string // the whole call expression, instead of Args
	Stdin       string // all of standard input, where the item's entry is schema.ModuleEntry: there is no call
	Expected    string
	HasExpected bool
}

// leftOut is a case that a source could not read.
type leftOut struct {
	reason Reason
	detail string
}

func (i *Item) drop(reason Reason, detail string) *Drop {
	return &Drop{Level: LevelItem, Origin: i.Origin, ID: i.ID, Reason: reason, Detail: detail}
}

func baseName(path string) string { return filepath.Base(filepath.Clean(path)) }
