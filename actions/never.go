package actions

import "github.com/tracemill/tracemill/schema"

type loop struct{ live, moving []bool }

func (t *Tree) findLoop() *loop                                   { return nil }
func (t *Tree) runsForEver(at int32, kind schema.ActionKind) bool { return false }
