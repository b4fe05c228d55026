package pipelines

import (
	"cmp"
	"slices"
	"strings"
)

// VerifyReport is what Verify found.
type VerifyReport struct {
	Dir    string        `json:"dir"`
	Checks []Check       `json:"checks"`
	Faults []Fault       `json:"faults,omitempty"` // the first of them; Check.Faults counts all
	Replay *ReplayReport `json:"replay,omitempty"`
}

// Check is something that was looked at, and how often it was wrong.
type Check struct {
	Name   string `json:"name"`
	Done   int64  `json:"done"`
	Faults int64  `json:"faults"`
}

// Fault is one thing that is wrong.
type Fault struct {
	Check  string `json:"check"`
	Item   string `json:"item"`
	Detail string `json:"detail"`
}

// faultsKept bounds the list: a build where every row is wrong is told from its first ones.
const faultsKept = 20

// OK says whether nothing disagrees.
func (r *VerifyReport) OK() bool {
	for _, c := range r.Checks {
		if c.Faults > 0 {
			return false
		}
	}
	return r.Replay == nil || r.Replay.Disagreed == 0
}

// checks collects the structural ones.
type checks struct {
	report *VerifyReport
	at     map[string]int
}

// did counts something that was looked at, under the name of the check, and keeps what is wrong with it.
func (c *checks) did(check, item, fault string) {
	k, ok := c.at[check]
	if !ok {
		k = len(c.report.Checks)
		c.at[check] = k
		c.report.Checks = append(c.report.Checks, Check{Name: check})
	}
	c.report.Checks[k].Done++
	if fault == "" {
		return
	}
	c.report.Checks[k].Faults++
	if len(c.report.Faults) < faultsKept {
		c.report.Faults = append(c.report.Faults, Fault{check, item, fault})
	}
}

// ReplayReport is what the comparison with real debuggers came to.
type ReplayReport struct {
	Python      string           `json:"python"`
	Traces      int64            `json:"traces"`       // that were replayed
	Sessions    int64            `json:"sessions"`     // of debuggers
	Stops       int64            `json:"stops"`        // that were compared: line, function, depth, event, value, locals
	Shared      int64            `json:"shared"`       // sessions that ran in a process with others, and agreed
	Agreed      int64            `json:"agreed"`       // sessions in which every stop is the recorded one
	Disagreed   int64            `json:"disagreed"`    // sessions with one that is not
	ByWatching  int64            `json:"by_watching"`  // sessions in which the debugger itself changed the program
	Repeated    int64            `json:"repeated"`     // walks that had been replayed already, for another format
	Skipped     map[string]int64 `json:"skipped"`      // by reason
	Transitions []Transitions    `json:"transitions"`  // by debugger and action
	Kinds       []Transitions    `json:"kinds"`        // by debugger and kind of event reached
	Smallest    *Disagreement    `json:"smallest"`     // the disagreement with the shortest program
	Watched     []Disagreement   `json:"watched"`      // the smallest per cause
	InverseDone int64            `json:"inverse_done"` // inverse trajectories whose every step was derived anew
}

// Transitions counts transitions of one sort.
type Transitions struct {
	Debugger  string `json:"debugger"`
	Name      string `json:"name"`
	Agreed    int64  `json:"agreed"`
	Disagreed int64  `json:"disagreed"`
}

// Disagreement is a program, what was done to it, and what two say of it.
type Disagreement struct {
	Trace     string `json:"trace"`
	What      string `json:"what"`
	Debugger  string `json:"debugger"`
	Program   string `json:"program"`
	Call      string `json:"call"`
	Start     int32  `json:"start"` // event that the session begins at
	Actions   string `json:"actions"`
	Field     string `json:"field"`
	Recorded  string `json:"recorded"`
	Real      string `json:"real"`
	Cause     string `json:"cause,omitempty"`
	programID string
}

func newReplayReport() *ReplayReport { return &ReplayReport{Skipped: map[string]int64{}} }

func (r *ReplayReport) skip(reason string) { r.Skipped[reason]++ }

