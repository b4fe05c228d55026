package schema

// TraceRow is a row of the table traces: what was recorded of one execution, exactly. Event i is the i-th item of every event_
// list; its changes are the next change_count[i] items of the change_ lists. Names and values are kept once and told by index.
type TraceRow struct {
	// ID is the content hash of case, interpreter version, options and recorded events: 32 hex characters.
	ID string `parquet:"id"`
	// Split is the split that the row is in, the one of its function.
	Split string `parquet:"split,dict"`
	// FunctionID is the id of the function's row in functions.
	FunctionID string `parquet:"function_id"`
	// CaseID is the content hash of function and call, or of program and standard input.
	CaseID string `parquet:"case_id"`
	// Call is the call expression that was run; "" when a program was run, not called.
	Call string `parquet:"call" bounds:"off"`
	// Stdin is all that was on the program's standard input; "" for a call, which has none.
	Stdin string `parquet:"stdin" bounds:"off"`
	// Generator is what made the case: dataset, doctest, assert, main or test, which are the source's own, or call, default, typed, mutated or given.
	Generator string `parquet:"generator,dict"`
	// Wrapper is main when the call was wrapped in a function at the program's end, none when not, module when there is no call.
	Wrapper string `parquet:"wrapper,dict"`
	// PythonVersion is the full version of the interpreter: 3.11.7.
	PythonVersion string `parquet:"python_version,dict"`
	// Image is the digest or other identity of the sandbox's image.
	Image string `parquet:"image,dict"`
	// Status is how the execution ended: ok, exception, timeout, ...
	Status string `parquet:"status,dict"`
	// StatusDetail is one line about the status; "" for ok.
	StatusDetail string `parquet:"status_detail" bounds:"off"`
	// Output is the rendering of what the entry returned; "" unless it returned.
	Output string `parquet:"output" bounds:"off"`
	// Expected is the data set's own output, only ever compared: Python text of the value, or what a program is to print; "" when there is none.
	Expected string `parquet:"expected" bounds:"off"`
	// OutputMatches is yes or no, or "" when there was nothing to compare. Of a program stdout is compared, without white space at
	// the ends of lines and empty lines at the end.
	OutputMatches string `parquet:"output_matches,dict"`
	// ExceptionType is the qualified name of an uncaught exception's type; "" when there was none.
	ExceptionType string `parquet:"exception_type" bounds:"off"`
	// ExceptionMessage is its message.
	ExceptionMessage string `parquet:"exception_message" bounds:"off"`
	// Stdout is what the program wrote to its standard output; bytes that are not UTF-8 as \xNN.
	Stdout string `parquet:"stdout" bounds:"off"`
	// Stderr is likewise what it wrote to standard error.
	Stderr string `parquet:"stderr" bounds:"off"`
	// Deterministic is checked or unchecked.
	Deterministic string `parquet:"deterministic,dict"`
	// Truncated is true when events are missing at the end.
	Truncated bool `parquet:"truncated"`
	// Notes are facts that a reader should know, each a word: threads, entropy, clock.
	Notes []string `parquet:"notes,list" parquet-element:",dict" bounds:"off"`
	// NEvents is the number of events.
	NEvents int32 `parquet:"n_events"`

	// EventKind is, per event, call, resume, line, return, yield, unwind or exception.
	EventKind []string `parquet:"event_kind,list" parquet-element:",dict" bounds:"off"`
	// EventFlags is, per event, the sum of its flags: 1 StopIteration, 2 GeneratorExit, 4 with a traceback, 8 called
	// from a frame out of scope, 16 called from a generator's frame, 32 thrown by the collector.
	EventFlags []int32 `parquet:"event_flags,list" bounds:"off"`
	// EventFrame is, per event, the number of its frame; frames are numbered in the order of their first call.
	EventFrame []int32 `parquet:"event_frame,list" bounds:"off"`
	// EventLine is, per event, the 1-based line of the executed program; 0 where the interpreter has none.
	EventLine []int32 `parquet:"event_line,list" bounds:"off"`
	// EventDepth is, per event, the depth of the stack; the entry's is 1.
	EventDepth []int32 `parquet:"event_depth,list" bounds:"off"`
	// EventBack is, per call and resume, the number of the nearest calling frame in scope, -1 for the runner; else -1.
	EventBack []int32 `parquet:"event_back,list" bounds:"off"`
	// EventValue is, per return, yield and exception, the index of its value in values; else -1.
	EventValue []int32 `parquet:"event_value,list" bounds:"off"`
	// ChangeCount is, per event, how many local variables differ from the previous event of the same frame.
	ChangeCount []int32 `parquet:"change_count,list" bounds:"off"`
	// ChangeName is, per change, the index of the variable's name in names.
	ChangeName []int32 `parquet:"change_name,list" bounds:"off"`
	// ChangeValue is, per change, the index of the new value in values; -1: the name is no longer bound.
	ChangeValue []int32 `parquet:"change_value,list" bounds:"off"`
	// Names are the names of local variables, each once.
	Names []string `parquet:"names,list" bounds:"off"`
	// Values are the renderings of values, each once.
	Values []string `parquet:"values,list" bounds:"off"`
	// ValueCut is, per value, whether the rendering was cut by the budget, and says so.
	ValueCut []bool `parquet:"value_cut,list" bounds:"off"`
	// CodeName is, per code object that was entered, its name.
	CodeName []string `parquet:"code_name,list" bounds:"off"`
	// CodeFirstLine is, per code object, its first line; a decorated definition's first decorator.
	CodeFirstLine []int32 `parquet:"code_first_line,list" bounds:"off"`
	// CodeFlags is, per code object, the sum of its flags: 1 its frames can be suspended, 2 coroutine, 4 class body or module.
	CodeFlags []int32 `parquet:"code_flags,list" bounds:"off"`
	// FrameCode is, per frame, the index of its code object.
	FrameCode []int32 `parquet:"frame_code,list" bounds:"off"`
}
