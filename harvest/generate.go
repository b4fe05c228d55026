package harvest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/schema/grammar"
)

// Wish is what is asked for of one function: calls that may be worth running.
type Wish struct {
	Function *schema.Function
	Seed     string   // the same gives the same calls
	Defaults bool     // the call without arguments, where the function takes it
	Typed    int      // how many calls are made from annotations and uses
	Corpus   []string // calls to make mutants of
	Mutants  int      // how many
	Given    []Given  // by others
	Texts    []string // words of others, with calls in them
	Have     []string // calls that are there
	Known    []string // keys of such
}

// Given is a call of a function, or the arguments of one, that others have written.
type Given struct {
	Call  string  `json:"call,omitempty"`
	Input *string `json:"input,omitempty"` // an argument list, instead of Call
}

// Call is a call that may be worth running.
type Call struct {
	Call      string `json:"call"`
	Generator string `json:"generator"` // default, typed, mutated, given
	Key       string `json:"key"`       // calls of one key differ only in how they are written
}

// Generated is what came of a wish.
type Generated struct {
	Calls []Call           `json:"calls"`
	Keys  []string         `json:"keys"` // of Have
	Bad   map[Reason]int64 `json:"bad"`  // of what was found in Texts
	// Refused is what became of the rest of what was Given.
	Refused []struct {
		Reason Reason `json:"reason"`
		Detail string `json:"detail"`
	} `json:"refused"`
	// Reason says why there is none of it, where the function brought the analyzer down.
	Reason Reason `json:"reason"`
}

// Generate makes calls of a function. A function that brings the analyzer down gives none, and a
// reason; an error is never its fault.
func (h *Harvester) Generate(ctx context.Context, w *Wish) (*Generated, error) {
	frame, err := (&request{Generate: &generateRequest{
		Entry: w.Function.Entry, Function: w.Function.Qualname,
		Seed: w.Seed, Defaults: w.Defaults, Typed: w.Typed, Corpus: w.Corpus, Mutants: w.Mutants, Given: w.Given, Texts: w.Texts, Have: w.Have, Known: w.Known,
	}}).frame([]byte(w.Function.Program))
	if err != nil {
		return nil, err
	}
	made := &Generated{}
	reply, err := h.exchange(ctx, frame)
	if err != nil {
		return nil, fmt.Errorf("generate calls of %s: %w", w.Function.Origin, err)
	}
	if reply == nil || json.Unmarshal(reply, made) != nil {
		return &Generated{Reason: ParseCrash}, nil
	}
	calls := made.Calls[:0]
	for _, c := range made.Calls {
		if grammar.Reserved(c.Call) == "" {
			calls = append(calls, c)
		}
	}
	made.Calls = calls
	return made, nil
}

// generateRequest is what analyzer/generate.py describes.
type generateRequest struct {
	Entry    string   `json:"entry"`
	Function string   `json:"function"`
	Seed     string   `json:"seed"`
	Defaults bool     `json:"defaults,omitempty"`
	Typed    int      `json:"typed,omitempty"`
	Corpus   []string `json:"corpus,omitempty"`
	Mutants  int      `json:"mutants,omitempty"`
	Given    []Given  `json:"given,omitempty"`
	Texts    []string `json:"texts,omitempty"`
	Have     []string `json:"have,omitempty"`
	Known    []string `json:"known,omitempty"`
}

// exchange asks until there is an answer. It is nil where the request brings the analyzer down; an error is never its fault.
func (h *Harvester) exchange(ctx context.Context, frame []byte) ([]byte, error) {
	for b := (blame{}); ; {
		reply, err := h.ask(ctx, frame)
		if err == nil {
			h.failures = 0
			return reply, nil
		}
		exit, err := h.mend(ctx, err, &b)
		if err != nil || exit != nil {
			return nil, err
		}
	}
}
