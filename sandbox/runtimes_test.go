package sandbox

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
)

// variant is a runtime as one kind of machine has it.
type variant struct {
	Runtime
	user   bool // nothing in it is root's: its children are its server's own user
	groups bool // a control group limits it as a whole
}

// nobody is a user without rights.
const nobody = 65534

// variants are opened once, for all tests that do not change them.
var variants = []struct {
	name, needs string
	open        func() (variant, error)
}{
	{"docker", "a Docker engine", func() (variant, error) {
		d, err := sharedDocker()
		return variant{Runtime: d, groups: true}, err
	}},
	{"bwrap", "bubblewrap", sync.OnceValues(func() (variant, error) { return openBwrap(0, true) })},
	// As a user of a cluster has it, who is given neither root nor a control group.
	{"bwrap as a user", "bubblewrap and user namespaces", sync.OnceValues(func() (variant, error) { return openBwrap(nobody, false) })},
}

// eachRuntime runs a test in every runtime that this machine has.
func eachRuntime(t *testing.T, test func(*testing.T, variant)) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			r, err := v.open()
			if errors.Is(err, ErrUnavailable) {
				missing(t, v.needs, err)
			}
			if err != nil {
				t.Fatal(err)
			}
			test(t, r)
		})
	}
}

// under opens the same runtime with another seccomp profile.
func (v variant) under(t *testing.T, profile string) Runtime {
	t.Helper()
	b, isBwrap := v.Runtime.(*bwrap)
	if !isBwrap {
		return openWith(t, DockerOptions{Image: imageHost, Seccomp: profile})
	}
	r, err := OpenBwrap(testContext(t), BwrapOptions{User: b.user, CacheDir: bwraps.cache, Seccomp: profile})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// bwraps are the runtimes that closeShared closes, and the directory that they share.
var bwraps struct {
	all   []Runtime
	cache string
}

func openBwrap(user uint32, groups bool) (variant, error) {
	if bwraps.cache == "" {
		dir, err := os.MkdirTemp("", "tracemill-test-*")
		if err != nil {
			return variant{}, err
		}
		bwraps.cache = dir
		if err := os.Chmod(dir, 0o755); err != nil { // for other users, too
			return variant{}, err
		}
	}
	if os.Geteuid() != 0 {
		user = 0
	}
	r, err := OpenBwrap(context.Background(), BwrapOptions{User: user, CacheDir: bwraps.cache})
	if err != nil {
		return variant{}, err
	}
	bwraps.all = append(bwraps.all, r)
	b := r.(*bwrap)
	if !groups {
		b.cgroups = nil
	}
	return variant{Runtime: r, user: b.rootless, groups: b.cgroups != nil}, nil
}

// closeShared closes what tests have opened for one another.
func closeShared() error {
	var errs []error
	for _, r := range bwraps.all {
		errs = append(errs, r.Close())
	}
	if shared.d != nil {
		errs = append(errs, shared.d.Close())
	}
	if bwraps.cache != "" {
		errs = append(errs, os.RemoveAll(bwraps.cache))
	}
	return errors.Join(errs...)
}
