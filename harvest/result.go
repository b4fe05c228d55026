package harvest

import (
	"fmt"
	"slices"

	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/schema/grammar"
)

// Unit is a function that can be run: it has at least one case.
type Unit struct {
	Function schema.Function
	Cases    []schema.Case
	// Fingerprint is there where Options.Fingerprints asks for it, but for functions that have none.
	Fingerprint *Fingerprint
	Whole       *schema.Function // with the whole item as its program, where Function is a slice of it and Options.SliceCheck is set
}

// Result is what came of some items. At each level what was found is what is there plus the drops of that level:
//
//	Items          = ItemsKept + drops at LevelItem
//	FunctionsFound = len(Units) + drops at LevelFunction
//	CasesFound     = cases of all Units + drops at LevelCase
type Result struct {
	Units          []Unit // in the order of the items, and of the functions in them
	Drops          []Drop // likewise
	Items          int
	ItemsKept      int // items in which a function was found
	FunctionsFound int
	CasesFound     int
	// Facts are counts of what was read, and of calls that were tried, by "group.value": kind.test, notebook.magics, not_run.timeout, opt_out.LINE.
	Facts map[string]int

	byID     map[string]int // id of a function to its unit
	caseless bool           // functions without a case are kept
	secrets  Handling
	wholes   bool // Options.SliceCheck
}

// Own says whether a generator's cases are the source's own, which says that they are good, rather than guesses.
func Own(generator string) bool {
	switch generator {
	case "dataset", "doctest", "assert", "main", "test":
		return true
	}
	return false
}

// HasOwn says whether a function has a case of the source's own.
func (u *Unit) HasOwn() bool {
	return slices.ContainsFunc(u.Cases, func(c schema.Case) bool { return Own(c.Generator) })
}

// DropCase notes that a case was tried and is not kept; the caller leaves it out of the unit.
func (r *Result) DropCase(u *Unit, reason Reason, detail string) {
	r.Drops = append(r.Drops, u.drop(LevelCase, reason, detail))
}

// Count adds one to a fact.
func (r *Result) Count(group, value string) {
	if r.Facts == nil {
		r.Facts = map[string]int{}
	}
	r.Facts[group+"."+value]++
}

// DropCaseless drops the functions that have no case.
func (r *Result) DropCaseless() {
	kept := r.Units[:0]
	for _, u := range r.Units {
		if len(u.Cases) == 0 {
			r.Drops = append(r.Drops, u.drop(LevelFunction, NoCase, fmt.Sprintf("defined at line %d", u.Function.SourceStart)))
			continue
		}
		kept = append(kept, u)
	}
	r.Units, r.byID = kept, nil
}

func (r *Result) add(item *Item, a *answer) {
	r.Items++
	r.count(item, a)
	drop := item.Err
	switch token := grammar.Reserved(a.program()); {
	case drop != nil:
	case a.Reason != "":
		drop = item.drop(a.Reason, a.Detail)
	case token != "" && !a.sliced():
		drop = item.drop(ReservedToken, "the program holds "+token)
	}
	if drop != nil {
		r.Drops = append(r.Drops, *drop)
		return
	}
	r.ItemsKept++
	if r.secrets == HandleMask {
		a.maskSecrets()
	}
	for _, l := range a.Left {
		r.dropFunction(item, l.Name, l.Line, l.Reason, l.Detail)
	}
	r.addCases(item, a)
}

// sliced says whether functions have programs of their own.
func (a *answer) sliced() bool {
	return slices.ContainsFunc(a.Functions, func(f answerFunction) bool { return len(f.Slice) > 0 })
}

func (r *Result) count(item *Item, a *answer) {
	if r.Facts == nil {
		r.Facts = map[string]int{}
	}
	if item.Kind != "" {
		r.Count("kind", string(item.Kind))
	}
	if a == nil {
		return
	}
	for name, n := range a.Facts {
		r.Facts["notebook."+name] += max(n, 0)
	}
	for name, n := range a.TestFacts {
		r.Facts["tests."+name] += max(n, 0)
	}
}

func (a *answer) program() string {
	if a == nil {
		return ""
	}
	return a.Program
}

