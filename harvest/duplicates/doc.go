// Package duplicates finds functions that are copies of earlier ones, among more functions than fit into memory.
//
// Fingerprints go in as records, in the order of the functions; for each function the one comes out that stands for it: itself, or an
// earlier one that it is a copy of. Two are exact copies when their normalised trees are equal, near copies when the runs of tokens
// of the shorter one are nearly all in the other, which is at most twice as long: candidates by a long run that they have in common, then
// compared by sketches of all runs. The first of a cluster is
// the one that is kept, and every other is similar to it, not only to another copy: clusters do not drift.
//
// What comes out depends on the records and the options alone. Records and intermediate results are sorted on disk; in memory are
// six bytes for each function, and buffers. Files belong to the caller; nothing runs on after a call.
package duplicates
