package sandbox

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// cgroupParent is where this process may make control groups: one directory in version 2, one for each controller in
// version 1. They are below the group that this process is in, or beside it, so that whatever bounds it bounds them.
type cgroupParent struct {
	dirs map[string]string // controller -> directory; "" in version 2
	made atomic.Int64
}

// Controllers of version 1. The CPU's may be missing.
const (
	cgroupMemory = "memory"
	cgroupPIDs   = "pids"
	cgroupCPU    = "cpu"
)

// findCgroups finds where groups can be made that limit memory and processes, or says why there is no such place.
func findCgroups() (*cgroupParent, error) {
	mine, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, fmt.Errorf("control groups: %w", err)
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("control groups: %w", err)
	}
	dirs := cgroupDirs(string(mine), string(mounts))
	if dirs[cgroupMemory] != "" && dirs[cgroupPIDs] != "" {
		delete(dirs, "")
		return tryCgroups(dirs)
	}
	own := dirs[""]
	if own == "" {
		return nil, errors.New("control groups: none are mounted for memory and processes")
	}
	// A group that has processes cannot hand controllers on, so that the place is often beside ours.
	parent, err := tryCgroups(map[string]string{"": own})
	if err != nil && path.Dir(own) != own {
		if beside, other := tryCgroups(map[string]string{"": path.Dir(own)}); other == nil {
			return beside, nil
		}
	}
	return parent, err
}

// cgroupDirs are the directories of the groups that this process is in, by controller, "" for version 2's. The arguments
// are /proc/self/cgroup and /proc/self/mountinfo.
func cgroupDirs(mine, mounts string) map[string]string {
	paths := map[string]string{}
	for line := range strings.Lines(mine) {
		if _, rest, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			controllers, group, _ := strings.Cut(rest, ":")
			for c := range strings.SplitSeq(controllers, ",") {
				paths[c] = group
			}
		}
	}
	dirs := map[string]string{}
	for line := range strings.Lines(mounts) {
		// ID, parent, device, root, mount point, options, tags, "-", type, source, super options: proc(5).
		before, after, _ := strings.Cut(line, " - ")
		fields, kind := strings.Fields(before), strings.Fields(after)
		if len(fields) < 5 || len(kind) < 3 {
			continue
		}
		var controllers []string
		switch kind[0] {
		case "cgroup":
			controllers = strings.Split(kind[2], ",")
		case "cgroup2":
			controllers = []string{""}
		}
		for _, c := range controllers {
			group, in := paths[c]
			rest, under := strings.CutPrefix(group, strings.TrimSuffix(fields[3], "/"))
			if in && under {
				dirs[c] = filepath.Join(fields[4], rest)
			}
		}
	}
	return dirs
}

// tryCgroups makes a group and removes it, for nothing less shows that it can be done. It also removes those that dead
// processes left.
func tryCgroups(dirs map[string]string) (*cgroupParent, error) {
	p := &cgroupParent{dirs: map[string]string{}}
	for _, c := range []string{"", cgroupMemory, cgroupPIDs, cgroupCPU} {
		if dir := dirs[c]; dir != "" {
			p.dirs[c] = dir
		}
	}
	if dir := p.dirs[""]; dir != "" {
		// It fails where the group has processes, and where it is done already there is no need of it.
		_ = os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+memory +pids"), 0)
		_ = os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+cpu"), 0)
	}
	p.sweep()
	g, err := p.create(Limits{}.withDefaults())
	if err != nil {
		return nil, err
	}
	return p, g.remove()
}

// cgroup is a control group of one sandbox.
type cgroup struct {
	dirs map[string]string // as in cgroupParent
}

const cgroupPrefix = "tracemill-"

// create makes a group with limits. Each has the name of its owner in it, so that a later run knows what a killed one left.
func (p *cgroupParent) create(limits Limits) (*cgroup, error) {
	me := self()
	_, namespace, _ := strings.Cut(me.boot, "[")
	name := fmt.Sprintf("%s%s-%d-%s-%d", cgroupPrefix, strings.TrimSuffix(namespace, "]"), me.pid, me.start, p.made.Add(1))
	g := &cgroup{dirs: map[string]string{}}
	for c, parent := range p.dirs {
		dir := filepath.Join(parent, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, errors.Join(fmt.Errorf("make a control group: %w", err), g.remove())
		}
		g.dirs[c] = dir
	}
	if err := g.limit(limits); err != nil {
		return nil, errors.Join(fmt.Errorf("limit a control group: %w", err), g.remove())
	}
	return g, nil
}

