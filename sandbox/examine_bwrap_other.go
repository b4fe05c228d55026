//go:build !linux

package sandbox

import "context"

// ExamineBwrap finds nothing: bubblewrap is made of Linux's namespaces.
func ExamineBwrap(context.Context, BwrapOptions) []Finding {
	return []Finding{{Name: "bubblewrap", State: StateMissing, Detail: "it is for Linux", Remedy: "use Docker"}}
}
