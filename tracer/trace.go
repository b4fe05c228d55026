package tracer

import (
	"strings"
	"unicode/utf8"

	"github.com/tracemill/tracemill/schema"
)

// Notes of a trace that change what is to be made of it.
const (
	NoteStdoutCut = "stdout_cut" // it does not have all that the program wrote to stdout
	NoteThreads   = "threads"    // the program started threads, which are not traced
)

// trace makes the row of one execution.
func (t *Tracer) trace(job *Job, i int, x *result, f *finding, deterministic string) *schema.Trace {
	c := &job.Cases[i]
	row := &schema.Trace{
		FunctionID: job.Function.ID, CaseID: c.ID, Call: c.Call, Stdin: c.Stdin, Generator: c.Generator, Wrapper: job.Function.Wrapper(t.options.Wrapper),
		PythonVersion: t.runtime.Image().Version, Image: t.runtime.Image().ID,
		Status: f.status, StatusDetail: f.detail, Deterministic: deterministic, Truncated: f.truncated,
		Expected: c.Expected,
		Codes:    f.codes, Frames: f.frames, Events: f.events, Changes: f.changes, Names: f.names, Values: f.values, Cut: f.cut,
	}
	if row.PythonVersion == "" {
		row.PythonVersion = t.main.version
	}
	if e := f.end; e != nil {
		row.Notes = append(row.Notes, e.notes...)
		if e.outcome == outcomeReturned && e.output >= 0 {
			row.Output = f.values[e.output]
		}
		if e.outcome == outcomeRaised {
			row.ExceptionType, row.ExceptionMessage = e.exceptionType, e.exceptionMessage
		}
	}
	if t.options.Partial || !x.unrepeatable() {
		row.Stdout = t.stream(row, NoteStdoutCut, x.stdout, x.stdoutTotal)
		row.Stderr = t.stream(row, "stderr_cut", x.stderr, x.stderrTotal)
	}
	row.ID = schema.ID("trace", c.ID, row.PythonVersion, t.digest, f.whole)
	return row
}

// unrepeatable says whether what an execution printed depends on when it was killed.
func (x *result) unrepeatable() bool {
	return x.end == endTime || x.end == endMemory || x.end == endSandbox || x.end == endSignal && x.code == sigXCPU
}

// stream is what a program printed, and a note when that is not all.
func (t *Tracer) stream(row *schema.Trace, note string, kept []byte, total uint64) string {
	if limit := t.options.Limits.Output; int64(len(kept)) > limit {
		kept = kept[:limit]
	}
	if uint64(len(kept)) < total {
		row.Notes = append(row.Notes, note)
		kept = wholeRunes(kept)
	}
	return validText(kept)
}

// wholeRunes drops a character that a cut left the beginning of.
func wholeRunes(b []byte) []byte {
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if tail := b[len(b)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return b[:len(b)-back]
			}
			break
		}
	}
	return b
}

// validText writes bytes that are not UTF-8 as \xNN.
func validText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	const hex = "0123456789abcdef"
	var text strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			text.Write([]byte{'\\', 'x', hex[b[0]>>4], hex[b[0]&15]})
		} else {
			text.Write(b[:n])
		}
		b = b[n:]
	}
	return text.String()
}

// detailSize bounds a status detail, in bytes: it is a message, not the place for a value.
const detailSize = 400

// oneLine makes a message of one line, and not too long.
func oneLine(s string) string { return short(strings.Join(strings.Fields(s), " "), detailSize) }

// short cuts a text at a character.
func short(s string, size int) string {
	if len(s) <= size {
		return s
	}
	return string(wholeRunes([]byte(s[:size]))) + "..."
}
