package schema

// Direction is the direction of a trajectory.
type Direction string

const (
	Forward Direction = "forward"
	Inverse Direction = "inverse"
)

// Exit is how a trajectory ends.
type Exit string

const (
	ExitNormal Exit = "normal" // the entry of the trajectory returned
	ExitError  Exit = "error"  // it was left by an exception
	ExitNever  Exit = "never"  // it repeats its state for ever
	ExitEntry  Exit = "entry"  // inverse: its call was reached
	ExitCut    Exit = "cut"    // no exit: a cap, or the end of what was recorded, ended it at a state
)

// ActionKind is what the user of a debugger does.
type ActionKind string

const (
	StepInto    ActionKind = "step_into"
	StepOver    ActionKind = "step_over"
	StepReturn  ActionKind = "step_return"
	Breakpoint  ActionKind = "breakpoint"
	Continue    ActionKind = "continue"
	InvStepInto ActionKind = "inv_step_into"
	InvStepOver ActionKind = "inv_step_over"
	InvStepCall ActionKind = "inv_step_call"
)

// Action is an action and its argument.
type Action struct {
	Kind ActionKind
	Arg  string // breakpoint: the source line it is set on, as SRC has it
}

// LocalState says what a state shows of a local variable.
type LocalState uint8

const (
	LocalSet       LocalState = iota // it has Value, and is shown
	LocalUnbound                     // it has no value (any more, or yet), and that is shown
	LocalUnchanged                   // it has the value that the previous state of its frame in the trajectory has; left out
	LocalAbsent                      // it has no value, as in the previous state of its frame in the trajectory; left out
)

// Local is one local variable of a state.
type Local struct {
	Name  string
	State LocalState
	Value string // rendering; "" when unbound. A format that leaves unchanged variables out does not carry it
}

// State is an event as a debugger shows it.
type State struct {
	Kind     Kind
	LineCall bool    // inverse: the duplicate of a line that made a call, its callees' states under it
	Source   string  // the physical source line, with its indentation, without its end
	Locals   []Local // call, resume, line: in the order in which the frame bound them first
	Elided   bool    // the state does not show all locals (some are LocalUnchanged or LocalAbsent, or are not known here)
	Value    string  // return, yield, exception: the rendering
	HasValue bool    // false for unwind: nothing was returned
}

// HasLocals says whether a state of this kind shows local variables rather than a value.
func (s *State) HasLocals() bool {
	return s.Kind == KindCall || s.Kind == KindResume || s.Kind == KindLine
}

// Document is a trajectory as a text format renders it: States[0], Actions[0], States[1], ... There is one action
// less than there are states when Exit is ExitCut, and as many otherwise, the last one leading to the exit.
type Document struct {
	Direction Direction
	Code      string
	Entry     string // name of the function that the trajectory enters first
	EntryLine int32  // 1-based line of Code with that function's def; 0 when Code does not hold it
	States    []State
	Actions   []Action
	Exit      Exit
}
