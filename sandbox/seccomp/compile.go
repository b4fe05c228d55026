package seccomp

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
)

// Options say what a compiled profile is for.
type Options struct {
	Caps []string // capabilities that the sandbox has, such as "CAP_KILL": rules may depend on them
	// SameUser is for a sandbox whose programs are its server's own user: calls that change another process's limits,
	// priority or scheduling are refused, and signals to process 1, for by their rights they could do so to the server.
	SameUser bool
}

// document is Docker's JSON.
type document struct {
	DefaultAction   string `json:"defaultAction"`
	DefaultErrnoRet *uint  `json:"defaultErrnoRet"`
	Syscalls        []struct {
		Names    []string   `json:"names"`
		Name     string     `json:"name"`
		Action   string     `json:"action"`
		ErrnoRet *uint      `json:"errnoRet"`
		Args     []argument `json:"args"`
		Includes condition  `json:"includes"`
		Excludes condition  `json:"excludes"`
	} `json:"syscalls"`
}

// condition is on the machine and the sandbox. A kernel that runs all else here is newer than any minKernel.
type condition struct {
	Caps   []string `json:"caps"`
	Arches []string `json:"arches"`
}

type argument struct {
	Index    int    `json:"index"`
	Value    uint64 `json:"value"`
	ValueTwo uint64 `json:"valueTwo"`
	Op       string `json:"op"`
}

// rule is what to answer to a call whose arguments are as said.
type rule struct {
	args   []argument
	action uint32
}

const (
	eperm  = 1
	enosys = 38
)

// Compile makes the filter of a profile that Load knows, as the kernel takes it: an array of struct sock_filter. It is nil
// for Engine.
func Compile(setting string, opts Options) ([]byte, error) {
	text, err := Load(setting)
	if err != nil || text == nil {
		return nil, err
	}
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("seccomp profile %s: %w", setting, err)
	}
	machine, err := arch.GetInfo("")
	if err != nil {
		return nil, fmt.Errorf("seccomp profile %s: %w", setting, err)
	}
	program, err := doc.assemble(machine, opts)
	if err != nil {
		return nil, fmt.Errorf("seccomp profile %s: %w", setting, err)
	}
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, fmt.Errorf("seccomp profile %s: %w", setting, err)
	}
	var out bytes.Buffer
	for _, i := range raw {
		_ = binary.Write(&out, binary.NativeEndian, i) // into memory: it cannot fail
	}
	return out.Bytes(), nil
}

// Offsets in struct seccomp_data.
const (
	numberAt = 0
	archAt   = 4
	argsAt   = 16
)

// x32 is what the numbers of calls of the x32 table, which has x86-64's architecture, are at least.
const x32 = 0x40000000

// assemble makes one block for each call: its number, its rules, and what is answered where none of them applies.
func (d *document) assemble(machine *arch.Info, opts Options) ([]bpf.Instruction, error) {
	otherwise, err := answer(d.DefaultAction, d.DefaultErrnoRet)
	if err != nil {
		return nil, err
	}
	rules, err := d.rules(machine, opts)
	if err != nil {
		return nil, err
	}
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: archAt, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(machine.ID), SkipTrue: 1},
		bpf.RetConstant{Val: uint32(seccomp.ActionKillProcess)},
		bpf.LoadAbsolute{Off: numberAt, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: x32, SkipTrue: 1},
		bpf.RetConstant{Val: uint32(seccomp.ActionErrno) | enosys},
	}
	for _, number := range sortedNumbers(rules) {
		block := []bpf.Instruction{bpf.RetConstant{Val: otherwise}}
		for _, r := range slices.Backward(rules[number]) {
			one, err := r.assemble()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", machine.SyscallNumbers[number], err)
			}
			block = append(one, block...)
		}
		if len(block) > 255 {
			return nil, fmt.Errorf("%s: it has more rules than a filter can have for one call", machine.SyscallNumbers[number])
		}
		program = append(program, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(number), SkipTrue: uint8(len(block))})
		program = append(program, block...)
	}
	return append(program, bpf.RetConstant{Val: otherwise}), nil
}

