package harvest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// Slice says how much of its module a function's program is.
type Slice string

const (
	SliceModule  Slice = "module"  // all of it
	SliceMinimal Slice = "minimal" // the top-level statements that the function reaches: analyzer/slicing.py
)

// lineRange is first and last, 1-based and inclusive, of an item's lines.
type lineRange [2]int32

// checkRanges says why ranges cannot be a slice of a program in which the function is at lines start to end.
func checkRanges(ranges []lineRange, f *answerFunction, lines int32) error {
	last := int32(0)
	holds := len(ranges) == 0
	for _, r := range ranges {
		if r[0] <= last || r[1] < r[0] || r[1] > lines {
			return fmt.Errorf("the analyzer's answer: function %q is cut to lines %d to %d of %d, after %d", f.Name, r[0], r[1], lines, last)
		}
		holds = holds || r[0] <= f.Start && f.End <= r[1]
		last = r[1]
	}
	if !holds {
		return fmt.Errorf("the analyzer's answer: function %q is cut off", f.Name)
	}
	return nil
}

// module is an item's program, split once for all functions in it.
type module struct {
	program string
	lines   []string
	blocks  []schema.Block
}

func newModule(a *answer) *module {
	m := &module{program: a.Program, lines: schema.Lines(a.Program), blocks: make([]schema.Block, len(a.Blocks))}
	for i, b := range a.Blocks {
		m.blocks[i] = schema.Block(b)
	}
	return m
}

// cut makes f's program, as the answer says, and what f says of lines is then about the program.
func (m *module) cut(f *schema.Function, a *answerFunction) {
	f.Program, f.Blocks = m.program, m.blocks
	f.SourceStart, f.SourceEnd = f.StartLine, f.EndLine
	ranges := a.Slice
	if len(ranges) == 0 {
		if a.Suffix == "" {
			return
		}
		ranges = []lineRange{{1, int32(len(m.lines))}}
	}
	at := make([]int32, len(m.lines)+1) // line of the program, by line of the module; 0: it is not there
	var text strings.Builder
	for _, r := range ranges {
		for n := r[0]; n <= r[1]; n++ {
			f.Lines = append(f.Lines, n)
			at[n] = int32(len(f.Lines))
			text.WriteString(m.lines[n-1])
			text.WriteByte('\n')
		}
	}
	if a.Suffix != "" {
		added := schema.Lines(a.Suffix)
		text.WriteString(a.Suffix)
		f.Lines = append(f.Lines, make([]int32, len(added))...)
	}
	f.Program = text.String()
	f.StartLine, f.EndLine = at[f.SourceStart], at[f.SourceEnd]
	f.Blocks = nil
	for _, b := range m.blocks {
		if at[b.Start] > 0 && at[b.End] > 0 {
			f.Blocks = append(f.Blocks, schema.Block{Start: at[b.Start], Def: at[b.Def], End: at[b.End], Name: b.Name})
		}
	}
	f.Blocks = appendHelper(f.Blocks, a.Suffix, int32(len(f.Lines)))
}

// whole is a function that was cut, with all of its item as its program.
func (m *module) whole(f schema.Function, a *answerFunction) *schema.Function {
	f.StartLine, f.EndLine, f.Lines = f.SourceStart, f.SourceEnd, nil
	all := *a
	all.Slice = nil
	m.cut(&f, &all)
	f.Identify()
	return &f
}

// appendHelper adds the block of a function that ends a program of so many lines: all of suffix but the empty lines before it.
func appendHelper(blocks []schema.Block, suffix string, lines int32) []schema.Block {
	text := strings.TrimLeft(suffix, "\n")
	name, _, ok := strings.Cut(strings.TrimPrefix(text, "async def "), "(")
	if !ok {
		return slices.Clip(blocks)
	}
	first := lines - int32(strings.Count(text, "\n")) + 1
	return append(blocks, schema.Block{Start: first, Def: first, End: lines, Name: name})
}
