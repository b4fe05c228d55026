package pipelines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/harvest/contamination"
	"github.com/tracemill/tracemill/harvest/duplicates"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/shard"
)

// survey looks at all functions of a build before the first is worked on, and says of each whether it is a copy of an earlier one, or
// like a benchmark's. What it finds is written down by part, in a directory that is named after the plan as it is without it; the digest
// of all verdicts is then a setting of the plan. A survey that was killed goes on with the parts that are missing.
//
//	_build/survey/PLAN/records/part-000000    fingerprints; removed at the end
//	_build/survey/PLAN/verdicts/part-000000   one verdict a line
//	_build/survey/PLAN/digest                 written last
type survey struct {
	config  *Config
	sources *sourceSet
	runtime sandbox.Runtime
	dir     string
	parts   []shard.PartPlan
	index   *contamination.Index
}

// verdict is what was found of a function.
type verdict struct {
	ID      string         `json:"id"`
	Cluster string         `json:"cluster,omitempty"` // id of the first copy
	Reason  harvest.Reason `json:"reason,omitempty"`  // why it is not wanted
	Detail  string         `json:"detail,omitempty"`

	Benchmark string `json:"benchmark,omitempty"` // that it is like
}

const surveySetting = "survey"

// openSurvey makes the survey that a build needs, or finds the one that was made, and puts its digest into the plan. It is nil where the
// config asks for nothing that needs one.
func openSurvey(ctx context.Context, c *Config, sources *sourceSet, rt sandbox.Runtime, plan *shard.Plan, progress Progress) (*survey, error) {
	if !c.Harvest.Surveyed() {
		return nil, nil
	}
	s := &survey{
		config: c, sources: sources, runtime: rt, parts: plan.Parts,
		dir: filepath.Join(shard.StateDir(c.Output), "survey", plan.Digest()[:16]),
	}
	digest, err := os.ReadFile(s.path("digest"))
	if errors.Is(err, fs.ErrNotExist) {
		if err := shard.Check(c.Output, *plan, surveySetting); err != nil {
			return nil, err
		}
		progress.Log("surveying all functions for duplicates and benchmarks")
		digest, err = s.make(ctx)
	}
	var mistake *ConfigError
	switch {
	case errors.As(err, &mistake):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("survey: %w", err)
	}
	plan.Settings[surveySetting] = string(digest)
	return s, nil
}

func (s *survey) path(elements ...string) string {
	return filepath.Join(append([]string{s.dir}, elements...)...)
}

// make writes the verdicts and gives their digest.
func (s *survey) make(ctx context.Context) ([]byte, error) {
	if err := s.fingerprint(ctx); err != nil {
		return nil, err
	}
	digest, err := s.judge(ctx)
	if err != nil {
		return nil, err
	}
	if err := writeWhole(s.path("digest"), digest); err != nil {
		return nil, err
	}
	return digest, os.RemoveAll(s.path("records"))
}

// fingerprint writes the records of every part that has none yet, with as many workers as the build has.
func (s *survey) fingerprint(ctx context.Context) error {
	var todo []shard.PartPlan
	for _, part := range s.parts {
		if _, err := os.Stat(s.path("records", part.ID)); err != nil {
			todo = append(todo, part)
		}
	}
	if len(todo) == 0 {
		return s.makeDirs()
	}
	first, err := s.harvester(ctx, 0)
	if err != nil {
		return err
	}
	if s.index, err = first.Benchmarks(ctx); err != nil {
		return errors.Join(s.config.harvestError(err), first.Close())
	}
	if err := s.makeDirs(); err != nil {
		return errors.Join(err, first.Close())
	}
	tasks := make(chan task)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(tasks)
		return s.sources.read(ctx, todo, tasks)
	})
	for n := range min(s.config.Run.Workers, len(todo)) {
		g.Go(func() error {
			h := first
			if n > 0 {
				var err error
				if h, err = s.harvester(ctx, n); err != nil {
					return err
				}
			}
			err := s.work(ctx, h, tasks)
			return errors.Join(err, h.Close())
		})
	}
	return g.Wait()
}

// makeDirs comes after the first things that can be mistakes of the config: those leave nothing behind.
func (s *survey) makeDirs() error {
	return errors.Join(os.MkdirAll(s.path("records"), 0o777), os.MkdirAll(s.path("verdicts"), 0o777))
}

func (s *survey) harvester(ctx context.Context, n int) (*harvest.Harvester, error) {
	options := s.config.Harvest
	options.Fingerprints = true
	return harvest.New(ctx, s.runtime, fmt.Sprintf("survey-%d", n), options)
}

