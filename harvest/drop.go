package harvest

import (
	"fmt"

	"github.com/tracemill/tracemill/harvest/license"
	"github.com/tracemill/tracemill/schema"
)

// Reason says why something was dropped.
type Reason string

// Level is what a drop counts against.
type Level string

const (
	LevelItem     Level = "item" // a file or a row
	LevelFunction Level = "function"
	LevelCase     Level = "case"
)

const (
	BadJSON       Reason = "bad_json"
	RowTooLong    Reason = "row_too_long"
	MissingColumn Reason = "missing_column"
	ColumnType    Reason = "column_type"
	BadNotebook   Reason = "bad_notebook"
	OtherKind     Reason = "other_kind"
	OtherLanguage Reason = "other_language"
	NoProgram     Reason = "no_program"
	NoStatement   Reason = "no_statement"
	NoTests       Reason = "no_tests"
	ReadsFile     Reason = "reads_file"
	CutOut        Reason = "cut_out"
	Pickled       Reason = "pickled"
	BadUnicode    Reason = "bad_unicode"
	Unreadable    Reason = "unreadable"
	TooLong       Reason = "too_long"
	NullBytes     Reason = "null_bytes"
	Encoding      Reason = "encoding"
	SyntaxError   Reason = "syntax_error"
	Python2       Reason = "python2"
	ParseCrash    Reason = "parse_crash"
	ParseTimeout  Reason = "parse_timeout"
	ReservedToken Reason = "reserved_token"
	NoEntry       Reason = "no_entry"
	NoFunction    Reason = "no_function"
	Shadowed      Reason = "shadowed"
	NotTaken      Reason = "not_taken"
	Undecided     Reason = "undecided"
	NoCase        Reason = "no_case"
	BadCall       Reason = "bad_call"
	BadDoctest    Reason = "bad_doctest"
	BadTest       Reason = "bad_test"
	LocalNames    Reason = "local_names"
	DuplicateCase Reason = "duplicate_case"

	Unimportable   Reason = "unimportable"
	NotRun         Reason = "not_run"
	WrongGuess     Reason = "wrong_guess"
	SameTrace      Reason = "same_trace"
	ExceptionShare Reason = "exception_share"
	OverCap        Reason = "over_cap"

	NoInstance        Reason = "no_instance"
	NewerSyntax       Reason = "newer_syntax"
	GeneratedCode     Reason = "generated"
	TooManyLines      Reason = "too_many_lines"
	TooFewStatements  Reason = "too_few_statements"
	TooManyStatements Reason = "too_many_statements"
	TooManyArguments  Reason = "too_many_arguments"
	ImportNotAllowed  Reason = "import_not_allowed"
	BannedCall        Reason = "banned_call"
	DocstringOnly     Reason = "docstring_only"
	TrivialBody       Reason = "trivial_body"

	DuplicateFunction Reason = "duplicate_function"
	DuplicateExact    Reason = "duplicate_exact"
	DuplicateNear     Reason = "duplicate_near"
	Contaminated      Reason = "contaminated"
	NotSurveyed       Reason = "not_surveyed"
	OptedOut          Reason = "opted_out"
	LicenseDenied     Reason = Reason(license.Denied)
	LicenseNotAllowed Reason = Reason(license.Unlisted)
	LicenseUnknown    Reason = Reason(license.Undefined)
	Secret            Reason = "secret"
)

