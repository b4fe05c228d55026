package schema

import (
	"strconv"
	"strings"
)

// Wrapper says how a case's call becomes a program.
type Wrapper string

const (
	WrapMain Wrapper = "main" // append a function that returns the call; it is the entry that is traced
	WrapNone Wrapper = "none" // the call is evaluated from outside: the called function is the entry
	// WrapModule is of a case that has no call: the program runs as a script, and its module is the entry.
	WrapModule Wrapper = "module"
)

// ModuleEntry is the entry point of a function that is a whole program, and CPython's name of the code that it runs.
const ModuleEntry = "<module>"

// Executed is the program text that runs for a case: what breakpoints, lines and CODE refer to.
type Executed struct {
	Text  string // the function's program, with the wrapper or the standard input at its end
	Entry string // name of the wrapper function; ModuleEntry with WrapModule, "" with WrapNone
	Line  int32  // 1-based line of the wrapper's def, 1 with WrapModule; 0 with WrapNone
}

// Execute is the text that runs for a call, or for what is on standard input where the wrapper is WrapModule: see AppendStdin. With
// WrapMain it appends the wrapper to a function's program:
//
//	PROGRAM
//
//	def main():
//	    return CALL
//
// The wrapper is called main, or main_2, main_3, ... when that word occurs anywhere in the program or the call. The same text is
// made by the tracer, which compiles the wrapper at Line, and by every reader of a trace.
func Execute(program, call, stdin string, wrapper Wrapper) Executed {
	switch wrapper {
	case WrapNone:
		return Executed{Text: program}
	case WrapModule:
		return Executed{Text: AppendStdin(program, stdin), Entry: ModuleEntry, Line: 1}
	}
	name := "main"
	for n := 2; containsWord(program, name) || containsWord(call, name); n++ {
		name = "main_" + strconv.Itoa(n)
	}
	var b strings.Builder
	b.Grow(len(program) + len(call) + 32)
	writeProgram(&b, program)
	line := int32(strings.Count(b.String(), "\n")) + 1
	b.WriteString(WrapperSource(name, call))
	return Executed{Text: b.String(), Entry: name, Line: line}
}

// writeProgram writes a program, whose last line is ended, and the empty line that parts it from what is appended.
func writeProgram(b *strings.Builder, program string) {
	b.WriteString(program)
	if program != "" && !strings.HasSuffix(program, "\n") {
		b.WriteByte('\n')
	}
	if program != "" {
		b.WriteByte('\n')
	}
}

// WrapperSource is the text of the wrapper function alone.
func WrapperSource(name, call string) string {
	return "def " + name + "():\n    return " + call + "\n"
}

// Lines splits a program into its physical lines without their ends. Only \n ends a line: programs are stored
// with the line ends that the interpreter's reader leaves, and form feeds, U+2028 and the like are text.
func Lines(text string) []string {
	lines := strings.Split(text, "\n")
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines
}

func containsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !isWordByte(text[i-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		from = i + 1
	}
}

// isWordByte takes every byte of a non-ASCII character for a letter: identifiers may have them.
func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
