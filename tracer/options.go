package tracer

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tracemill/tracemill/schema"
)

// Determinism says whether a case is traced a second time, where what must not matter is different: the hash seed, the
// address layout, the clock.
type Determinism string

const (
	DeterminismOff     Determinism = "off"     // never
	DeterminismCheck   Determinism = "check"   // yes; when the second run cannot be made, the trace is unchecked
	DeterminismRequire Determinism = "require" // yes; when the second run cannot be made, the trace is not ok
)

// ValueMode is how values are rendered.
type ValueMode string

const (
	ValueRepr  ValueMode = "repr"  // as repr would, whenever that can be had without user code
	ValueTyped ValueMode = "typed" // with the type named where the text alone does not tell it
)

// Isolation says what the cases of one function share. Cases of two functions never share a process.
type Isolation string

const (
	// A process for the cases of a function, as long as each leaves it as it was. What the guards find to depend on the cases
	// before it is run again PerCase.
	PerFunction Isolation = "per_function"
	// A process for each case.
	PerCase Isolation = "per_case"
	// A process for each case, and a sandbox for each function.
	PerContainer Isolation = "per_container"
)

// Options say how executions are traced. The zero value works. Every field changes what is recorded, so all of
// them are in the ids of traces, unless it says otherwise.
type Options struct {
	// What bounds one execution.
	Limits Limits `json:"limits" yaml:"limits"`
	// What bounds the rendering of values.
	Values Budget `json:"values" yaml:"values"`
	// How a case's call becomes a program: main appends a function that returns the call, none calls from outside.
	Wrapper schema.Wrapper `json:"wrapper" yaml:"wrapper" jsonschema:"enum=main,enum=none"`
	// Whether each usable case is traced a second time, elsewhere, and compared: off, check or require.
	Determinism Determinism `json:"determinism" yaml:"determinism" jsonschema:"enum=off,enum=check,enum=require"`
	// Whether each usable case is also run untraced, and compared.
	Differential bool `json:"differential" yaml:"differential"`
	// Whether to keep what was recorded of executions that were killed from outside. How much that is depends on the machine's speed, so that two builds differ.
	Partial bool `json:"partial" yaml:"partial"`
	// What cases of one function share. It is not in ids: the guards see to it that it changes no trace.
	Isolation Isolation `json:"isolation" yaml:"isolation" jsonschema:"enum=per_function,enum=per_case,enum=per_container"`
	// Seeds what is pinned in the program's world: random, uuid, os.urandom.
	Seed uint64 `json:"seed" yaml:"seed"`
}

// Limits bound one execution. A zero field takes the default.
type Limits struct {
	// Events of a trace; the execution ends at the limit, and the events up to it are kept.
	Events int `json:"events" yaml:"events"`
	// Bytes of a trace as it is sent; likewise.
	Bytes int64 `json:"bytes" yaml:"bytes" unit:"bytes" jsonschema:"oneof_type=integer;string"`
	// Wall clock time.
	Wall time.Duration `json:"wall" yaml:"wall"`
	// CPU time.
	CPU time.Duration `json:"cpu" yaml:"cpu"`
	// Bytes of memory that the program may add to the interpreter's own.
	Memory int64 `json:"memory" yaml:"memory" unit:"bytes" jsonschema:"oneof_type=integer;string"`
	// Bytes written to stdout and stderr together.
	Output int64 `json:"output" yaml:"output" unit:"bytes" jsonschema:"oneof_type=integer;string"`
	// Bytes of the largest file that it may write.
	File int64 `json:"file" yaml:"file" unit:"bytes" jsonschema:"oneof_type=integer;string"`
	// Processes and threads that it may start.
	Processes int `json:"processes" yaml:"processes"`
}

// Budget bounds the rendering of a value. A value that is cut says so. A zero field takes the default.
type Budget struct {
	// How values are written: repr or typed.
	Mode ValueMode `json:"mode" yaml:"mode" jsonschema:"enum=repr,enum=typed"`
	// Levels of nested containers.
	Depth int `json:"depth" yaml:"depth"`
	// Items of a container.
	Items int `json:"items" yaml:"items"`
	// Characters of one string inside a value.
	Chars int `json:"chars" yaml:"chars"`
	// Characters of a whole rendering.
	ValueChars int `json:"value_chars" yaml:"value_chars"`
	// Objects visited for one rendering.
	Nodes int `json:"nodes" yaml:"nodes"`
	// Bytes that are hashed, so that two values that are cut alike are told apart.
	DigestBytes int `json:"digest_bytes" yaml:"digest_bytes"`
}

// Default is an option that was not given: its key, the value it took, and why that one.
type Default struct {
	Key    string
	Value  any
	Reason string
}

