package schema

import (
	"encoding/json"
	"strings"
)

// stdinMark begins each line that shows what is on standard input.
const stdinMark = "# stdin: "

// AppendStdin appends what is on standard input to a program, as comments: the program does the same, and its lines keep their
// numbers. Each line of the input, its end included, is a JSON string on a line of its own; an input without lines is "".
//
//	PROGRAM
//
//	# stdin: "3\n"
//	# stdin: "1 2 3"
//
// Only \n ends a line of the input. Strings are written by JSONEscape, so nothing in them ends the comment or is a special token.
func AppendStdin(program, stdin string) string {
	var b strings.Builder
	b.Grow(len(program) + len(stdin) + len(stdin)/2 + 32)
	writeProgram(&b, program)
	if stdin == "" {
		writeStdin(&b, "")
	}
	for line := range strings.Lines(stdin) {
		writeStdin(&b, line)
	}
	return b.String()
}

func writeStdin(b *strings.Builder, line string) {
	b.WriteString(stdinMark + `"`)
	from := 0
	for i := range len(line) {
		if escape := JSONEscape(line, i); escape != "" {
			b.WriteString(line[from:i])
			b.WriteString(escape)
			from = i + 1
		}
	}
	b.WriteString(line[from:])
	b.WriteString("\"\n")
}

// CutStdin takes apart what AppendStdin has put together; program ends in \n where it is not empty. It is false for a text that
// AppendStdin does not write.
func CutStdin(text string) (program, stdin string, ok bool) {
	var input []string
	lines := Lines(text)
	for len(lines) > 0 && strings.HasPrefix(lines[len(lines)-1], stdinMark) {
		var line string
		if json.Unmarshal([]byte(lines[len(lines)-1][len(stdinMark):]), &line) != nil {
			return "", "", false
		}
		input, lines = append(input, line), lines[:len(lines)-1]
	}
	var b strings.Builder
	for i := range input {
		b.WriteString(input[len(input)-1-i])
	}
	if n := len(lines); n > 0 {
		program = strings.Join(lines[:n-1], "\n") + "\n"
	}
	stdin = b.String()
	return program, stdin, AppendStdin(program, stdin) == text
}