func sortedNumbers(rules map[int][]rule) []int {
	numbers := make([]int, 0, len(rules))
	for number := range rules {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	return numbers
}

// rules are those that apply here, by call, in the order of the document. A call that this machine does not know has none.
func (d *document) rules(machine *arch.Info, opts Options) (map[int][]rule, error) {
	all := map[int][]rule{}
	for _, s := range d.Syscalls {
		if !s.Includes.allOf(opts) || s.Excludes.anyOf(opts) {
			continue
		}
		action, err := answer(s.Action, s.ErrnoRet)
		if err != nil {
			return nil, err
		}
		for _, name := range append(s.Names, s.Name) {
			if number, known := numberOf(machine, name); known {
				for _, args := range alternatives(s.Args) {
					all[number] = append(all[number], rule{args, action})
				}
			}
		}
	}
	if opts.SameUser {
		for name, others := range ofOthers {
			number := machine.SyscallNames[name]
			if len(all[number]) == 0 {
				continue
			}
			for _, other := range others {
				refusal := rule{[]argument{other}, uint32(seccomp.ActionErrno) | eperm}
				all[number] = append([]rule{refusal}, all[number]...)
			}
		}
	}
	return all, nil
}

// numberOf finds a call's number. The table of arm64 has newfstatat by a name that no profile knows it by.
func numberOf(machine *arch.Info, name string) (number int, known bool) {
	if number, known = machine.SyscallNames[name]; !known && name == "newfstatat" {
		number, known = machine.SyscallNames["fstatat"]
	}
	return number, known
}

// ofOthers are the calls that reach processes besides the caller, with arguments of which any says that they do. Signals
// are refused to process 1 alone, the server: others are the program's own.
var ofOthers = map[string][]argument{
	"prlimit64":          {another(0)},
	"sched_setaffinity":  {another(0)},
	"sched_setattr":      {another(0)},
	"sched_setparam":     {another(0)},
	"sched_setscheduler": {another(0)},
	"setpriority":        {another(1), whole(0, 2)}, // PRIO_USER
	"ioprio_set":         {another(1), whole(0, 3)}, // IOPRIO_WHO_USER
	"kill":               {whole(0, 1)},
	"tgkill":             {whole(0, 1)},
	"tkill":              {whole(0, 1)},
}

// another is the argument that names a process by its number; 0 is the caller.
func another(index int) argument { return argument{Index: index, Op: "SCMP_CMP_NE"} }

// whole is an int argument that is value. The kernel does not look at the upper half of the register, nor does this.
func whole(index int, value uint64) argument {
	return argument{Index: index, Value: 0xffffffff, ValueTwo: value, Op: "SCMP_CMP_MASKED_EQ"}
}

// alternatives splits what is said twice of one argument, of which either will do, as in the OCI runtimes.
func alternatives(args []argument) [][]argument {
	for i, a := range args {
		if slices.ContainsFunc(args[:i], func(b argument) bool { return a.Index == b.Index }) {
			var each [][]argument
			for _, a := range args {
				each = append(each, []argument{a})
			}
			return each
		}
	}
	return [][]argument{args}
}

func (c condition) allOf(opts Options) bool {
	return (len(c.Arches) == 0 || slices.Contains(c.Arches, runtime.GOARCH)) &&
		!slices.ContainsFunc(c.Caps, func(name string) bool { return !slices.Contains(opts.Caps, name) })
}

func (c condition) anyOf(opts Options) bool {
	return slices.Contains(c.Arches, runtime.GOARCH) ||
		slices.ContainsFunc(c.Caps, func(name string) bool { return slices.Contains(opts.Caps, name) })
}

func answer(action string, errno *uint) (uint32, error) {
	switch action {
	case "SCMP_ACT_ALLOW":
		return uint32(seccomp.ActionAllow), nil
	case "SCMP_ACT_ERRNO":
		if errno == nil {
			return uint32(seccomp.ActionErrno) | eperm, nil
		}
		return uint32(seccomp.ActionErrno) | uint32(*errno)&0xffff, nil
	case "SCMP_ACT_KILL", "SCMP_ACT_KILL_THREAD":
		return uint32(seccomp.ActionKillThread), nil
	case "SCMP_ACT_KILL_PROCESS":
		return uint32(seccomp.ActionKillProcess), nil
	case "SCMP_ACT_LOG":
		return uint32(seccomp.ActionLog), nil
	case "SCMP_ACT_TRACE": // without a tracer, ENOSYS
		return uint32(seccomp.ActionTrace), nil
	}
	return 0, fmt.Errorf("the action %q cannot be had without an OCI runtime", action)
}

// assemble checks the arguments one after the other, and leaves the rule behind where one is not as said.
func (r rule) assemble() ([]bpf.Instruction, error) {
	code := []bpf.Instruction{bpf.RetConstant{Val: r.action}}
	for _, a := range slices.Backward(r.args) {
		if len(code) > 200 || a.Index < 0 || a.Index > 5 {
			return nil, fmt.Errorf("argument %d cannot be checked", a.Index)
		}
		past := uint8(len(code))
		low, high := bpf.LoadAbsolute{Off: word(a.Index, 0), Size: 4}, bpf.LoadAbsolute{Off: word(a.Index, 1), Size: 4}
		var check []bpf.Instruction
		switch a.Op {
		case "SCMP_CMP_EQ":
			check = []bpf.Instruction{
				high, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(a.Value >> 32), SkipTrue: past + 2},
				low, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(a.Value), SkipTrue: past},
			}
		case "SCMP_CMP_NE":
			check = []bpf.Instruction{
				high, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(a.Value >> 32), SkipTrue: 2},
				low, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(a.Value), SkipTrue: past},
			}
		case "SCMP_CMP_MASKED_EQ": // of the bits of Value, those of ValueTwo are set
			check = []bpf.Instruction{
				high, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: uint32(a.Value >> 32)},
				bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(a.ValueTwo >> 32), SkipTrue: past + 3},
				low, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: uint32(a.Value)},
				bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(a.ValueTwo), SkipTrue: past},
			}
		default:
			return nil, fmt.Errorf("the comparison %q cannot be had without an OCI runtime", a.Op)
		}
		code = append(check, code...)
	}
	return code, nil
}

// word is where the low or the high half of an argument is.
func word(argument, high int) uint32 {
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 { // big-endian
		high = 1 - high
	}
	return uint32(argsAt + 8*argument + 4*high)
}