// WithDefaults is a copy with every option set, and what was set.
func (o Options) WithDefaults() (Options, []Default) {
	var set []Default
	l, v := &o.Limits, &o.Values
	fill(&set, "limits.events", &l.Events, 10_000, "longer traces repeat themselves, and cost a trainer's context many times over")
	fill(&set, "limits.bytes", &l.Bytes, 8<<20, "ten times what 10,000 events with changing lists take")
	fill(&set, "limits.wall", &l.Wall, 10*time.Second, "twice the CPU limit, so that a busy machine does not turn work into timeouts")
	fill(&set, "limits.cpu", &l.CPU, 5*time.Second, "10,000 traced events take a tenth of a second: what runs longer loops in C")
	fill(&set, "limits.memory", &l.Memory, 256<<20, "a quarter of a sandbox's memory: a program meets its own limit before its sandbox's, and before its time is up")
	fill(&set, "limits.output", &l.Output, 1<<20, "output is stored in the trace's row")
	fill(&set, "limits.file", &l.File, 16<<20, "a quarter of the sandbox's /tmp")
	fill(&set, "limits.processes", &l.Processes, 16, "a thread pool fits; a fork bomb ends at once")
	fill(&set, "values.mode", &v.Mode, ValueRepr, "what the papers' data has")
	fill(&set, "values.depth", &v.Depth, 8, "deeper nesting is rare, and recursive structures would fill the state")
	fill(&set, "values.items", &v.Items, 200, "lists of the usual data sets are shown whole")
	fill(&set, "values.chars", &v.Chars, 1000, "strings of the usual data sets are shown whole")
	fill(&set, "values.value_chars", &v.ValueChars, 2000, "about 700 tokens: one value must not push the program out of the context")
	fill(&set, "values.nodes", &v.Nodes, 1000, "bounds the time of a rendering whatever the value's size")
	fill(&set, "values.digest_bytes", &v.DigestBytes, 1<<16, "hashing that much costs as much as a rendering")
	fill(&set, "wrapper", &o.Wrapper, schema.WrapMain, "the call's arguments are in the program's text")
	fill(&set, "isolation", &o.Isolation, PerFunction, "a fork costs twenty times what a small function does, and what cases share is found by the determinism check")
	fill(&set, "determinism", &o.Determinism, DeterminismOff, "a second run doubles the cost; a config asks for it")
	return o, set
}

func fill[T comparable](set *[]Default, key string, field *T, value T, reason string) {
	var zero T
	if *field == zero {
		*field = value
		*set = append(*set, Default{Key: key, Value: value, Reason: reason})
	}
}

// Validate says what is wrong with options that a config gave. Zero fields are right.
func (o Options) Validate() error {
	o, _ = o.WithDefaults()
	l, v := o.Limits, o.Values
	for _, n := range []struct {
		key   string
		value int64
		low   int64
		high  int64
	}{
		{"limits.events", int64(l.Events), 1, 100_000_000},
		{"limits.bytes", l.Bytes, 1 << 10, 128 << 20},
		{"limits.wall", int64(l.Wall), int64(10 * time.Millisecond), int64(24 * time.Hour)},
		{"limits.cpu", int64(l.CPU), int64(10 * time.Millisecond), int64(24 * time.Hour)},
		{"limits.memory", l.Memory, 16 << 20, 1 << 40},
		{"limits.output", l.Output, 1, 64 << 20},
		{"limits.file", l.File, 1, 1 << 40},
		{"limits.processes", int64(l.Processes), 1, 10_000},
		{"values.depth", int64(v.Depth), 1, 100},
		{"values.items", int64(v.Items), 1, 1 << 20},
		{"values.chars", int64(v.Chars), 1, 1 << 20},
		{"values.value_chars", int64(v.ValueChars), 1, 1 << 20},
		{"values.nodes", int64(v.Nodes), 1, 1 << 24},
		{"values.digest_bytes", int64(v.DigestBytes), 1, 1 << 30},
	} {
		if n.value < n.low || n.value > n.high {
			return fmt.Errorf("%s: %d is not in the range %d to %d", n.key, n.value, n.low, n.high)
		}
	}
	switch {
	case v.Mode != ValueRepr && v.Mode != ValueTyped:
		return fmt.Errorf("values.mode: %q is neither %q nor %q", v.Mode, ValueRepr, ValueTyped)
	case o.Wrapper != schema.WrapMain && o.Wrapper != schema.WrapNone:
		return fmt.Errorf("wrapper: %q is neither %q nor %q", o.Wrapper, schema.WrapMain, schema.WrapNone)
	}
	switch o.Isolation {
	case PerFunction, PerCase, PerContainer:
	default:
		return fmt.Errorf("isolation: %q is none of %q, %q and %q", o.Isolation, PerFunction, PerCase, PerContainer)
	}
	switch o.Determinism {
	case DeterminismOff, DeterminismCheck, DeterminismRequire:
		return nil
	}
	return fmt.Errorf("determinism: %q is none of %q, %q and %q", o.Determinism, DeterminismOff, DeterminismCheck, DeterminismRequire)
}

// digest is what a trace's id has of the options. The guards are left out: they judge a recording and do not change it.
func (o Options) digest() (string, error) {
	o.Determinism, o.Differential, o.Partial, o.Isolation = "", false, false, ""
	body, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("tracer options: %w", err)
	}
	return schema.ID("tracer options", string(body)), nil
}