// count adds a session's transitions: those before action agreed, and, where it is wrong, that one.
func (r *ReplayReport) count(p *proof, agreed int, wrong bool) {
	r.Sessions++
	if wrong {
		r.Disagreed++
	} else {
		r.Agreed++
	}
	for n := range p.walk.Actions {
		if n > agreed {
			break
		}
		failed := wrong && n == agreed
		kind := "exit"
		if n+1 < len(p.walk.Events) {
			kind = p.trace.Events[p.walk.Events[n+1]].Kind.String()
			r.Stops++
		}
		r.Transitions = addTransition(r.Transitions, p.debugger, string(p.walk.Actions[n].Kind), failed)
		r.Kinds = addTransition(r.Kinds, p.debugger, kind, failed)
	}
	r.Stops++ // the first
}

func addTransition(list []Transitions, debugger, name string, failed bool) []Transitions {
	k := slices.IndexFunc(list, func(t Transitions) bool { return t.Debugger == debugger && t.Name == name })
	if k < 0 {
		k = len(list)
		list = append(list, Transitions{Debugger: debugger, Name: name})
	}
	if failed {
		list[k].Disagreed++
	} else {
		list[k].Agreed++
	}
	return list
}

func newDisagreement(p *proof, d *difference) Disagreement {
	shown := p.walk.Actions[:min(d.at+1, len(p.walk.Actions))]
	return Disagreement{
		Trace: p.trace.ID, What: p.name, Debugger: p.debugger, Call: p.trace.Call, Start: p.walk.Events[0],
		Program: p.trace.Executed(p.function.Program).Text,
		Actions: actionNames(shown), Field: d.field, Recorded: d.recorded, Real: d.real,
	}
}

// size orders disagreements: short programs first, then few actions.
func (d *Disagreement) size() int { return len(d.Program)*1000 + strings.Count(d.Actions, ",") }

func (r *ReplayReport) disagree(p *proof, d *difference) {
	if n := newDisagreement(p, d); r.Smallest == nil || n.size() < r.Smallest.size() {
		r.Smallest = &n
	}
}

// watchedKept bounds the list of programs that notice a debugger.
const watchedKept = 10

// flag counts a session in which the debugger changed the program, and lists the program once.
func (r *ReplayReport) flag(p *proof, d *difference, cause string) {
	r.Sessions++
	r.ByWatching++
	n := newDisagreement(p, d)
	n.Cause = cause
	n.programID = p.function.ID
	same := slices.IndexFunc(r.Watched, func(o Disagreement) bool { return o.programID == n.programID })
	switch {
	case same >= 0 && n.size() < r.Watched[same].size():
		r.Watched[same] = n
	case same < 0 && len(r.Watched) < watchedKept:
		r.Watched = append(r.Watched, n)
	}
}

func (r *ReplayReport) sort() {
	order := func(a, b Transitions) int {
		return cmp.Or(strings.Compare(a.Debugger, b.Debugger), strings.Compare(a.Name, b.Name))
	}
	slices.SortFunc(r.Transitions, order)
	slices.SortFunc(r.Kinds, order)
}

// add adds another report's sums and, where it is smaller, its disagreement.
func (r *ReplayReport) add(o *ReplayReport) {
	r.Traces += o.Traces
	r.Sessions += o.Sessions
	r.Stops += o.Stops
	r.Shared += o.Shared
	r.Agreed += o.Agreed
	r.Disagreed += o.Disagreed
	r.ByWatching += o.ByWatching
	r.Repeated += o.Repeated
	r.InverseDone += o.InverseDone
	for reason, n := range o.Skipped {
		r.Skipped[reason] += n
	}
	r.Transitions = addTransitions(r.Transitions, o.Transitions)
	r.Kinds = addTransitions(r.Kinds, o.Kinds)
	if o.Smallest != nil && (r.Smallest == nil || o.Smallest.size() < r.Smallest.size()) {
		r.Smallest = o.Smallest
	}
	r.Watched = append(r.Watched, o.Watched[:min(len(o.Watched), max(0, watchedKept-len(r.Watched)))]...)
}

func addTransitions(list, more []Transitions) []Transitions {
	for _, m := range more {
		k := slices.IndexFunc(list, func(t Transitions) bool { return t.Debugger == m.Debugger && t.Name == m.Name })
		if k < 0 {
			list = append(list, m)
			continue
		}
		list[k].Agreed += m.Agreed
		list[k].Disagreed += m.Disagreed
	}
	return list
}
