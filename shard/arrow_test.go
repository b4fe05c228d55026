package shard

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/tracemill/tracemill/schema"
)

func readStream[T schema.Row](t *testing.T, path string) []T {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader, err := ipc.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	var rows []T
	for reader.Next() {
		rows = append(rows, recordRows[T](t, reader.RecordBatch())...)
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func readSplit[T schema.Row](t *testing.T, dir string) (rows []T, files int) {
	t.Helper()
	var state struct {
		Files []struct {
			Name string `json:"filename"`
		} `json:"_data_files"`
		Split string `json:"_split"`
	}
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(dir, "state.json"))), &state); err != nil {
		t.Fatal(err)
	}
	if state.Split != filepath.Base(dir) {
		t.Errorf("%s says that it is split %s", dir, state.Split)
	}
	for _, file := range state.Files {
		rows = append(rows, readStream[T](t, filepath.Join(dir, file.Name))...)
	}
	return rows, len(state.Files)
}

func TestExportArrow(t *testing.T) {
	d := dataset(t)
	dir := filepath.Join(t.TempDir(), "arrow")
	options := ArrowOptions{BatchBytes: 10_000, FileBytes: 20_000}
	if err := ExportArrow(context.Background(), d, dir, options); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, split := range []string{"train", "test", "empty"} {
		functions, files := readSplit[schema.FunctionRow](t, filepath.Join(dir, "functions", split))
		sameRows(t, functions, expected(split, functionRow))
		total += files
		traces, _ := readSplit[schema.TraceRow](t, filepath.Join(dir, "traces", split))
		sameRows(t, traces, expected(split, traceRow))
		trajectories, _ := readSplit[schema.TrajectoryRow](t, filepath.Join(dir, "trajectories", split))
		sameRows(t, trajectories, expected(split, trajectoryRow))
	}
	if total < 5 {
		t.Errorf("%d files: nothing was rotated", total)
	}
	golden(t, "dataset_dict.json", readFile(t, filepath.Join(dir, "trajectories", "dataset_dict.json")))
	golden(t, "dataset_info.json", readFile(t, filepath.Join(dir, "trajectories", "test", "dataset_info.json")))
	golden(t, "state.json", readFile(t, filepath.Join(dir, "trajectories", "empty", "state.json")))
	if err := ExportArrow(context.Background(), d, dir, options); !errors.Is(err, fs.ErrExist) {
		t.Errorf("wrote over what was there: %v", err)
	}
}

func TestExportArrowIsCancelled(t *testing.T) {
	d := dataset(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if err := ExportArrow(ctx, d, dir, ArrowOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("left %v %v", entries, err)
	}
}