func (s *survey) work(ctx context.Context, h *harvest.Harvester, tasks <-chan task) error {
	for t := range tasks {
		harvested, err := h.Harvest(ctx, t.items)
		if err != nil {
			return err
		}
		var records, matches []byte
		for i := range harvested.Units {
			u := &harvested.Units[i]
			record, match := s.record(u)
			records = record.Append(records)
			if match == nil {
				continue
			}
			line, err := json.Marshal(verdict{ID: u.Function.ID, Reason: harvest.Contaminated, Detail: match.String(), Benchmark: match.Benchmark})
			if err != nil {
				return err
			}
			matches = append(append(matches, line...), '\n')
		}
		// The matches first: a part is done when its records are there.
		if err := writeWhole(s.path("records", t.part.ID+".matches"), matches); err != nil {
			return err
		}
		if err := writeWhole(s.path("records", t.part.ID), records); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// record is a function's fingerprint, and the benchmark's function that it is like. One that has no fingerprint is a copy of its equals only.
func (s *survey) record(u *harvest.Unit) (*duplicates.Record, *contamination.Match) {
	p := u.Fingerprint
	r := &duplicates.Record{ID: binaryID(u.Function.ID)}
	if p == nil {
		r.Tree = r.ID
		return r, nil
	}
	r.Tree, r.Tokens, r.Signature = binaryID(p.Tree), uint32(len(p.Tokens)), *duplicates.Sign(p.Tokens)
	function := p.Of(u)
	match := s.index.Match(&function)
	if match != nil {
		r.Excluded = 1
	}
	return r, match
}

// binaryID is the bytes of an id; text that is none would be a mistake of this program's.
func binaryID(id string) (b [16]byte) {
	if n, err := hex.Decode(b[:], []byte(id)); err != nil || n != len(b) {
		panic(fmt.Sprintf("%q is no id", id))
	}
	return b
}

// judge compares all records and writes the verdicts.
func (s *survey) judge(ctx context.Context) ([]byte, error) {
	paths := make([]string, len(s.parts))
	for i, part := range s.parts {
		paths[i] = s.path("records", part.ID)
	}
	files, err := duplicates.OpenFiles(paths)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	o := s.config.Harvest.Duplicates
	found, err := duplicates.Find(ctx, files, s.dir, duplicates.Options{
		Exact: o.Exact != harvest.TreatKeep, Near: o.Near != harvest.TreatKeep, Threshold: o.Threshold,
	})
	if err != nil {
		return nil, err
	}
	digest := sha256.New()
	for i, part := range s.parts {
		lines, err := s.verdicts(part, files, found, files.Start(i), files.Start(i+1))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(digest, "%s %d\n%s", part.ID, len(lines), lines)
		if err := writeWhole(s.path("verdicts", part.ID), lines); err != nil {
			return nil, err
		}
	}
	return []byte(hex.EncodeToString(digest.Sum(nil))), nil
}

// verdicts are those of the functions from one number to another, as lines.
func (s *survey) verdicts(part shard.PartPlan, files *duplicates.Files, found *duplicates.Found, from, to int) ([]byte, error) {
	matches, err := readVerdicts(s.path("records", part.ID+".matches"))
	if err != nil {
		return nil, err
	}
	var lines []byte
	var record duplicates.Record
	for n := from; n < to; n++ {
		if err := files.At(n, &record); err != nil {
			return nil, err
		}
		v := verdict{ID: hex.EncodeToString(record.ID[:])}
		if match, ok := matches[v.ID]; ok {
			v = match
		} else if first, kind := found.Of(n); kind != duplicates.First || found.Copied(n) {
			if err := files.At(first, &record); err != nil {
				return nil, err
			}
			v.Cluster = hex.EncodeToString(record.ID[:])
			v.Reason, v.Detail = s.reason(kind, v.Cluster)
		}
		line, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		lines = append(append(lines, line...), '\n')
	}
	return lines, nil
}

// reason says why a copy is dropped, "" when it is not.
func (s *survey) reason(kind duplicates.Kind, of string) (harvest.Reason, string) {
	o := s.config.Harvest.Duplicates
	switch {
	case kind == duplicates.Exact && o.Exact == harvest.TreatDrop:
		return harvest.DuplicateExact, "of function " + of
	case kind == duplicates.Near && o.Near == harvest.TreatDrop:
		return harvest.DuplicateNear, "of function " + of
	}
	return "", ""
}

// settle drops the functions of a part that the survey found to be unwanted, and says of the others what they are copies of.
func (s *survey) settle(sums Counters, part string, h *harvest.Result) error {
	if s == nil {
		return nil
	}
	verdicts, err := readVerdicts(s.path("verdicts", part))
	if err != nil {
		return fmt.Errorf("survey: %w", err)
	}
	h.DropUnits(func(u *harvest.Unit) (harvest.Reason, string) {
		v, ok := verdicts[u.Function.ID]
		if !ok {
			return harvest.NotSurveyed, "function " + u.Function.ID
		}
		u.Function.Cluster = v.Cluster
		if u.Whole != nil {
			u.Whole.Cluster = v.Cluster
		}
		if v.Benchmark != "" {
			sums.fact("contaminated", v.Benchmark, 1)
		}
		return v.Reason, v.Detail
	})
	return nil
}

func readVerdicts(path string) (map[string]verdict, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	verdicts := map[string]verdict{}
	for decoder := json.NewDecoder(file); decoder.More(); {
		var v verdict
		if err := decoder.Decode(&v); err != nil {
			return nil, fmt.Errorf("%s: %w; remove the directory of the survey to have it made anew", path, err)
		}
		verdicts[v.ID] = v
	}
	return verdicts, nil
}

// writeWhole writes a file that is there as a whole or not at all.
func writeWhole(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".attempt-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(content)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
