package pipelines

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
)

// choose picks the cases of a function that are kept: the source's own; then, up to the cap, those that reach most of what is not reached yet;
// then others, by the generators' weights. Of those that end in an exception a share is kept. The rest are drops.
func (w *worker) choose(p *plant, h *harvest.Result) []schema.Case {
	c := &w.config.Cases
	s := selection{covered: map[feature]bool{}, made: map[string]int{}, weights: c.Generators}
	var kept []schema.Case
	var returned, failed []*attempt
	seen := map[[16]byte]bool{}
	drop := func(one *attempt, reason harvest.Reason) {
		detail := one.Call
		switch reason {
		case harvest.NotRun:
			detail = string(one.status) + ": " + detail
			h.Count("not_run", string(one.status))
		case harvest.Unimportable:
			detail = one.unimportable + ": " + detail
		}
		h.DropCase(p.unit, reason, detail)
	}
	for i := range p.tried {
		one := &p.tried[i]
		if i >= p.found {
			h.CasesFound++
		}
		switch {
		case one.own:
			s.cover(one)
			kept = append(kept, one.Case)
			seen[one.signature] = true
		case one.unimportable != "":
			drop(one, harvest.Unimportable)
		case !one.status.Usable():
			drop(one, harvest.NotRun)
		case one.guess:
			drop(one, harvest.WrongGuess)
		case seen[one.signature]:
			drop(one, harvest.SameTrace)
		case one.status == schema.StatusOK:
			seen[one.signature] = true
			returned = append(returned, one)
		default:
			seen[one.signature] = true
			failed = append(failed, one)
		}
	}
	room := c.PerFunction - len(kept)
	exceptions := min(room, len(failed), w.allowance(p, room, len(returned)))
	for range min(room-exceptions, len(returned)) {
		var one *attempt
		one, returned = s.next(returned)
		kept = append(kept, one.Case)
	}
	for range exceptions {
		var one *attempt
		one, failed = s.next(failed)
		kept = append(kept, one.Case)
	}
	for _, one := range returned {
		drop(one, harvest.OverCap)
	}
	for _, one := range failed {
		drop(one, harvest.ExceptionShare)
	}
	return kept
}

// allowance is how many cases that end in an exception are kept where there is room for so many, and others to stand beside. The fraction of a case is a chance, decided by the
// function's id, so that the share holds over many functions.
func (w *worker) allowance(p *plant, room, others int) int {
	share := w.config.Cases.Exceptions
	if share >= 1 {
		return math.MaxInt32
	}
	wanted := min(float64(room)*share, float64(max(others, 1))*share/(1-share))
	sum := sha256.Sum256([]byte(w.seed(p, -1)))
	chance := float64(binary.LittleEndian.Uint64(sum[:])>>11) / (1 << 53)
	return int(math.Min(wanted+chance, math.MaxInt32))
}

// selection is what has been chosen so far.
type selection struct {
	covered map[feature]bool
	made    map[string]int // chosen, by generator
	weights GeneratorsConfig
}

func (s *selection) cover(one *attempt) {
	for f := range one.features {
		s.covered[f] = true
	}
	s.made[one.Generator]++
}

// next takes the best of those that are left: most new features, then the generator that is furthest behind its weight, then the
// one that was tried first.
func (s *selection) next(left []*attempt) (*attempt, []*attempt) {
	best, most, behind := 0, -1, 0.0
	for i, one := range left {
		fresh := 0
		for f := range one.features {
			if !s.covered[f] {
				fresh++
			}
		}
		due := s.weights.weight(one.Generator) / float64(s.made[one.Generator]+1)
		if fresh > most || fresh == most && due > behind {
			best, most, behind = i, fresh, due
		}
	}
	one := left[best]
	s.cover(one)
	return one, append(left[:best:best], left[best+1:]...)
}
