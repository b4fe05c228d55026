package schema

// Status says how an execution ended. It is data: an execution that fails is a row like any other.
type Status string

const (
	StatusOK               Status = "ok"
	StatusException        Status = "exception"        // an uncaught exception: usable data
	StatusEventLimit       Status = "event_limit"      // more events than the limit; the events up to it are kept
	StatusByteLimit        Status = "byte_limit"       // a larger trace than the limit; likewise
	StatusTimeout          Status = "timeout"          // wall clock or CPU limit, enforced from outside
	StatusMemoryLimit      Status = "memory_limit"     // MemoryError, or killed for memory
	StatusOutputLimit      Status = "output_limit"     // wrote more to stdout and stderr than the limit
	StatusExited           Status = "exited"           // sys.exit, os._exit
	StatusCrashed          Status = "crashed"          // died of a signal of its own
	StatusTracerLost       Status = "tracer_lost"      // the program, or the recursion limit, removed the tracer
	StatusPerturbed        Status = "perturbed"        // the traced and the untraced run differ
	StatusNondeterministic Status = "nondeterministic" // two traced runs differ
	StatusUnimportable     Status = "unimportable"     // the module or the call did not compile, or the module raised
)

// Statuses is every status, in the order in which reports list them.
var Statuses = []Status{
	StatusOK, StatusException, StatusEventLimit, StatusByteLimit, StatusTimeout, StatusMemoryLimit, StatusOutputLimit,
	StatusExited, StatusCrashed, StatusTracerLost, StatusPerturbed, StatusNondeterministic, StatusUnimportable,
}

// Usable says whether a trace of this status makes trajectories by default: it ran to its end, and everything
// that it did was seen.
func (s Status) Usable() bool { return s == StatusOK || s == StatusException }

// Kind is the kind of an event. The interpreter's raw call and return events are told apart by what they mean.
type Kind uint8

const (
	KindCall      Kind = iota + 1 // a frame is entered; its arguments are bound
	KindResume                    // a suspended generator or coroutine frame goes on
	KindLine                      // a line is about to run
	KindReturn                    // a frame returns Value
	KindYield                     // a generator or coroutine frame is suspended with Value
	KindUnwind                    // a frame is left by an exception: nothing is returned
	KindException                 // an exception passes through the frame, or was raised in it; Value renders it
)

var kindNames = [...]string{"", "call", "resume", "line", "return", "yield", "unwind", "exception"}

// Kinds is every kind of event.
var Kinds = []Kind{KindCall, KindResume, KindLine, KindReturn, KindYield, KindUnwind, KindException}

func (k Kind) String() string {
	if k.Valid() {
		return kindNames[k]
	}
	return "invalid"
}

// Valid says whether k is one of the kinds.
func (k Kind) Valid() bool { return k >= KindCall && k <= KindException }

// Opens says whether an event of this kind begins a stretch of a frame's run, Closes whether it ends one.
func (k Kind) Opens() bool  { return k == KindCall || k == KindResume }
func (k Kind) Closes() bool { return k == KindReturn || k == KindYield || k == KindUnwind }

// Flags tell exception events, and what called a frame, further apart, as bdb does.
type Flags uint8

const (
	FlagStopIteration   Flags = 1 << iota // exception: the type is exactly StopIteration
	FlagGeneratorExit                     // exception: the type is exactly GeneratorExit
	FlagTraceback                         // exception: it came with a traceback
	FlagForeignCaller                     // call, resume: f_back is a frame out of scope; Back is the nearest frame in scope
	FlagGeneratorCaller                   // call, resume: f_back is a generator or coroutine frame
	FlagCollector                         // a frame's resume, GeneratorExit and all up to its unwind, when the collector closes a generator
)

// CodeFlags describe a code object.
type CodeFlags uint8

const (
	CodeGenerator CodeFlags = 1 << iota // its frames can be suspended: generator, coroutine or asynchronous generator
	CodeCoroutine
	CodeNotOptimized // a class body or module: no fast locals
)

// Code is a code object of the program that was entered.
type Code struct {
	Name      string // co_name
	FirstLine int32  // co_firstlineno: a decorated definition's first decorator
	Flags     CodeFlags
}

// Frame is one activation of a code object. A suspended frame stays one frame.
type Frame struct {
	Code int32 // index in Trace.Codes
}

// Event is one event of a trace.
type Event struct {
	Kind    Kind
	Flags   Flags
	Frame   int32 // index in Trace.Frames; frames are numbered in the order of their first call
	Line    int32 // f_lineno, 1-based in the executed program; 0 where the interpreter has none
	Depth   int32 // of the stack: the entry is 1; frames out of scope count
	Back    int32 // call, resume: index of the nearest calling frame in scope, -1 for the runner. Otherwise -1
	Value   int32 // return, yield, exception: index in Trace.Values. Otherwise -1
	Changes int32 // end of this event's stretch of Trace.Changes; it begins where the previous event's ends
}

// Change is one local variable that differs from the previous event of the same frame.
type Change struct {
	Name  int32 // index in Trace.Names
	Value int32 // index in Trace.Values; -1: the name is no longer bound
}

// Trace is what was recorded of one execution of a case.
type Trace struct {
	ID            string
	FunctionID    string
	CaseID        string
	Call          string
	Stdin         string // see Case.Stdin
	Generator     string // see Case.Generator
	Wrapper       Wrapper
	PythonVersion string // full: "3.11.7"
	Image         string // digest or other identity of the sandbox's image

	Status           Status
	StatusDetail     string // one line; "" for ok
	Output           string // rendering of what the entry returned; "" unless it returned
	ExceptionType    string // of an uncaught exception: qualified name
	ExceptionMessage string
	Stdout           string   // stdout, then what was cut of it is said in Notes; bytes that are not UTF-8 as \xNN
	Stderr           string   // likewise
	Deterministic    string   // "checked", "unchecked"
	Truncated        bool     // events are missing at the end
	Notes            []string // facts that a reader should know, each a word: "threads", "entropy", "clock"
	Expected         string   // the data set's own output; see Case.Expected
	OutputMatches    string   // "yes", "no" or "" when there is nothing to compare

	Codes   []Code
	Frames  []Frame
	Events  []Event
	Changes []Change
	Names   []string // interned names of local variables
	Values  []string // interned renderings
	Cut     []bool   // per value: the rendering was cut by the budget, and says so
}

// Executed is the text that ran, where program is its function's.
func (t *Trace) Executed(program string) Executed {
	return Execute(program, t.Call, t.Stdin, t.Wrapper)
}

// ChangesOf is event i's stretch of Changes.
func (t *Trace) ChangesOf(i int) []Change {
	from := int32(0)
	if i > 0 {
		from = t.Events[i-1].Changes
	}
	return t.Changes[from:t.Events[i].Changes]
}

// CodeOf is the code object that event i's frame runs.
func (t *Trace) CodeOf(i int) Code { return t.Codes[t.Frames[t.Events[i].Frame].Code] }

// Internal says whether event i is an exception that no debugger stops at: a StopIteration without a traceback
// in a generator's frame (semantics.md, section 1), or the GeneratorExit by which the collector closes one.
func (t *Trace) Internal(i int) bool {
	e := &t.Events[i]
	if e.Flags&FlagCollector != 0 {
		return true
	}
	return e.Kind == KindException && e.Flags&FlagStopIteration != 0 && e.Flags&FlagTraceback == 0 &&
		t.CodeOf(i).Flags&CodeGenerator != 0
}
