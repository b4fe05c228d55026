package pipelines

import (
	"crypto/sha256"
	"fmt"
	"iter"

	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
)

// cursor looks rows of one split up by id. Builds store the rows of all tables in the same order, so that the next row asked
// for is nearly always at or after the last; where it is not, the table is searched.
type cursor[R schema.Row, T any] struct {
	dataset *shard.Dataset
	split   string
	convert func(*R) (*T, error)
	next    func() (*R, error, bool)
	stop    func()
	id      string
	item    *T
	missed  map[string]bool // ids that were searched for and are not there
}

func newCursor[R schema.Row, T any](d *shard.Dataset, split string, convert func(*R) (*T, error)) *cursor[R, T] {
	c := &cursor[R, T]{dataset: d, split: split, convert: convert, missed: map[string]bool{}}
	c.rewind()
	return c
}

func (c *cursor[R, T]) rewind() {
	c.close()
	c.next, c.stop = iter.Pull2(shard.Rows[R](c.dataset, c.split))
	c.id, c.item = "", nil
}

func (c *cursor[R, T]) close() {
	if c.stop != nil {
		c.stop()
	}
}

// get is the item with this id, nil when there is none in the split, or none that can be read.
func (c *cursor[R, T]) get(id string) *T {
	if c.id == id || c.missed[id] {
		if c.missed[id] {
			return nil
		}
		return c.item
	}
	for {
		row, err, ok := c.next()
		if !ok || err != nil {
			break
		}
		if key, _ := schema.KeyOf(row); key == id {
			return c.take(row)
		}
	}
	row, err := shard.Find[R](c.dataset, id)
	if err != nil || row == nil {
		c.missed[id] = true
		return nil
	}
	if _, split := schema.KeyOf(row); split != c.split {
		c.missed[id] = true
		return nil
	}
	c.rewind()
	return c.take(row)
}

func (c *cursor[R, T]) take(row *R) *T {
	c.id, _ = schema.KeyOf(row)
	item, err := c.convert(row)
	if err != nil {
		item = nil
	}
	c.item = item
	return item
}

// lookup is the rows of one split that others refer to.
type lookup struct {
	split     string
	functions *cursor[schema.FunctionRow, schema.Function]
	traces    *cursor[schema.TraceRow, schema.Trace]
	last      *subject
	origins   map[origin]bool // of the functions that were checked
}

// origin is a function's id and where a row says that it is from, of which there are several where copies are kept, as a digest.
type origin [sha256.Size]byte

func originOf(function, repo, path, license string) origin {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", function, repo, path, license))
}

func newLookup(d *shard.Dataset, split string) *lookup {
	return &lookup{
		split: split, functions: newCursor(d, split, schema.RowToFunction), traces: newCursor(d, split, schema.RowToTrace),
		origins: map[origin]bool{},
	}
}

func (j *lookup) close() {
	j.functions.close()
	j.traces.close()
}

func (j *lookup) rewind() {
	j.functions.rewind()
	j.traces.rewind()
	j.last = nil
}

// subject is a trace with its function and tree, nil when one of them is not there.
func (j *lookup) subject(traceID string) *subject {
	if j.last != nil && j.last.trace.ID == traceID {
		return j.last
	}
	trace := j.traces.get(traceID)
	if trace == nil {
		return nil
	}
	function := j.functions.get(trace.FunctionID)
	if function == nil {
		return nil
	}
	s, err := newSubject(function, trace)
	if err != nil {
		return nil
	}
	j.last = s
	return s
}

// splitIndex is where every function was seen, and whatever decides its split.
type splitIndex struct{ of map[string]string }

// there says that a function was seen before.
func (s *splitIndex) there(f *schema.Function) string {
	if split, ok := s.of["function:"+f.ID]; ok {
		return "the function is there already, in split " + split
	}
	return ""
}

// add says what is in two splits: a function, or what decided where it is.
func (s *splitIndex) add(f *schema.Function, decided, split string) string {
	fault := ""
	for _, key := range []string{"function:" + f.ID, decided} {
		if was, ok := s.of[key]; ok && was != split {
			fault = fmt.Sprintf("%s is in the splits %s and %s", key, was, split)
		}
		s.of[key] = split
	}
	return fault
}
