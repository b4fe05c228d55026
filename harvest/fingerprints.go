package harvest

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tracemill/tracemill/harvest/contamination"
	"github.com/tracemill/tracemill/schema"
)

// Fingerprint is a function without what a copy of it changes; see analyzer/fingerprint.py.
type Fingerprint struct {
	Tree   string   `json:"tree"` // digest of the normalised tree: 32 hex characters
	Tokens []string `json:"tokens"`
	Start  int      `json:"start"` // lines of the item, 1-based and inclusive, first decorator included
	End    int      `json:"end"`
}

// Fingerprints are those of the functions of a program that are not inside another, or that of the whole program. A program that does not compile, or brings the
// analyzer down, has none; an error is never its fault.
func (h *Harvester) Fingerprints(ctx context.Context, program string, whole bool) ([]*Fingerprint, error) {
	frame, err := (&request{Fingerprint: &fingerprintRequest{Whole: whole}}).frame([]byte(program))
	if err != nil {
		return nil, err
	}
	reply, err := h.exchange(ctx, frame)
	if err != nil {
		return nil, fmt.Errorf("fingerprints: %w", err)
	}
	found, err := decodeFingerprints(reply)
	if err != nil {
		return nil, nil
	}
	return found, nil
}

// fingerprintRequest is what analyzer/requests.py describes.
type fingerprintRequest struct {
	Whole bool `json:"whole"`
}

// decodeFingerprints leaves out functions that have none.
func decodeFingerprints(reply []byte) ([]*Fingerprint, error) {
	var got struct {
		Fingerprints []*Fingerprint `json:"fingerprints"`
	}
	if err := json.Unmarshal(reply, &got); err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(got.Fingerprints, func(f *Fingerprint) bool { return f == nil })
	for _, f := range found {
		if !f.holds() {
			return nil, errors.New("no fingerprint")
		}
	}
	return found, nil
}

// Of is what benchmarks are compared with of the unit that a fingerprint is of.
func (p *Fingerprint) Of(u *Unit) contamination.Function {
	of := *p
	of.Start, of.End = int(u.Function.StartLine), int(u.Function.EndLine)
	return of.function(schema.Lines(u.Function.Program))
}

// holds says whether a fingerprint is one: a parser that was taken over could say anything.
func (p *Fingerprint) holds() bool {
	tree, err := hex.DecodeString(p.Tree)
	return err == nil && len(tree) == 16 && p.Start >= 1 && p.End >= p.Start
}