func (r *Result) addCases(item *Item, a *answer) {
	for _, l := range item.Left {
		r.dropCase(item, item.Entry, l.reason, l.detail)
	}
	for _, d := range a.Drops {
		r.dropCase(item, d.Function, d.Reason, d.Detail)
	}
	m := newModule(a)
	for i := range a.Functions {
		f := &a.Functions[i]
		unit := Unit{Function: schema.Function{
			Origin: item.Origin, Entry: f.Entry, Qualname: f.Name, StartLine: f.Start, EndLine: f.End,
			Doc: f.Doc, Async: f.Async, Generator: f.Generator,
		}, Fingerprint: f.Fingerprint}
		m.cut(&unit.Function, f)
		if token := grammar.Reserved(unit.Function.Program); token != "" {
			r.dropFunction(item, f.Name, f.Start, ReservedToken, "the program holds "+token)
			continue
		}
		if held := r.held(unit.Function.Program); held != "" {
			r.dropFunction(item, f.Name, f.Start, Secret, held)
			continue
		}
		unit.Function.Identify()
		if r.wholes && len(f.Slice) > 0 {
			unit.Whole = m.whole(unit.Function, f)
			if r.held(unit.Whole.Program) != "" {
				unit.Whole = nil // it must not take the slice's place
			}
		}
		if unit.Function.IsProgram() {
			r.addTexts(item, &unit)
		}
		for _, c := range a.Cases {
			if c.Function != f.Name {
				continue
			}
			if token := grammar.Reserved(c.Call); token != "" {
				r.dropCase(item, f.Name, ReservedToken, "the call holds "+token)
				continue
			}
			if held := r.held(c.Call); held != "" {
				r.dropCase(item, f.Name, Secret, held)
				continue
			}
			r.CasesFound++
			made := schema.Case{Call: c.Call, Generator: c.Generator}
			if c.Expected != nil {
				made.Expected, made.HasExpected = *c.Expected, true
			}
			made.Identify(&unit.Function)
			unit.Cases = append(unit.Cases, made)
		}
		if len(unit.Cases) == 0 && !r.caseless {
			r.dropFunction(item, f.Name, f.Start, NoCase, fmt.Sprintf("defined at line %d", f.Start))
			continue
		}
		r.FunctionsFound++
		r.addUnit(item, unit)
	}
}

// addTexts adds the cases of a program.
func (r *Result) addTexts(item *Item, unit *Unit) {
	for i := range item.Inputs {
		c, left := r.program(&item.Inputs[i], &unit.Function)
		switch {
		case left != nil:
			r.dropCase(item, unit.Function.Entry, left.reason, left.detail)
		case unit.has(&c):
			r.dropCase(item, unit.Function.Entry, DuplicateCase, c.String())
		default:
			r.CasesFound++
			unit.Cases = append(unit.Cases, c)
		}
	}
}

func (u *Unit) has(c *schema.Case) bool {
	return slices.ContainsFunc(u.Cases, func(have schema.Case) bool { return have.ID == c.ID })
}

// addUnit adds a function, or only its new cases where the same function is there from an earlier item: data sets give
// a function once for each input.
func (r *Result) addUnit(item *Item, unit Unit) {
	if r.byID == nil {
		r.byID = map[string]int{}
	}
	n, there := r.byID[unit.Function.ID]
	if !there {
		r.byID[unit.Function.ID] = len(r.Units)
		r.Units = append(r.Units, unit)
		return
	}
	first := &r.Units[n]
	r.Drops = append(r.Drops, Drop{
		Level: LevelFunction, Origin: item.Origin, ID: item.ID, Unit: unit.Function.Entry, Line: unit.Function.SourceStart, Reason: DuplicateFunction,
		Detail: "the same as in " + first.Function.Origin.String() + ", which takes its cases",
	})
	for _, c := range unit.Cases {
		if first.has(&c) {
			r.CasesFound--
			r.dropCase(item, unit.Function.Entry, DuplicateCase, c.String())
			continue
		}
		first.Cases = append(first.Cases, c)
	}
}

func (r *Result) dropFunction(item *Item, name string, line int32, reason Reason, detail string) {
	r.FunctionsFound++
	r.Drops = append(r.Drops, Drop{Level: LevelFunction, Origin: item.Origin, ID: item.ID, Unit: name, Line: line, Reason: reason, Detail: detail})
}

func (r *Result) dropCase(item *Item, name string, reason Reason, detail string) {
	r.CasesFound++
	r.Drops = append(r.Drops, Drop{Level: LevelCase, Origin: item.Origin, ID: item.ID, Unit: name, Reason: reason, Detail: detail})
}
