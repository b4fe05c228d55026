// Package grammar holds the text formats that trajectories are written in, each with a renderer and a parser.
//
// A schema.Document enters and a Text leaves, or a text enters and a Document leaves. What a format's text carries of a
// document is its Project, and Parse(Render(d).Text) equals Project(d) exactly; whatever Parse accepts renders back to
// the same text. Everything here is a pure function of its arguments: nothing owns a goroutine, blocks or can be
// cancelled, a Format may be used from many goroutines at once, and time is linear in the text. docs/formats.md is
// the grammar in words and EBNF.
//
// A format is one file: a type that implements Format, and an init that registers it with its tokens.
package grammar

import "github.com/tracemill/tracemill/schema"

// Text is a rendered document. All offsets are in Unicode code points, as Python indexes a str.
type Text struct {
	Text    string
	Targets []schema.Target // of the states that an action led to, and of the exit; the first state is given, not predicted
	Ends    []int32         // per state: where the text up to it ends. Text cut there is the document cut there
	Chars   int             // length of Text
}

// Cut is the text of the document cut at its n-th state, as Render writes it; n is from 1 to len(Ends).
func (t *Text) Cut(n int) *Text {
	chars := int(t.Ends[n-1])
	end, count := len(t.Text), 0
	for i := range t.Text {
		if count == chars {
			end = i
			break
		}
		count++
	}
	targets := t.Targets
	for len(targets) > 0 && int(targets[len(targets)-1].End) > chars {
		targets = targets[:len(targets)-1]
	}
	return &Text{Text: t.Text[:end], Targets: targets, Ends: t.Ends[:n], Chars: chars}
}

// Format is a text format.
type Format interface {
	// Name is what rows and configs call the format. It determines every option: a reader needs nothing else.
	Name() string
	// Supports says whether the format has documents of this direction.
	Supports(schema.Direction) bool
	// Render fails when the document is not well-formed, when the format has no words for it, or when text that must
	// stand as it is holds a special token (*TokenError).
	Render(*schema.Document) (*Text, error)
	// Parse fails with a *SyntaxError at the first code point that Render could not have written.
	Parse(text string) (*schema.Document, error)
	// Project is the part of a document that the text carries.
	Project(*schema.Document) *schema.Document
}

// Tokens that more than one format has.
const (
	beginOfText  = "<|begin_of_text|>"
	endOfText    = "<|end_of_text|>"
	traceContext = "<|trace_context_start|>"
	frameSep     = "<|frame_sep|>"
	actionSep    = "<|action_sep|>"
	argSep       = "<|arg_sep|>"
	callSep      = "<|call_sep|>"
	lineSep      = "<|line_sep|>"
	returnSep    = "<|return_sep|>"
	exceptionSep = "<|exception_sep|>"
)
