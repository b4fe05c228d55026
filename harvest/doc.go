// Package harvest turns sources of Python code into functions and cases.
//
// Files, directories, JSONL and Parquet go in, through a [Source]; [schema.Function] and [schema.Case] come out, of a
// [Harvester]. What a source holds is read here, in Go; Python text is read by the analyzer (analyzer/*.py), which
// runs in a sandbox: hostile text can crash a parser, and only the interpreter that will run a program knows its grammar.
// The analyzer parses and compiles; it runs nothing.
//
// Everything that enters is accounted for. An item (a file or a row) gives functions or is dropped, a function gives
// cases or is dropped, a case is kept or is dropped, each drop with its [Reason]: one bad row costs one row.
//
// A function is one at top level, or a method: then its entry is an expression such as C(1).method, with an object that the source
// itself makes. A call of a generator function is written as list(f(...)), of a coroutine function as asyncio.run(f(...)), because
// the bare call would run nothing; what an asynchronous generator yields is collected by a function that is put behind its program.
// Where the source itself consumes the value, as in sorted(f(3)), the whole expression is the call.
//
// A row whose tests are texts of standard input gives a function that is the program itself, of entry [schema.ModuleEntry]: nothing of it
// is called, and each text is a case.
//
// Where [Options] keep functions without cases, calls of them can be asked for: [Harvester.Generate] makes them by annotations and
// uses, changes others, and finds them in texts. Whether they are any good only running them tells, which is not done here.
//
// A Source owns files, a Harvester owns one sandboxed process and, during Harvest, one goroutine that feeds it.
// Cancelling a context ends the call that it was given to, with the context's error; what Harvest had found is lost with it,
// and nothing is recorded as an item's fault. A Harvester whose process ended starts another when it is next used.
package harvest
