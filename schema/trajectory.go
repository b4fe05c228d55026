package schema

// TargetKind is the part of a state that a target span covers.
type TargetKind string

const (
	TargetEvent  TargetKind = "event"
	TargetSource TargetKind = "source"
	TargetLocals TargetKind = "locals"
	TargetValue  TargetKind = "value"
	TargetExit   TargetKind = "exit"
)

// Target is a half-open span of a trajectory's text that a model is trained to predict, in Unicode code points,
// as Python indexes a str.
type Target struct {
	Start int32
	End   int32
	Kind  TargetKind
}

// Trajectory is one sampled trajectory, rendered in one format.
type Trajectory struct {
	ID         string
	FunctionID string
	TraceID    string
	Direction  Direction
	Format     string
	Policy     string
	Semantics  string // "tree" or "pdb"
	Seed       uint64
	Text       string
	Targets    []Target
	Actions    []Action
	EventIndex []int32 // per state: its index in the trace's events. With an exit, one more: -1
	Horizons   []int32 // per action: how many recorded states it skipped; 0 for the next one
	Exit       Exit
	States     int // number of states, the exit not counted
	Chars      int // length of Text in code points
	EntryPoint string
}

// Identify sets the id: everything that the text is made of.
func (t *Trajectory) Identify() {
	t.ID = ID("trajectory", t.TraceID, t.Policy, t.Semantics, formatUint(t.Seed), string(t.Direction), t.Format, t.Text)
}
