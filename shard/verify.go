package shard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tracemill/tracemill/schema"
)

// Verify checks that the dataset's directory holds what its manifest says: every file with its size, its checksum, its table's
// schema and its number of rows, rows that can be read and are of their file's split, converted to what they were made
// of, and no other file in the tables. Each fault is an error that names its file; all of them are joined. It stops early
// only when the context ends.
func (d *Dataset) Verify(ctx context.Context) error {
	var faults []error
	known := map[string]bool{}
	for _, file := range d.manifest.Files {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(faults, err)...)
		}
		known[filepath.FromSlash(file.Path)] = true
		if err := d.verifyFile(ctx, file); err != nil {
			faults = append(faults, err)
		}
	}
	for _, table := range schema.Tables {
		entries, err := os.ReadDir(filepath.Join(d.dir, string(table)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, err)
		}
		for _, entry := range entries {
			if name := filepath.Join(string(table), entry.Name()); !known[name] {
				faults = append(faults, fmt.Errorf("%s is not in the manifest: readers of the directory would take it for data", filepath.Join(d.dir, name)))
			}
		}
	}
	return errors.Join(faults...)
}

func (d *Dataset) verifyFile(ctx context.Context, file File) error {
	if err := file.check(d.path(file)); err != nil {
		return err
	}
	switch file.Table {
	case schema.Functions:
		return verifyRows(ctx, d.path(file), file, func(r *schema.FunctionRow) error { _, err := schema.RowToFunction(r); return err })
	case schema.Traces:
		return verifyRows(ctx, d.path(file), file, func(r *schema.TraceRow) error { _, err := schema.RowToTrace(r); return err })
	case schema.Trajectories:
		return verifyRows(ctx, d.path(file), file, func(r *schema.TrajectoryRow) error { _, err := schema.RowToTrajectory(r); return err })
	}
	return nil
}

func verifyRows[T schema.Row](ctx context.Context, path string, file File, convert func(*T) error) error {
	if err := checkTable[T](path, file.Rows); err != nil {
		return err
	}
	var n int64
	for row, err := range readRows[T](path, 0) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		id, split := schema.KeyOf(row)
		if split != file.Split {
			return &DamageError{path, fmt.Errorf("row %d (%s) is of split %q", n, id, split)}
		}
		if err := convert(row); err != nil {
			return &DamageError{path, fmt.Errorf("row %d: %w", n, err)}
		}
		n++
	}
	if n != file.Rows {
		return &DamageError{path, fmt.Errorf("%d rows can be read of %d", n, file.Rows)}
	}
	return nil
}
