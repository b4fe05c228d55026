// Package pipelines makes a finished dataset out of a config: it plans a build, works on its parts, and finalizes it.
//
// build.go is the flow of one part, on one screen. Run owns the goroutines: one that reads the sources and one per
// worker. When the context is cancelled, parts in flight are given up, every sandbox is closed, and what is
// committed stays; the same call goes on from there.
package pipelines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/shard"
)

// ErrIncomplete is wrapped by Run's error when some parts failed and the others are committed.
var ErrIncomplete = errors.New("the build is incomplete")

// ErrDisagrees is wrapped by Run's error when the finished build is not what its rows say.
var ErrDisagrees = errors.New("the dataset and the real debugger disagree")

// Progress is told how a build goes on, by several goroutines.
type Progress interface {
	Log(line string)
	Start(parts, resumed int)
	Part(id string, sums Counters)
}

// Run makes the dataset that a config describes, or goes on with one that was begun. With a report, its error
// says what is missing; without one, nothing was begun.
func Run(ctx context.Context, c *Config, progress Progress) (*Report, error) {
	begin := time.Now()
	defer leeway()()
	if err := c.CheckFiles(); err != nil {
		return nil, err
	}
	sources, err := openSources(ctx, c)
	if err != nil {
		return nil, err
	}
	defer sources.close()
	runtime, err := openRuntime(ctx, c, progress)
	if err != nil {
		return nil, err
	}
	defer runtime.Close()

	given, err := openGiven(c)
	if err != nil {
		return nil, err
	}
	defer given.close()
	plan, err := makePlan(ctx, c, sources, given, runtime.Image())
	if err != nil {
		return nil, err
	}
	e := &executor{config: c, sources: sources, given: given, runtime: runtime, plan: plan, progress: progress}
	if !shard.Begun(c.Output) {
		// A directory is claimed for this plan only once a sandbox of it has started.
		if e.first, err = newWorker(ctx, c, runtime, given, 0); err != nil {
			return nil, err
		}
		defer e.first.close()
	}
	if e.survey, err = openSurvey(ctx, c, sources, runtime, &plan, progress); err != nil {
		return nil, err
	}
	e.plan = plan
	build, err := shard.Open(c.Output, plan)
	if err != nil {
		return nil, err
	}
	report := &Report{
		Output: c.Output, Plan: plan.Digest(), Parts: len(plan.Parts), Workers: c.Run.Workers,
		Runtime: sandbox.Isolation(ctx, runtime), Image: runtime.Image().Name, Python: runtime.Image().Version,
	}
	if !build.Complete() {
		e.build, e.report = build, report
		if err := e.run(ctx); err != nil {
			return nil, err
		}
	} else {
		report.AlreadyComplete = true
	}
	if err := report.addCommits(build); err != nil {
		return nil, err
	}
	if failed := len(report.PartsFailed); failed > 0 {
		report.Seconds = time.Since(begin).Seconds()
		return report, fmt.Errorf("%w: %d of %d parts failed; what is done is kept: run the same command again",
			ErrIncomplete, failed, report.Parts)
	}
	if err := c.logUnusedOptOuts(report.Counters, progress); err != nil {
		return nil, err
	}
	if err := publish(ctx, c, build, report, progress); err != nil {
		return nil, err
	}
	if report.GivenUnknown, err = given.unknown(c.Output); err != nil {
		return nil, err
	}
	if report.AlreadyComplete {
		report.Seconds = time.Since(begin).Seconds()
		return report, nil // report.json keeps what the run that made it said
	}
	if err := prove(ctx, c, runtime, report, progress); err != nil {
		return nil, err
	}
	report.Seconds = time.Since(begin).Seconds()
	if err := report.write(); err != nil {
		return nil, err
	}
	if report.Verified != nil && !report.Verified.OK() {
		return report, fmt.Errorf("%w: `tracemill verify %s` shows them", ErrDisagrees, c.Output)
	}
	return report, nil
}

// prove verifies the finished build when the config asks for it.
func prove(ctx context.Context, c *Config, runtime sandbox.Runtime, report *Report, progress Progress) error {
	if c.Verify.Sample == 0 {
		return nil
	}
	progress.Log("verifying the dataset")
	options := VerifyOptions{Sample: c.Verify.Sample, Sequences: c.Verify.Sequences, Workers: c.Run.Workers, Runtime: runtime}
	if options.Sequences == 0 {
		options.Sequences = SequencesNone
	}
	verified, err := Verify(ctx, c.Output, options, progress)
	report.Verified = verified
	return err
}

// publish turns the committed parts into the dataset, and exports it. It is quick where that is done already.
func publish(ctx context.Context, c *Config, build *shard.Build, report *Report, progress Progress) error {
	if !build.Complete() {
		progress.Log("writing the dataset")
	}
	report.Warnings = warnings(report.Counters)
	defer frugally()()
	manifest, err := build.Finalize(ctx, shard.FinalizeOptions{Warnings: report.Warnings})
	if err != nil {
		return err
	}
	report.addManifest(manifest)
	if c.Export.Arrow {
		return exportArrow(ctx, c.Output)
	}
	return nil
}

// exportArrow writes the export beside the dataset, as a whole or not at all.
func exportArrow(ctx context.Context, dir string) error {
	final, attempt := filepath.Join(dir, "arrow"), filepath.Join(dir, "_build", "arrow")
	if _, err := os.Stat(final); err == nil {
		return nil
	}
	if err := os.RemoveAll(attempt); err != nil {
		return fmt.Errorf("export arrow: %w", err)
	}
	dataset, err := shard.OpenDataset(dir)
	if err != nil {
		return err
	}
	if err := shard.ExportArrow(ctx, dataset, attempt, shard.ArrowOptions{}); err != nil {
		return err
	}
	if err := os.Rename(attempt, final); err != nil {
		return fmt.Errorf("export arrow: %w", err)
	}
	return nil
}
