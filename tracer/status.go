package tracer

import (
	"bytes"
	"fmt"

	"github.com/tracemill/tracemill/schema"
)

// finding is what one execution turned out to be: what was recorded of it, and how it ended.
type finding struct {
	recording
	status    schema.Status
	detail    string // one line: why, and what to change; "" for ok
	truncated bool   // events are missing at the end
}

// Signals that need no act of the program: somebody else may have sent them.
const (
	sigInt  = 2
	sigKill = 9
	sigTerm = 15
	sigXCPU = 24 // the kernel's for RLIMIT_CPU
)

// fromOutside says whether the process may have been killed by the machine, or by who stops this build, rather than by its
// program. It is then run again, once.
func (x *result) fromOutside() bool {
	return x.end == endSignal && (x.code == sigInt || x.code == sigTerm) || x.code == sigKill && (x.end == endSignal || x.end == endMemory)
}

// judge decides an execution's status. First comes what the server saw, which the program cannot reach; then whether the recording
// is whole; only then what it says. An untraced run has no events to be whole.
func judge(x *result, o *Options, traced bool) finding {
	f := finding{truncated: true}
	var damage error
	if f.recording, damage = decode(x.trace, o.Limits.Events+1); f.end != nil {
		f.truncated = f.end.outcome == outcomeEventLimit || f.end.outcome == outcomeByteLimit || f.lostTracer() != ""
	}
	f.status, f.detail = x.ended(&o.Limits)
	switch {
	case f.status != "":
		f.truncated = true
		if !o.Partial && f.status != schema.StatusCrashed {
			f.recording = recording{}
		}
	case damage != nil:
		f.status, f.detail = schema.StatusCrashed, fmt.Sprintf("the program wrote to the tracer's channel: %v", damage)
	case f.end == nil:
		f.status = schema.StatusExited
		f.detail = fmt.Sprintf("the process ended with exit status %d before the entry did: os._exit, or the like", x.code)
	case !bytes.Equal(f.end.nonce[:], x.nonce[:]):
		f.status, f.detail = schema.StatusCrashed, "the end record is forged: its nonce is not this execution's"
	case int(f.end.events) != len(f.events):
		f.status = schema.StatusTracerLost
		f.detail = fmt.Sprintf("the end record counts %d events, and %d were read", f.end.events, len(f.events))
	default:
		f.outcome(&o.Limits, traced)
	}
	return f
}

// ended is the status of an execution that did not end by itself.
func (x *result) ended(l *Limits) (schema.Status, string) {
	timeout := func() (schema.Status, string) {
		return schema.StatusTimeout, fmt.Sprintf("killed after %v of wall clock or %v of CPU time; raise trace.limits.wall and trace.limits.cpu", l.Wall, l.CPU)
	}
	switch x.end {
	case endTime:
		return timeout()
	case endOutput:
		return schema.StatusOutputLimit, fmt.Sprintf("wrote more than %d bytes to stdout and stderr; raise trace.limits.output", l.Output)
	case endMemory:
		return schema.StatusMemoryLimit, fmt.Sprintf("killed for memory; raise trace.limits.memory (%d bytes)", l.Memory)
	case endSandbox:
		return x.status, oneLine("took its sandbox down: " + x.detail)
	case endSignal:
		if x.code == sigXCPU {
			return timeout()
		}
		return schema.StatusCrashed, "died of " + signalName(x.code)
	}
	return "", ""
}

// outcome takes the status from a whole END record.
func (f *finding) outcome(l *Limits, traced bool) {
	e := f.end
	exception := e.exceptionType
	if e.exceptionMessage != "" {
		exception += ": " + e.exceptionMessage
	}
	exception = oneLine(exception)
	lost := ""
	if traced {
		lost = f.lostTracer()
	}
	if lost != "" && (e.outcome == outcomeEventLimit || e.outcome == outcomeByteLimit) {
		f.status, f.detail = schema.StatusTracerLost, lost // what is there has holes, not only an early end
		return
	}
	switch e.outcome {
	case outcomeExited:
		f.status, f.detail = schema.StatusExited, "SystemExit left the entry: "+exception
		return
	case outcomeEventLimit:
		f.status, f.detail = schema.StatusEventLimit, fmt.Sprintf("more than %d events; raise trace.limits.events", l.Events)
		return
	case outcomeByteLimit:
		f.status, f.detail = schema.StatusByteLimit, fmt.Sprintf("a trace of more than %d bytes; raise trace.limits.bytes", l.Bytes)
		return
	case outcomeUnimportable:
		f.status, f.detail = schema.StatusUnimportable, exception
		return
	}
	if e.outcome == outcomeRaised && e.exceptionType == "MemoryError" {
		f.status = schema.StatusMemoryLimit
		f.detail = oneLine(fmt.Sprintf("%s; raise trace.limits.memory (%d bytes)", exception, l.Memory))
		return
	}
	if lost != "" {
		f.status, f.detail = schema.StatusTracerLost, lost
		return
	}
	f.status = schema.StatusOK
	if e.outcome == outcomeRaised {
		f.status, f.detail = schema.StatusException, exception
	}
}

// lostTracer says why the recording cannot be all that happened, although it has its end.
func (f *finding) lostTracer() string {
	limited := f.end.outcome == outcomeEventLimit || f.end.outcome == outcomeByteLimit
	switch e := f.end; {
	case !e.alive:
		return "the tracer was not in place all the time: the program changed it, or reached the recursion limit inside it"
	case e.lost > 0:
		return fmt.Sprintf("%d events could not be recorded", e.lost)
	case f.entered == 0 && !limited:
		return "the call entered no function of the program"
	case f.hole != "":
		return "events are missing before " + f.hole
	case len(f.running) > 0 && !limited:
		return "the frame of " + f.codes[f.frames[f.running[0]].Code].Name + " was never seen to end"
	}
	return ""
}

var signals = map[int32]string{
	1: "SIGHUP", sigInt: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
	sigKill: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", sigTerm: "SIGTERM",
	sigXCPU: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
}

func signalName(n int32) string {
	if name, ok := signals[n]; ok {
		return name
	}
	return fmt.Sprintf("signal %d", n)
}