// cpuPeriod is the kernel's usual one, in microseconds.
const cpuPeriod = 100_000

// limit sets what Limits says. One process more than it says may exist: bubblewrap's own, outside.
func (g *cgroup) limit(l Limits) error {
	memory, pids := strconv.FormatInt(l.Memory, 10), strconv.FormatInt(l.PIDs+1, 10)
	quota := strconv.FormatInt(int64(l.CPUs*cpuPeriod), 10)
	type setting struct {
		controller, file, value string
		optional                bool // where the kernel does not have it
	}
	settings := []setting{
		{cgroupMemory, "memory.limit_in_bytes", memory, false},
		{cgroupMemory, "memory.memsw.limit_in_bytes", memory, true}, // equal: no swap
		{cgroupPIDs, "pids.max", pids, false},
		{cgroupCPU, "cpu.cfs_period_us", strconv.Itoa(cpuPeriod), true},
		{cgroupCPU, "cpu.cfs_quota_us", quota, true},
	}
	if g.dirs[""] != "" {
		settings = []setting{
			{"", "memory.max", memory, false},
			{"", "memory.swap.max", "0", true},
			{"", "pids.max", pids, false},
			{"", "cpu.max", quota + " " + strconv.Itoa(cpuPeriod), true},
		}
	}
	for _, s := range settings {
		dir := g.dirs[s.controller]
		if dir == "" {
			continue
		}
		// Not WriteFile's flags: a file that is not there must not be asked to be made.
		err := writeExisting(filepath.Join(dir, s.file), s.value)
		if err != nil && !(s.optional && errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return nil
}

func writeExisting(name, value string) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(value)
	return errors.Join(err, file.Close())
}

// add puts a process into the group, with all that it will start.
func (g *cgroup) add(pid int) error {
	for _, dir := range g.dirs {
		if err := writeExisting(filepath.Join(dir, "cgroup.procs"), strconv.Itoa(pid)); err != nil {
			return fmt.Errorf("put bubblewrap into its control group: %w", err)
		}
	}
	return nil
}

// kills is the file that has the kernel's count of what it killed here for memory, and where a container sees its own.
func (g *cgroup) kills() (file, inside string) {
	if dir := g.dirs[""]; dir != "" {
		return filepath.Join(dir, "memory.events"), "/sys/fs/cgroup/memory.events"
	}
	return filepath.Join(g.dirs[cgroupMemory], "memory.oom_control"), "/sys/fs/cgroup/memory/memory.oom_control"
}

// oomKilled reports whether the kernel killed anything here for memory.
func (g *cgroup) oomKilled() bool {
	file, _ := g.kills()
	text, _ := os.ReadFile(file)
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if count, ok := strings.CutPrefix(lines.Text(), "oom_kill "); ok {
			return count != "0"
		}
	}
	return false
}

// remove removes the group, whose processes are dead: the kernel may need a moment to see it so.
func (g *cgroup) remove() error {
	var errs []error
	for _, dir := range g.dirs {
		deadline := time.Now().Add(settle)
		err := os.Remove(dir)
		for errors.Is(err, syscall.EBUSY) && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
			err = os.Remove(dir)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("remove a control group: %w", err))
		}
	}
	return errors.Join(errs...)
}

// sweep removes the groups of dead processes. One that still has processes cannot be removed, and ends by itself.
func (p *cgroupParent) sweep() {
	me := self()
	for _, dir := range p.dirs {
		entries, _ := os.ReadDir(dir)
		for _, entry := range entries {
			name, ours := strings.CutPrefix(entry.Name(), cgroupPrefix)
			parts := strings.Split(name, "-")
			if !ours || len(parts) != 4 || !strings.HasSuffix(me.boot, "["+parts[0]+"]") {
				continue
			}
			if pid, err := strconv.Atoi(parts[1]); err == nil && startOf(pid) != parts[2] {
				_ = os.Remove(filepath.Join(dir, entry.Name()))
			}
		}
	}
}
