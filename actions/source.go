package actions

import (
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// listing is the text that ran: its lines, and the numbers of their distinct texts, which breakpoints are set on.
type listing struct {
	executed schema.Executed
	lines    []string
	number   map[string]int32
	texts    []string
	ofLine   []int32 // per line, from 0: the number of its text
	blocks   []schema.Block
}

func newListing(fn *schema.Function, trace *schema.Trace) *listing {
	l := &listing{
		executed: trace.Executed(fn.Program),
		number:   map[string]int32{},
		blocks:   fn.Blocks,
	}
	l.lines = schema.Lines(l.executed.Text)
	l.ofLine = make([]int32, len(l.lines))
	for i, text := range l.lines {
		n, ok := l.number[text]
		if !ok {
			n = int32(len(l.texts))
			l.number[text] = n
			l.texts = append(l.texts, text)
		}
		l.ofLine[i] = n
	}
	entry := schema.Block{Start: l.executed.Line, Def: l.executed.Line, End: int32(len(l.lines)), Name: l.executed.Entry}
	switch {
	case trace.Wrapper == schema.WrapModule:
		l.blocks = append([]schema.Block{entry}, l.blocks...)
	case entry.Start > 0:
		l.blocks = append(l.blocks[:len(l.blocks):len(l.blocks)], entry)
	}
	return l
}

// line is a line's text, "" for a line that there is none of: the interpreter has no line for some events.
func (l *listing) line(n int32) string {
	if n < 1 || int(n) > len(l.lines) {
		return ""
	}
	return l.lines[n-1]
}

// textOf is the number of a line's text, none when there is no such line.
func (l *listing) textOf(line int32) int32 {
	if line < 1 || int(line) > len(l.lines) {
		return none
	}
	return l.ofLine[line-1]
}

// source is the line that event i shows. The interpreter reports the call of a decorated definition at its first
// decorator; what is shown is its def line, as that names the function. A program's call is where the interpreter has it: up to 3.9 at
// the first line that runs, in 3.10 at line 1, from 3.11 at none.
func (l *listing) source(trace *schema.Trace, i int32) string {
	e := &trace.Events[i]
	if code := trace.CodeOf(int(i)); e.Kind == schema.KindCall && e.Line == code.FirstLine && code.Name != schema.ModuleEntry {
		return l.line(l.defLine(code))
	}
	return l.line(e.Line)
}

// defLine is the line of a code object's definition: its first line, when it is no block's.
func (l *listing) defLine(code schema.Code) int32 {
	if b := l.definition(code); b >= 0 {
		return l.blocks[b].Def
	}
	return code.FirstLine
}

// definition is the block that a code object was compiled from, -1 when it is none's: a lambda, a comprehension.
func (l *listing) definition(code schema.Code) int {
	for b := range l.blocks {
		if l.blocks[b].Name != code.Name || code.Name == "" {
			continue
		}
		if l.blocks[b].Start == code.FirstLine || code.Name == schema.ModuleEntry {
			return b
		}
	}
	return -1
}

// shownWith is the block that is shown when code is: its own, or the innermost one that it stands in.
func (l *listing) shownWith(code schema.Code) int {
	if b := l.definition(code); b >= 0 {
		return b
	}
	found := -1
	for b := range l.blocks {
		if l.blocks[b].Start <= code.FirstLine && code.FirstLine <= l.blocks[b].End {
			found = b // inner ones come later
		}
	}
	return found
}

// excerpt is the text of the blocks that code objects stand in, in order and without repeating one that lies in
// another, and where the definition of entry is in it (0: not there). Blocks are parted by an empty line. Where a
// code object stands in no block, the excerpt is the whole text.
func (l *listing) excerpt(codes []schema.Code, entry schema.Code) (text string, entryLine int32) {
	shown := make([]bool, len(l.blocks))
	for _, code := range codes {
		b := l.shownWith(code)
		if b < 0 {
			return l.executed.Text, l.defLine(entry)
		}
		shown[b] = true
	}
	def := l.defLine(entry)
	var out strings.Builder
	written, lines := int32(0), int32(0)
	for b, block := range l.blocks {
		if !shown[b] || block.End <= written {
			continue
		}
		if lines > 0 {
			out.WriteByte('\n')
			lines++
		}
		for n := max(block.Start, written+1); n <= block.End; n++ {
			out.WriteString(l.line(n))
			out.WriteByte('\n')
			lines++
			if n == def {
				entryLine = lines
			}
		}
		written = block.End
	}
	return out.String(), entryLine
}
