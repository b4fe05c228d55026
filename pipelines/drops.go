package pipelines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/harvest/secrets"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
)

// Drop is a line of _build/drops.jsonl: one thing that a stage left out.
type Drop struct {
	Stage  string `json:"stage"` // as Stage.Name
	Reason string `json:"reason"`
	Source string `json:"source"` // name of the config's source
	Repo   string `json:"repo,omitempty"`
	Path   string `json:"path,omitempty"`
	Row    int    `json:"row,omitempty"`    // 1-based, of a JSONL or Parquet file
	ID     string `json:"id,omitempty"`     // the data set's own name of the row
	Unit   string `json:"unit,omitempty"`   // function
	Line   int32  `json:"line,omitempty"`   // of its definition in the file, or in the row's program; 0 when unknown
	Detail string `json:"detail,omitempty"` // for people, with secrets masked
}

// dropsKept is how many drops of a reason a part keeps, the first ones: all of its items and functions, mostly, since there are
// run.part_size items, and some cases, traces and trajectories, of which one function may drop dozens. The counters count all.
func dropsKept(stage string) int {
	if stage == "items" || stage == "functions" {
		return 100
	}
	return 10
}

// maxDetail is how much of a detail is kept, in characters: a call may be of any length.
const maxDetail = 300

// drop writes down that something is left out, unless the part has enough drops of the reason. It is for the caller to count it.
func (r *rows) drop(stage, reason string, d Drop) error {
	if r.drops == nil {
		r.drops = map[[2]string]int{}
	}
	key := [2]string{stage, reason}
	if r.drops[key]++; r.drops[key] > dropsKept(stage) {
		return nil
	}
	d.Stage, d.Reason = stage, reason
	// Masked whatever the config says of secrets: a detail is for people, and nothing is made of it.
	for _, text := range []*string{&d.ID, &d.Detail} {
		*text, _ = secrets.Mask(*text)
	}
	d.Detail = firstRunes(d.Detail, maxDetail)
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(&d); err != nil {
		return err
	}
	return r.part.WriteDrop(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
}

func (r *rows) harvestDrops(drops []harvest.Drop) error {
	for i := range drops {
		d := &drops[i]
		line := dropOf(&d.Origin, d.Unit, d.Line, d.Detail)
		line.ID = d.ID
		if err := r.drop(string(d.Level)+"s", string(d.Reason), line); err != nil {
			return err
		}
	}
	return nil
}

func (r *rows) traceDrop(reason string, t *schema.Trace, f *schema.Function) error {
	of := schema.Case{Call: t.Call, Stdin: t.Stdin}
	detail := of.String()
	if t.StatusDetail != "" {
		detail = t.StatusDetail + ": " + detail
	}
	return r.drop("traces", reason, dropOf(&f.Origin, f.Entry, f.SourceStart, detail))
}

func (r *rows) trajectoryDrop(reason, format string, d schema.Direction, f *schema.Function) error {
	return r.drop("trajectories", reason, dropOf(&f.Origin, f.Entry, f.SourceStart, string(d)+", "+format))
}

func dropOf(o *schema.Origin, unit string, line int32, detail string) Drop {
	return Drop{Source: o.Source, Repo: o.Repo, Path: o.Path, Row: o.Row, Unit: unit, Line: line, Detail: detail}
}

func firstRunes(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// String says where it was and why: `rows.jsonl:3: no column "output"`, `a.py:12: Stack.push: defined at line 12`.
func (d *Drop) String() string {
	o := schema.Origin{Source: d.Source, Path: d.Path, Row: d.Row}
	if d.Row == 0 && d.Path != "" {
		o.Row = int(d.Line)
	}
	text := o.String()
	if d.ID != "" {
		text += " (" + d.ID + ")"
	}
	for _, part := range []string{d.Unit, d.Detail} {
		if part != "" {
			text += ": " + part
		}
	}
	return text
}

// readDrops reads the lines that shard has of a build's drops.
func readDrops(dir string, lines iter.Seq2[[]byte, error], visit func(*Drop)) error {
	n := 0
	for line, err := range lines {
		if err != nil {
			return fmt.Errorf("drops: %w", err)
		}
		n++
		d := &Drop{}
		if err := json.Unmarshal(line, d); err != nil {
			return fmt.Errorf("drops of %s: line %d: %w", dir, n, err)
		}
		visit(d)
	}
	return nil
}

// Dropped is what a finished build left out.
type Dropped struct {
	Dir    string  `json:"dir"`
	File   string  `json:"file"` // all that is kept of the drops, JSON Lines; "" of a build by a version that kept none
	Stages []Stage `json:"stages"`
	Drops  []Drop  `json:"drops"` // at most so many of a stage and reason as were asked for, in the order of the file
}

// ReadDropped reads what a finished build left out, and at most so many drops of each stage and reason.
func ReadDropped(dir string, most int) (*Dropped, error) {
	d, err := shard.OpenDataset(dir)
	if err != nil {
		return nil, err
	}
	all := &Dropped{Dir: dir, File: shard.DropsPath(dir), Stages: Counters(d.Manifest().Counters).Stages(), Drops: []Drop{}}
	if _, err := os.Stat(all.File); err != nil {
		all.File = ""
	}
	have := map[[2]string]int{}
	err = readDrops(dir, d.Drops(), func(d *Drop) {
		key := [2]string{d.Stage, d.Reason}
		if have[key]++; have[key] <= most {
			all.Drops = append(all.Drops, *d)
		}
	})
	return all, err
}
