package harvest

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tracemill/tracemill/harvest/contamination"
	"github.com/tracemill/tracemill/schema"
)

// Fingerprint is a function without what a copy of it changes; see analyzer/fingerprint.py.
type Fingerprint struct {
	Tree   string   `json:"tree"` // digest of the normalised tree: 32 hex characters
	Tokens []string `json:"tokens"`
	Start  int      `json:"start"` // lines of the program, 1-based and inclusive, first decorator included
	End    int      `json:"end"`
}

// Fingerprints are those of the functions whose definitions begin at some lines of a program, nil for one that has none, 0 being the program itself; without lines, of
// every function of the program that is not inside another. A program that does not compile, or brings the analyzer down, has none; an
// error is never its fault.
func (h *Harvester) Fingerprints(ctx context.Context, program string, lines []int32) ([]*Fingerprint, error) {
	frame, err := (&request{Fingerprint: &fingerprintRequest{Lines: lines}}).frame([]byte(program))
	if err != nil {
		return nil, err
	}
	reply, err := h.exchange(ctx, frame)
	if err != nil {
		return nil, fmt.Errorf("fingerprints: %w", err)
	}
	found, err := decodeFingerprints(reply, len(lines))
	if err != nil {
		return make([]*Fingerprint, len(lines)), nil
	}
	return found, nil
}

func decodeFingerprints(reply []byte, wanted int) ([]*Fingerprint, error) {
	var got struct {
		Fingerprints []*Fingerprint `json:"fingerprints"`
	}
	if err := json.Unmarshal(reply, &got); err != nil {
		return nil, err
	}
	if wanted > 0 && len(got.Fingerprints) != wanted {
		return nil, errors.New("not as many fingerprints as were asked for")
	}
	for _, f := range got.Fingerprints {
		if f == nil {
			continue
		}
		if tree, err := hex.DecodeString(f.Tree); err != nil || len(tree) != 16 || f.Start < 1 || f.End < f.Start {
			return nil, errors.New("no fingerprint")
		}
	}
	return got.Fingerprints, nil
}

// fingerprintRequest is what analyzer/fingerprint.py describes.
type fingerprintRequest struct {
	Lines []int32 `json:"lines"`
}

// FingerprintUnits calls visit with every function and its fingerprint, in order. It is nil for one that has none.
func (h *Harvester) FingerprintUnits(ctx context.Context, units []Unit, visit func(*Unit, *Fingerprint) error) error {
	for len(units) > 0 {
		// Those of one file have its program in common, which is parsed once for all of them.
		program := units[0].Function.Program
		var lines []int32
		for len(lines) < len(units) && units[len(lines)].Function.Program == program {
			lines = append(lines, fingerprinted(&units[len(lines)].Function))
		}
		prints, err := h.Fingerprints(ctx, program, lines)
		if err != nil {
			return err
		}
		for i := range lines {
			if err := visit(&units[i], prints[i]); err != nil {
				return err
			}
		}
		units = units[len(lines):]
	}
	return nil
}

// fingerprinted is the line by which a function is asked for.
func fingerprinted(f *schema.Function) int32 {
	if f.IsProgram() {
		return 0
	}
	return f.StartLine
}

// Of is what benchmarks are compared with of the function that a fingerprint is of.
func (p *Fingerprint) Of(u *Unit) contamination.Function {
	return p.function(schema.Lines(u.Function.Program))
}
