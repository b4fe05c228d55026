package pipelines

import (
	"runtime"
	"runtime/debug"
)

// leeway has the collector let some garbage be, however little is live: parts are worked on with a few megabytes, after each of which it would
// run. It counts as live and is never touched, so that it takes no memory itself.
func leeway() (end func()) {
	untouched := make([]byte, 16<<20)
	return func() { runtime.KeepAlive(untouched) }
}

// frugally has the collector let a quarter of what is live be garbage, and not as much again, until it is undone. While shards are written, what
// is live is some large buffers without pointers, so that this costs little, and it is when a build needs most memory.
func frugally() (undo func()) {
	const percent = 25
	was := debug.SetGCPercent(percent)
	if was < percent { // GOGC asks for less, or, negative, for no collection
		debug.SetGCPercent(was)
	}
	return func() { debug.SetGCPercent(was) }
}
