package pipelines

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// plant is a function that is given cases, and what was tried of it.
type plant struct {
	unit   *harvest.Unit
	tried  []attempt
	given  []harvest.Given  // by others
	texts  []string         // of others, with calls in them
	found  int              // how many of them the harvest has found, and counted
	fresh  []schema.Case    // to be tried next
	keys   []string         // of what was tried, and is to be
	seen   map[feature]bool // by what was tried
	corpus []string         // calls that reached something new, and run to their end
}

// attempt is a call that was tried.
type attempt struct {
	schema.Case
	reached
	status schema.Status
	own    bool // of the source: it is kept whatever it does

	unimportable string // why its program cannot be imported; "" where it can
}

// grow gives functions cases, or more of them. Calls are generated and tried, without guards; mutants of those that reach new
// lines, branches or exceptions are tried after them, until the budget is spent; and then some of all are chosen. What is
// not is a drop in the harvest's result, as is a function that is left without a case.
func (w *worker) grow(ctx context.Context, sums Counters, h *harvest.Result) error {
	c := &w.config.Cases
	if c.Grow == GrowNone {
		return nil
	}
	plants := w.plants(h)
	if err := w.given.ask(ctx, sums, plants); err != nil {
		return err
	}
	for _, p := range plants {
		if err := w.sow(ctx, sums, p, h); err != nil {
			return err
		}
	}
	if err := w.probe(ctx, plants); err != nil {
		return err
	}
	for round := 0; ; round++ {
		if err := w.try(ctx, plants, math.MaxInt); err != nil {
			return err
		}
		if round == c.Rounds || c.Generators.Mutated == 0 {
			break
		}
		for _, p := range plants {
			if err := w.mutate(ctx, sums, p, round); err != nil {
				return err
			}
		}
	}
	lost := map[*harvest.Unit]string{}
	for _, p := range plants {
		p.unit.Cases = w.choose(p, h)
		if len(p.unit.Cases) == 0 {
			lost[p.unit] = p.unimportable()
		}
	}
	h.DropUnits(func(u *harvest.Unit) (harvest.Reason, string) {
		if lost[u] == "" {
			return "", ""
		}
		return harvest.Unimportable, lost[u]
	})
	h.DropCaseless()
	return nil
}

// plants are the functions to be given cases.
func (w *worker) plants(h *harvest.Result) []*plant {
	var plants []*plant
	for i := range h.Units {
		u := &h.Units[i]
		if u.Function.IsProgram() {
			continue // nothing can be called
		}
		if w.config.Cases.Grow == GrowAll || !u.HasOwn() {
			plants = append(plants, &plant{unit: u, seen: map[feature]bool{}})
		}
	}
	return plants
}

// sow generates a function's first calls.
func (w *worker) sow(ctx context.Context, sums Counters, p *plant, h *harvest.Result) error {
	c := &w.config.Cases
	p.fresh, p.found = p.unit.Cases, len(p.unit.Cases)
	wish := harvest.Wish{Function: &p.unit.Function, Seed: w.seed(p, 0), Defaults: c.Generators.Found > 0, Given: p.given, Texts: p.texts}
	if c.Generators.Typed > 0 {
		wish.Typed = max(1, c.Budget/3)
	}
	for _, own := range p.unit.Cases {
		wish.Have = append(wish.Have, own.Call)
	}
	made, err := w.harvester.Generate(ctx, &wish)
	if err != nil {
		return err
	}
	for reason, n := range made.Bad {
		sums.fact("given", string(reason), int(n))
	}
	for _, r := range made.Refused {
		h.CasesFound++
		h.DropCase(p.unit, r.Reason, r.Detail)
	}
	w.lost(sums, made)
	p.keys = append(p.keys, made.Keys...)
	w.add(p, made, c.Budget)
	return nil
}

// mutate generates mutants of what has proved good, as many as the budget still allows for in this round.
func (w *worker) mutate(ctx context.Context, sums Counters, p *plant, round int) error {
	c := &w.config.Cases
	left := c.Budget - len(p.tried)
	if left <= 0 || len(p.corpus) == 0 {
		return nil
	}
	made, err := w.harvester.Generate(ctx, &harvest.Wish{
		Function: &p.unit.Function, Seed: w.seed(p, round+1), Corpus: p.corpus, Mutants: max(1, left/(c.Rounds-round)), Known: p.keys,
	})
	if err != nil {
		return err
	}
	w.lost(sums, made)
	w.add(p, made, left)
	return nil
}

// lost counts requests for calls that brought the analyzer down: that is nobody's fault but ours.
func (w *worker) lost(sums Counters, made *harvest.Generated) {
	if made.Reason != "" {
		sums.fact("generate", string(made.Reason), 1)
	}
}

func (w *worker) seed(p *plant, round int) string {
	return strconv.FormatUint(w.config.Seed, 10) + "/" + p.unit.Function.ID + "/" + strconv.Itoa(round)
}

// add takes calls to be tried, as many as there is room for.
func (w *worker) add(p *plant, made *harvest.Generated, room int) {
	for _, call := range made.Calls[:min(len(made.Calls), room)] {
		one := schema.Case{Call: call.Call, Generator: call.Generator}
		one.Identify(&p.unit.Function)
		p.fresh = append(p.fresh, one)
		p.keys = append(p.keys, call.Key)
	}
}

// probes is how many calls of a function are tried before the others: enough to see that none of them will come to anything.
const probes = 3

// probe tries some calls of each function, and gives up those that hang, as each further call would cost its whole time, and those whose
// program cannot be loaded.
func (w *worker) probe(ctx context.Context, plants []*plant) error {
	if err := w.try(ctx, plants, probes); err != nil {
		return err
	}
	for _, p := range plants {
		hopeless := len(p.tried) > p.found
		for _, one := range p.tried[p.found:] {
			hopeless = hopeless && (one.status == schema.StatusTimeout || one.status == schema.StatusUnimportable)
		}
		if hopeless {
			p.fresh = nil
		}
	}
	return nil
}

// try runs what is fresh of all functions: what the harvest has found, and at most so many others of each.
func (w *worker) try(ctx context.Context, plants []*plant, most int) error {
	var jobs []tracer.Job
	var of []*plant
	for _, p := range plants {
		n := len(p.fresh)
		if n-p.found > most {
			n = p.found + most
		}
		if n > 0 {
			jobs = append(jobs, tracer.Job{Function: &p.unit.Function, Cases: p.fresh[:n]})
			of = append(of, p)
			p.fresh = p.fresh[n:]
		}
	}
	err := w.trials.Run(ctx, jobs, func(i int, traces []*schema.Trace) error {
		lines := int32(len(schema.Lines(jobs[i].Function.Program)))
		for k, trace := range traces {
			of[i].tell(jobs[i].Cases[k], trace, lines)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("try calls: %w", err)
	}
	return nil
}

// tell notes what a call reached. One that ended and reached something new is worth mutants; so are the first few that returned,
// since straight code has nothing new to reach.
func (p *plant) tell(c schema.Case, trace *schema.Trace, lines int32) {
	one := attempt{Case: c, reached: observe(trace, lines), status: trace.Status, own: harvest.Own(c.Generator), unimportable: whyUnimportable(p.unit.Function.Program, trace)}
	p.tried = append(p.tried, one)
	if !trace.Status.Usable() || one.guess {
		return
	}
	fresh := trace.Status == schema.StatusOK && len(p.corpus) < 4
	for f := range one.features {
		if !p.seen[f] {
			p.seen[f] = true
			fresh = true
		}
	}
	if fresh {
		p.corpus = append(p.corpus, c.Call)
	}
}
