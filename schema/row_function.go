package schema

import (
	"fmt"
	"strings"
)

// FunctionRow is a row of the table functions: one harvested unit.
type FunctionRow struct {
	// ID is the content hash of program and entry_point: 32 hex characters.
	ID string `parquet:"id"`
	// Split is the split that the row is in: train, validation, ...
	Split string `parquet:"split,dict"`
	// Program is the whole program text, lines ended by \n.
	Program string `parquet:"program" bounds:"off"`
	// EntryPoint is the expression that names the entry in the program's namespace; <module>: the program itself, which is run as a script.
	EntryPoint string `parquet:"entry_point"`
	// Qualname is the qualified name of the entry's definition; <module> of a program.
	Qualname string `parquet:"qualname"`
	// StartLine is the 1-based line of the program where the entry's definition starts, first decorator included.
	StartLine int32 `parquet:"start_line"`
	// EndLine is the last line of the definition, inclusive.
	EndLine int32 `parquet:"end_line"`
	// Doc is the entry's docstring; "" when it has none.
	Doc string `parquet:"doc" bounds:"off"`
	// IsAsync is true for a coroutine function.
	IsAsync bool `parquet:"is_async"`
	// IsGenerator is true for a generator or asynchronous generator function.
	IsGenerator bool `parquet:"is_generator"`
	// Lines is, per line of program, its line in the item, 0 for one that was added; empty when program is the whole item.
	Lines []int32 `parquet:"lines,list" bounds:"off"`
	// SourceStartLine is start_line in the item.
	SourceStartLine int32 `parquet:"source_start_line"`
	// SourceEndLine is end_line in the item.
	SourceEndLine int32 `parquet:"source_end_line"`
	// Blocks are the definitions and top-level statements of the program, by start, outer before inner.
	Blocks []BlockRow `parquet:"blocks,list" bounds:"off"`
	// Origin is the name of the config's source that gave the function.
	Origin string `parquet:"origin,dict"`
	// Repo is the repository, as its host names it; "" when there is none.
	Repo string `parquet:"repo"`
	// Revision is the revision of the repository or data set; "" when unknown.
	Revision string `parquet:"revision"`
	// Path is the path in the source, relative and with forward slashes.
	Path string `parquet:"path"`
	// OriginRow is the 1-based line of a JSONL file, or row of a Parquet file; 0 for a file that is itself the item.
	OriginRow int64 `parquet:"origin_row"`
	// License is an SPDX expression; "" when unknown.
	License string `parquet:"license,dict"`
	// URL is where a person can look the item up; "" when unknown.
	URL string `parquet:"url" bounds:"off"`
	// Cluster is the id of the function that stands for this one and its copies: the first of them; "" when no copy was found.
	Cluster string `parquet:"cluster"`
}

// BlockRow is an element of blocks: a stretch of whole lines, 1-based and inclusive.
type BlockRow struct {
	// Start is the first line; for a definition, its first decorator's.
	Start int32 `parquet:"start"`
	// Def is the line of def, async def or class; start for other statements.
	Def int32 `parquet:"def"`
	// End is the last line.
	End int32 `parquet:"end"`
	// Name is the definition's own name; "" for other statements.
	Name string `parquet:"name"`
}

// FunctionToRow is the row of a function in a split. It is an error when the function breaks what its type promises.
func FunctionToRow(f *Function, split string) (*FunctionRow, error) {
	r := &FunctionRow{
		ID: f.ID, Split: split, Program: f.Program, EntryPoint: f.Entry, Qualname: f.Qualname,
		StartLine: f.StartLine, EndLine: f.EndLine, Doc: f.Doc, IsAsync: f.Async, IsGenerator: f.Generator,
		Lines: f.Lines, SourceStartLine: f.SourceStart, SourceEndLine: f.SourceEnd,
		Origin: f.Source, Repo: f.Repo, Revision: f.Revision, Path: f.Path, OriginRow: int64(f.Row),
		License: f.License, URL: f.URL, Cluster: f.Cluster,
	}
	for _, b := range f.Blocks {
		r.Blocks = append(r.Blocks, BlockRow(b))
	}
	return r, r.check()
}

// RowToFunction is the function that a row was made of.
func RowToFunction(r *FunctionRow) (*Function, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	f := &Function{
		ID: r.ID, Program: r.Program, Entry: r.EntryPoint, Qualname: r.Qualname,
		StartLine: r.StartLine, EndLine: r.EndLine, Doc: r.Doc, Async: r.IsAsync, Generator: r.IsGenerator,
		Lines: r.Lines, SourceStart: r.SourceStartLine, SourceEnd: r.SourceEndLine,
		Cluster: r.Cluster,
		Origin: Origin{
			Source: r.Origin, Repo: r.Repo, Revision: r.Revision, Path: r.Path, Row: int(r.OriginRow),
			License: r.License, URL: r.URL,
		},
	}
	for _, b := range r.Blocks {
		f.Blocks = append(f.Blocks, Block(b))
	}
	return f, nil
}

func (r *FunctionRow) check() error {
	lines := int32(strings.Count(r.Program, "\n")) + 1
	if r.StartLine < 0 || r.EndLine < r.StartLine || r.EndLine > lines {
		return r.fault("end_line", fmt.Sprintf("lines %d to %d of a program of %d lines", r.StartLine, r.EndLine, lines))
	}
	if n := int32(len(r.Lines)); n > 0 && n != lines-1 {
		return r.fault("lines", fmt.Sprintf("%d for a program of %d lines", n, lines-1))
	}
	for i, b := range r.Blocks {
		if b.Start < 1 || b.Def < b.Start || b.End < b.Def || b.End > lines {
			return r.fault("blocks", fmt.Sprintf("item %d: lines %d, %d, %d of a program of %d lines", i, b.Start, b.Def, b.End, lines))
		}
	}
	return nil
}

func (r *FunctionRow) fault(column, reason string) error {
	return &RowError{Table: Functions, ID: r.ID, Column: column, Reason: reason}
}
