// Package actions turns a trace into what the user of a debugger can see of it: the state tree, where each action
// leads from each state, and trajectories drawn by a policy.
//
// A Trace and the Function that it is of enter; Walks leave, and each gives the Document that a text format renders.
// A Tree keeps the trace and never changes it. No goroutine is started, nothing blocks, so there is nothing to
// cancel; a Tree may be used by several goroutines at once. Every choice is seeded from the options' seed and the
// trace's id, so that no result depends on the order in which traces are worked on.
//
// docs/semantics.md says what each action means and why; a rule that is not obvious is named there with its test.
package actions
