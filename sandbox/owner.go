package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Labels on everything that this package makes in an engine. Only what carries labelMark is ever touched.
const (
	labelMark     = "tracemill" // "1"
	labelBuild    = "tracemill.build"
	labelOutput   = "tracemill.output"
	labelName     = "tracemill.name"
	labelRuntime  = "tracemill.runtime" // one OpenDocker
	labelHost     = "tracemill.host"
	labelBoot     = "tracemill.boot"
	labelPID      = "tracemill.pid"
	labelPIDStart = "tracemill.pid-start"
)

// owner is the process that made a container, told apart from every other process that ever had its pid.
type owner struct {
	host  string // host name and machine id
	boot  string // boot id and pid namespace: where the pid means something
	pid   int
	start string // start time of the process, in ticks since boot
}

func self() owner {
	host, _ := os.Hostname()
	pid := os.Getpid()
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return owner{
		host:  host + "/" + firstLine("/etc/machine-id"),
		boot:  firstLine("/proc/sys/kernel/random/boot_id") + "/" + namespace,
		pid:   pid,
		start: startOf(pid),
	}
}

func (o owner) labels() map[string]string {
	return map[string]string{
		labelMark: "1", labelHost: o.host, labelBoot: o.boot,
		labelPID: strconv.Itoa(o.pid), labelPIDStart: o.start,
	}
}

func ownerOf(labels map[string]string) owner {
	pid, _ := strconv.Atoi(labels[labelPID])
	return owner{host: labels[labelHost], boot: labels[labelBoot], pid: pid, start: labels[labelPIDStart]}
}

// isDead reports whether o is certainly gone, as seen by the process me. An engine may serve several machines and
// several containers, whose pids we cannot see: what is not certain is alive.
func (o owner) isDead(me owner) bool {
	if o.host != me.host || o.boot != me.boot || o.pid <= 0 || o.start == "" || me.start == "" {
		return false
	}
	return startOf(o.pid) != o.start
}

// isPast reports whether o belongs to an earlier boot of this machine. Machines cloned from one disk may share
// host name and machine id, so this proves nothing about a container that runs.
func (o owner) isPast(me owner) bool {
	boot, _, _ := strings.Cut(o.boot, "/")
	now, _, _ := strings.Cut(me.boot, "/")
	return o.host == me.host && boot != "" && now != "" && boot != now
}

// startOf is empty when there is no such process, or no /proc.
func startOf(pid int) string {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return ""
	}
	// The second field is a program's name in parentheses, and may itself hold blanks and parentheses.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const startTime = 22 - 3 // proc(5) counts from 1, and two fields are gone
	if len(fields) <= startTime || fields[0] == "Z" {
		return ""
	}
	return fields[startTime]
}

func firstLine(path string) string {
	data, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}
