// Package schema holds what the rooms of Tracemill hand to one another: functions, cases, traces and
// trajectories, the Parquet rows that they are stored as, and their ids.
//
// It imports nothing of Tracemill. Everything here is a plain value: nothing owns a goroutine, a file or a
// process, and every function is deterministic in its arguments.
package schema

// Version is the version of the tables' columns, written to the manifest and to the build's fingerprint.
//
//	1  first
//	2  traces.stdin; traces.wrapper may be module
const Version = 2
