// Package shard keeps rows: it writes them to Parquet files, commits them part by part, publishes a finished dataset, and
// reads it again. What enters are the rows of package schema; what leaves is a directory:
//
//	OUT/functions/train-00000-of-00002.parquet     likewise traces/ and trajectories/, each split of each table
//	OUT/README.md                                  the data card
//	OUT/manifest.json                              every file with its size, SHA-256 and rows; settings; counters
//	OUT/_SUCCESS                                   written last; the SHA-256 of manifest.json
//	OUT/_build/plan.json                           what is built: settings, seed, parts
//	OUT/_build/commits/PART.json                   written once per part, when it is done as a whole
//	OUT/_build/parts/PART.ATTEMPT/TABLE.rows       rows of parts, until the dataset is published
//
// A file that decides something (plan, commit, manifest, success) is written under a temporary name, synced, and then
// linked or renamed, so that it is there as a whole or not at all. A kill at any moment loses the parts in flight and
// nothing else, and several processes may work on one directory: the first commit of a part stands.
//
// The same plan and rows give the same bytes. Nothing of the machine, the clock or the order of work is in a file.
//
// The package starts no goroutine. Finalize, Verify and ExportArrow return soon after their context ends; what they
// leave is completed by running them again. A Build may be used by several goroutines; a Part belongs to one.
package shard
