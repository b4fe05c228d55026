package pipelines

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tracemill/tracemill/shard"
)

// Report is what a run says at its end, and writes to report.json in the output directory. Times and other facts
// that differ from run to run are here and in no table.
type Report struct {
	Output          string   `json:"output"`
	Complete        bool     `json:"complete"`
	AlreadyComplete bool     `json:"already_complete"` // nothing was done: the same build was there
	Plan            string   `json:"plan"`             // digest
	Runtime         string   `json:"runtime"`          // "docker/runc", "bwrap"
	Image           string   `json:"image"`
	Python          string   `json:"python"`
	Workers         int      `json:"workers"`
	Parts           int      `json:"parts"`
	PartsResumed    int      `json:"parts_resumed"` // committed by an earlier run
	PartsFailed     []string `json:"parts_failed,omitempty"`
	Stages          []Stage  `json:"stages"`
	Counters        Counters `json:"counters"`
	Files           int      `json:"files"`
	Bytes           int64    `json:"bytes"`      // of the finished dataset
	Seconds         float64  `json:"seconds"`    // wall clock of this run
	Executions      int64    `json:"executions"` // of this run, the guards' included
	Retries         int64    `json:"retries"`    // infrastructure failures that were retried

	Warnings     []string `json:"warnings,omitempty"`      // also in the manifest and on the card
	GivenUnknown []string `json:"given_unknown,omitempty"` // names in cases.given that no function of the dataset has

	Verified *VerifyReport `json:"verified,omitempty"` // when the config asks for it
}

// addCommits sums the counters of every part that is done, and takes an example of what was dropped for each reason.
func (r *Report) addCommits(build *shard.Build) error {
	r.Counters = Counters{}
	for _, part := range build.Plan().Parts {
		if commit, ok := build.Committed(part.ID); ok {
			r.Counters.Add(commit.Counters)
		}
	}
	r.Stages = r.Counters.Stages()
	return readDrops(r.Output, build.Drops(), r.addExample)
}

func (r *Report) addExample(d *Drop) {
	for i := range r.Stages {
		s := &r.Stages[i]
		if _, have := s.Examples[d.Reason]; have || s.Name != d.Stage {
			continue
		}
		if s.Examples == nil {
			s.Examples = map[string]Drop{}
		}
		s.Examples[d.Reason] = *d
	}
}

func (r *Report) addManifest(m *shard.Manifest) {
	r.Complete = true
	r.Files = len(m.Files)
	for _, f := range m.Files {
		r.Bytes += f.Size
	}
}

const reportFile = "report.json"

func (r *Report) write() error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(r.Output, reportFile)
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// ReadReport is the report of a build's last run.
func ReadReport(dir string) (*Report, error) {
	text, err := os.ReadFile(filepath.Join(dir, reportFile))
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	r := &Report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("read report %s: %w", filepath.Join(dir, reportFile), err)
	}
	return r, nil
}
