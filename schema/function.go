package schema

import "strconv"

// Origin says where an item came from. Every field may be empty but Source.
type Origin struct {
	Source   string // name of the config's source
	Repo     string
	Revision string
	Path     string // as the source names it: relative, with forward slashes
	Row      int    // 1-based line of a JSONL file or row of a Parquet file; 0 for a file that is itself the item
	License  string // SPDX expression
	URL      string
}

// String names the item as messages do: path:row.
func (o Origin) String() string {
	name := o.Path
	if name == "" {
		name = o.Source
	}
	if o.Row > 0 {
		name += ":" + strconv.Itoa(o.Row)
	}
	return name
}

// Block is a stretch of whole lines of a program that is shown together: a function or class definition at any
// depth, or a top-level statement that is neither. Lines are 1-based and inclusive.
type Block struct {
	Start int32  // first line; for a definition, its first decorator's
	Def   int32  // the line of "def", "async def" or "class"; Start for other statements
	End   int32  // last line
	Name  string // the definition's own name, as co_name has it; "" for other statements
}

// Function is one harvested unit: a self-contained program, and the entry point in it.
type Function struct {
	ID string
	Origin
	Program   string // UTF-8, lines ended by \n, as the interpreter reads it
	Entry     string // expression that names the entry in the program's namespace: "f", "Solution().solve"; ModuleEntry: the program itself
	Qualname  string // of the entry's definition; ModuleEntry for a program
	StartLine int32  // of the entry's definition in the program, first decorator included
	EndLine   int32  // inclusive
	Doc       string // docstring, "" when it has none
	Async     bool   // a coroutine function
	Generator bool   // a generator or asynchronous generator function
	// Lines is, per line of the program, its line in the item; nil where the program is the item.
	Lines       []int32
	SourceStart int32 // StartLine and EndLine in the item
	SourceEnd   int32
	Blocks      []Block // of the whole program, by Start, outer before inner
	Cluster     string  // id of the first of its copies; "" when it has none, or none were looked for
}

// Identify sets the id: program text and entry point.
func (f *Function) Identify() { f.ID = ID("function", f.Program, f.Entry) }

// IsProgram says whether the function is a whole program, which is run rather than called.
func (f *Function) IsProgram() bool { return f.Entry == ModuleEntry }

// Wrapper is how a case of the function becomes a program, where calls become one as a build says.
func (f *Function) Wrapper(calls Wrapper) Wrapper {
	if f.IsProgram() {
		return WrapModule
	}
	return calls
}

// Case is a function and one call of it, or a program and one text on its standard input.
type Case struct {
	ID         string
	FunctionID string
	Call       string // the call expression: "f([1, 2], k=3)"; "" of a program
	Stdin      string // of a program: all that is on its standard input, in UTF-8
	Generator  string // what made it: dataset, doctest, assert, main; call, default, typed, mutated, given
	// Expected is the data set's own output, only ever compared, never trusted: Python text of the value, or what a program is to
	// print. "" when none.
	Expected    string
	HasExpected bool
}

// Identify sets the ids.
func (c *Case) Identify(f *Function) {
	c.FunctionID = f.ID
	c.ID = CaseID(f.ID, c.Call, c.Stdin)
}

// CaseID is the id of a case: of its function and call expression, which is never empty, or of its program and standard input.
func CaseID(function, call, stdin string) string {
	if call == "" {
		return ID("stdin", function, stdin)
	}
	return ID("case", function, call)
}

// String is the case as messages have it.
func (c *Case) String() string {
	if c.Call == "" {
		return "stdin " + strconv.Quote(c.Stdin)
	}
	return c.Call
}
