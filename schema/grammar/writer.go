package grammar

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tracemill/tracemill/schema"
)

// writer builds a text and knows at each moment how many code points it has.
type writer struct {
	b         strings.Builder
	chars     int
	predicted bool // what is written now is for a model to predict
	targets   []schema.Target
	ends      []int32
}

// newWriter makes room for a document's code and a typical state each.
func newWriter(d *schema.Document) *writer {
	w := &writer{
		targets: make([]schema.Target, 0, 3*len(d.States)),
		ends:    make([]int32, 0, len(d.States)),
	}
	w.b.Grow(len(d.Code) + 192*(len(d.States)+1))
	return w
}

// token writes ASCII text: tokens and punctuation.
func (w *writer) token(t string) {
	w.b.WriteString(t)
	w.chars += len(t)
}

// raw writes text as it is.
func (w *writer) raw(s string) {
	w.b.WriteString(s)
	w.chars += utf8.RuneCountInString(s)
}

// target makes everything since from a target, unless it is given to the model.
func (w *writer) target(kind schema.TargetKind, from int) {
	if w.predicted {
		w.targets = append(w.targets, schema.Target{Start: int32(from), End: int32(w.chars), Kind: kind})
	}
}

func (w *writer) event(token string) {
	from := w.chars
	w.token(token)
	w.target(schema.TargetEvent, from)
}

func (w *writer) source(line string) {
	from := w.chars
	w.raw(line)
	w.target(schema.TargetSource, from)
}

// value writes what a state returns, yields or raises: a JSON string, null for an unwind.
func (w *writer) value(s *schema.State) {
	from := w.chars
	if s.Kind == schema.KindUnwind {
		w.token("null")
	} else {
		w.quoted(s.Value)
	}
	w.target(schema.TargetValue, from)
}

func (w *writer) exit(token string) {
	from := w.chars
	w.token(token)
	w.target(schema.TargetExit, from)
}

// endState says that the state is written, and with it all that a document cut here has.
func (w *writer) endState() {
	w.ends = append(w.ends, int32(w.chars))
	w.predicted = true
}

func (w *writer) text() (*Text, error) {
	if w.chars > math.MaxInt32 {
		return nil, fmt.Errorf("the text has %d characters, more than offsets can count: lower the cap on characters", w.chars)
	}
	return &Text{Text: w.b.String(), Targets: w.targets, Ends: w.ends, Chars: w.chars}, nil
}
