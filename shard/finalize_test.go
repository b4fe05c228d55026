package shard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

func finalize(t *testing.T, b *Build) *Manifest {
	t.Helper()
	manifest, err := b.Finalize(context.Background(), FinalizeOptions{Title: "Test"})
	if err != nil {
		t.Fatal(err)
	}
	return manifest
}

// published is the digest of every file of a dataset that a user sees, and of its drops.
func published(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && entry.Name() == buildDir {
				return fs.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(path)
		sum := sha256.Sum256(data)
		name, _ := filepath.Rel(dir, path)
		files[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(readFile(t, DropsPath(dir))))
	files[dropsFile] = hex.EncodeToString(sum[:])
	return files
}

func sameFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs or is missing", name)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s should not be there", name)
		}
	}
}

func build(t *testing.T, dir string) *Build {
	t.Helper()
	b := open(t, dir)
	for _, part := range b.Plan().Parts {
		doPart(t, b, part)
	}
	return b
}

func expected[T schema.Row](split string, make func(int, string) *T) []T {
	var rows []T
	for n := range 35 {
		if splitOfItem(n) == split {
			rows = append(rows, *make(n, split))
		}
	}
	return rows
}

func TestFinalize(t *testing.T) {
	b := build(t, t.TempDir())
	if b.Complete() {
		t.Error("complete before it was published")
	}
	drops := dropsOf(t, b)
	if lines := strings.Split(drops, "\n"); len(lines) != 7 || !strings.HasPrefix(lines[0], `{"part":"part-000001","reason":"first"}`) {
		t.Errorf("drops of the parts:\n%s", drops)
	}
	manifest := finalize(t, b)
	if !b.Complete() {
		t.Error("not complete")
	}
	if manifest.Counters["items"] != 35 || manifest.Tallies["traces.status"]["ok"] != 18 {
		t.Errorf("got %v, %v", manifest.Counters, manifest.Tallies)
	}
	shards := 0
	for _, split := range []string{"train", "test", "empty"} {
		var functions []schema.FunctionRow
		var traces []schema.TraceRow
		var trajectories []schema.TrajectoryRow
		for _, file := range manifest.Files {
			path := b.path(file.Path)
			switch {
			case file.Split != split:
			case file.Table == schema.Functions:
				functions = append(functions, readArrow[schema.FunctionRow](t, path)...)
			case file.Table == schema.Traces:
				traces = append(traces, readArrow[schema.TraceRow](t, path)...)
				shards++
			case file.Table == schema.Trajectories:
				trajectories = append(trajectories, readArrow[schema.TrajectoryRow](t, path)...)
			}
		}
		sameRows(t, functions, expected(split, functionRow))
		sameRows(t, traces, expected(split, traceRow))
		sameRows(t, trajectories, expected(split, trajectoryRow))
	}
	if shards < 5 {
		t.Errorf("%d shards of traces: nothing was rotated", shards)
	}
	golden(t, "card.md", readFile(t, b.path(cardFile)))
	if got, want := dropsOf(t, b), readFile(t, DropsPath(b.Dir())); got != drops || got != want {
		t.Errorf("published drops:\n%s\nthe parts':\n%s", got, drops)
	}
	before := published(t, b.Dir())
	finalize(t, open(t, b.Dir()))
	sameFiles(t, published(t, b.Dir()), before)
	if _, err := os.Stat(b.path(buildDir, "parts")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the files of the parts are still there")
	}
	for _, part := range b.Plan().Parts {
		if _, ok := b.Committed(part.ID); !ok {
			t.Errorf("the commit of %s is gone", part.ID)
		}
	}
}

func dropsOf(t *testing.T, b *Build) string {
	t.Helper()
	var text strings.Builder
	for line, err := range b.Drops() {
		if err != nil {
			t.Fatal(err)
		}
		text.Write(line)
		text.WriteByte('\n')
	}
	return text.String()
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestOrderOfPartsDoesNotMatter(t *testing.T) {
	first := build(t, t.TempDir())
	finalize(t, first)
	second := open(t, t.TempDir())
	for _, n := range []int{2, 0, 3, 1} {
		doPart(t, second, second.Plan().Parts[n])
	}
	finalize(t, second)
	sameFiles(t, published(t, second.Dir()), published(t, first.Dir()))
}

// TestKilledAnywhere copies the directory at every step of a build, which is what a kill there would leave, and
// completes each copy: the dataset is the same, and nothing is left over.
func TestKilledAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a build for each step at which it may be killed")
	}
	reference := build(t, t.TempDir())
	finalize(t, reference)
	want := published(t, reference.Dir())

	dir := t.TempDir()
	copies := map[string]string{}
	b := open(t, dir)
	b.step = func(name string) {
		if copies[name] == "" {
			copies[name] = t.TempDir()
			if err := os.CopyFS(copies[name], os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, part := range b.Plan().Parts {
		doPart(t, b, part)
	}
	finalize(t, b)
	if len(copies) < 25 {
		t.Errorf("only %d steps were seen", len(copies))
	}
	for name, copied := range copies {
		t.Run(name, func(t *testing.T) {
			b := open(t, copied)
			for _, part := range b.Plan().Parts {
				if _, ok := b.Committed(part.ID); !ok {
					doPart(t, b, part)
				}
			}
			finalize(t, b)
			sameFiles(t, published(t, copied), want)
			left, err := filepath.Glob(filepath.Join(copied, buildDir, "*"))
			if err != nil || len(left) != 3 { // plan, commits, drops
				t.Errorf("left over: %v %v", left, err)
			}
		})
	}
}

func TestFinalizeIsCancelled(t *testing.T) {
	b := build(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Finalize(ctx, FinalizeOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if b.Complete() {
		t.Error("published although cancelled")
	}
	finalize(t, open(t, b.Dir()))
}

func TestDamagedPart(t *testing.T) {
	for name, harm := range map[string]func(*testing.T, string){
		"flipped bit": func(t *testing.T, path string) {
			data := []byte(readFile(t, path))
			data[len(data)/2] ^= 1
			writeBytes(t, path, data)
		},
		"cut":     func(t *testing.T, path string) { writeBytes(t, path, []byte(readFile(t, path))[:100]) },
		"missing": func(t *testing.T, path string) { os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			b := build(t, t.TempDir())
			part := b.Plan().Parts[2]
			commit, _ := b.Committed(part.ID)
			harm(t, b.path(commit.Files[1].Path))
			_, err := b.Finalize(context.Background(), FinalizeOptions{})
			var damaged *DamagedPartError
			if !errors.As(err, &damaged) || damaged.Part != part.ID || !strings.Contains(err.Error(), filepath.Base(commit.Files[1].Path)) {
				t.Fatalf("got %v", err)
			}
			if b.Complete() {
				t.Error("published all the same")
			}
			if err := b.Discard(part.ID); err != nil {
				t.Fatal(err)
			}
			doPart(t, b, part)
			finalize(t, b)
		})
	}
}

func writeBytes(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsADataset(t *testing.T) {
	plan := testPlan()
	plan.Parts = nil
	b, err := Open(t.TempDir(), plan)
	if err != nil {
		t.Fatal(err)
	}
	manifest := finalize(t, b)
	if len(manifest.Files) != 1+3*3 {
		t.Errorf("got %d files", len(manifest.Files))
	}
	d, err := OpenDataset(b.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	sameRows(t, readArrow[schema.TraceRow](t, b.path("traces", "train-00000-of-00001.parquet")), nil)
}