// Reasons describes every reason, in the order in which reports list them.
var Reasons = []struct {
	Reason Reason
	Text   string
}{
	{Unreadable, "the file could not be read"},
	{RowTooLong, "the row is longer than max_item_bytes"},
	{BadJSON, "the row is not a JSON object"},
	{BadUnicode, "the row has bytes that are not UTF-8, or half of a surrogate pair"},
	{MissingColumn, "the row lacks a mapped column"},
	{ColumnType, "a mapped column holds another type than text"},
	{BadNotebook, "the notebook is not of Jupyter's format"},
	{OtherKind, "the file is of a kind that kinds does not name"},
	{OtherLanguage, "the row's program is in another language"},
	{NoProgram, "the row has no program"},
	{NoStatement, "the program that is to be run is empty, or nothing in it is executed: comments only"},
	{NoTests, "the row has no tests"},
	{ReadsFile, "the row's programs read a file that is not there"},
	{CutOut, "a method that was cut out of its class"},
	{Pickled, "the cases are a pickle, which can run any code when it is read"},
	{TooLong, "the program, or the text on its standard input, is longer than the limit"},
	{NullBytes, "the source holds a null byte"},
	{Encoding, "the source is not in the encoding that it declares, or the encoding is unknown"},
	{SyntaxError, "the interpreter does not compile the source"},
	{NewerSyntax, "likewise, and the source has syntax of a later version"},
	{Python2, "likewise, and the source looks like Python 2"},
	{GeneratedCode, "a program has written the file: its head, its name or its lines say so"},
	{ParseCrash, "the parser ran out of stack or memory, or died"},
	{ParseTimeout, "the parser used up its time"},
	{ReservedToken, "the text holds a token of the text formats, such as <|line_sep|>"},
	{NoEntry, "the program does not define the entry point"},
	{NoFunction, "the file defines no function at top level or in a block there, and no method"},
	{NoInstance, "nothing makes an object to call the method on: its class is abstract, or the file has no call of its constructor that stands on its own"},
	{Shadowed, "a later definition or import of the same name replaces the function or class"},
	{NotTaken, "the function or class is defined in a branch that this interpreter does not take"},
	{Undecided, "only running the module tells whether the definition, or which of several of its name, is bound: it stands under a condition on more than the interpreter"},
	{TooManyLines, "the definition is longer than filters.max_lines"},
	{TooFewStatements, "the function has fewer statements than filters.min_statements"},
	{TooManyStatements, "the function has more statements than filters.max_statements"},
	{TooManyArguments, "the function has more parameters than filters.max_arguments"},
	{ImportNotAllowed, "the program imports what filters.imports does not name"},
	{BannedCall, "the program has a call of a kind that filters.ban names"},
	{DocstringOnly, "the function is nothing but a docstring"},
	{TrivialBody, "the body returns what it has, raises, or only calls another function"},
	{NoCase, "no call of the function was found that can be made on its own"},
	{BadCall, "the call is not an expression that compiles, or not a call"},
	{BadDoctest, "a doctest example does not parse"},
	{BadTest, "a test that the row gives does not parse"},
	{LocalNames, "the call uses names that only exist where it stands"},
	{DuplicateFunction, "the function is there from an earlier item of the part, which takes its cases"},
	{DuplicateCase, "the function has the same call already"},
	{OptedOut, "harvest.opt_out names the repository, the path or the id"},
	{LicenseDenied, "harvest.licenses denies the licence, or all alternatives of it"},
	{LicenseNotAllowed, "the licence is none that harvest.licenses allows"},
	{LicenseUnknown, "no licence is known, and harvest.licenses.unknown is drop"},
	{Secret, "the program, the call or the standard input holds a credential or personal data"},
	{DuplicateExact, "a copy of a function of an earlier item: the normalised trees are equal"},
	{DuplicateNear, "nearly a copy of a function of an earlier item"},
	{Contaminated, "the function is like one of a benchmark"},
	{NotSurveyed, "the survey of all functions met another function here, because the parser ran out of time once"},
	{Unimportable, "the program cannot be imported, most often for a module that is not there: a program stands alone, without the other files of its repository"},
	{NotRun, "the call was tried, and did not run to its end: a limit, a crash"},
	{WrongGuess, "the call was tried, and an argument was of a wrong type: it failed before anything else happened"},
	{SameTrace, "the call was tried, and all that it shows is shown by another"},
	{ExceptionShare, "the call was tried and ends in an exception, of which cases.exceptions keeps a share"},
	{OverCap, "the call was tried, and others reach more: cases.per_function is full"},
}

// Drop is one item, function or case that was left out.
type Drop struct {
	Level  Level
	Origin schema.Origin
	ID     string // the data set's own name of the row; "" when it has none
	Unit   string // function; "" for an item
	Line   int32  // of the function's definition in the item; 0 when unknown
	Reason Reason
	Detail string // for people
}

// Item names where it was, as messages do.
func (d *Drop) Item() string { return itemName(d.Origin, d.ID) }

func (d *Drop) String() string {
	name := d.Item()
	if d.Unit != "" {
		name += ": " + d.Unit
	}
	return fmt.Sprintf("%s: %s: %s", name, d.Reason, d.Detail)
}

// drop makes a drop of the function, or of a case of it.
func (u *Unit) drop(level Level, reason Reason, detail string) Drop {
	f := &u.Function
	return Drop{Level: level, Origin: f.Origin, Unit: f.Entry, Line: f.SourceStart, Reason: reason, Detail: detail}
}
