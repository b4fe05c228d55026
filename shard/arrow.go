package shard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/tracemill/tracemill/schema"
)

// ArrowOptions are optional.
type ArrowOptions struct {
	// BatchBytes is when a record batch is closed. 0: 32 MB.
	BatchBytes int64
	// FileBytes is when a file is closed; a file may be longer by one batch. 0: 500 MB, as datasets has it.
	FileBytes int64
}

func (o ArrowOptions) withDefaults() ArrowOptions {
	if o.BatchBytes == 0 {
		o.BatchBytes = 32 << 20
	}
	if o.FileBytes == 0 {
		o.FileBytes = 500 << 20
	}
	return o
}

// ExportArrow writes each table of a dataset as Arrow IPC streams in the layout that load_from_disk of Hugging Face
// datasets opens without copying: dir/TABLE/dataset_dict.json, and per split its files, dataset_info.json and
// state.json. A table is there as a whole or not at all. A directory that holds the table already is an error.
func ExportArrow(ctx context.Context, d *Dataset, dir string, options ArrowOptions) error {
	options = options.withDefaults()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return writeError(dir, err)
	}
	return errors.Join(
		exportTable[schema.FunctionRow](ctx, d, dir, options),
		exportTable[schema.TraceRow](ctx, d, dir, options),
		exportTable[schema.TrajectoryRow](ctx, d, dir, options),
	)
}

func exportTable[T schema.Row](ctx context.Context, d *Dataset, dir string, options ArrowOptions) error {
	table := string(schema.TableOf[T]())
	final := filepath.Join(dir, table)
	if _, err := os.Lstat(final); err == nil {
		return fmt.Errorf("export %s: %w: choose another directory, or remove it", final, fs.ErrExist)
	}
	staging := filepath.Join(dir, ".tmp-"+table+"-"+attemptName())
	defer os.RemoveAll(staging)
	names := []string{}
	for _, split := range d.manifest.Splits {
		names = append(names, split.Name)
		if err := exportSplit[T](ctx, d, filepath.Join(staging, split.Name), split.Name, options); err != nil {
			return err
		}
	}
	if err := writeJSON(filepath.Join(staging, "dataset_dict.json"), map[string]any{"splits": names}); err != nil {
		return err
	}
	if err := os.Rename(staging, final); err != nil {
		return writeError(final, err)
	}
	return syncDir(dir)
}

func exportSplit[T schema.Row](ctx context.Context, d *Dataset, dir, split string, options ArrowOptions) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return writeError(dir, err)
	}
	w := &arrowWriter[T]{dir: dir, options: options, builder: array.NewRecordBuilder(memory.DefaultAllocator, arrowSchema[T]())}
	defer w.release()
	for row, err := range Rows[T](d, split) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = w.write(row)
		}
		if err != nil {
			return fmt.Errorf("export %s: %w", dir, err)
		}
	}
	files, err := w.close()
	if err != nil {
		return fmt.Errorf("export %s: %w", dir, err)
	}
	table := string(schema.TableOf[T]())
	if err := writeJSON(filepath.Join(dir, "dataset_info.json"), map[string]any{
		"citation": "", "description": "", "homepage": "", "license": "", "features": features(arrowSchema[T]().Fields()),
	}); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, "state.json"), map[string]any{
		"_data_files": files, "_fingerprint": schema.ID("arrow", d.manifest.Plan, table, split)[:16],
		"_format_columns": nil, "_format_kwargs": map[string]any{}, "_format_type": nil, "_output_all_columns": false, "_split": split,
	})
}

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return replace(path, data)
}

// arrowWriter writes the files of one split.
type arrowWriter[T schema.Row] struct {
	dir     string
	options ArrowOptions
	builder *array.RecordBuilder
	batch   int64 // bytes in the open batch
	size    int64 // bytes of the batches in the open file
	file    *os.File
	stream  *ipc.Writer
	files   int
}

func (w *arrowWriter[T]) write(row *T) error {
	size, err := schema.Measure(row)
	if err != nil {
		return err
	}
	appendRow(w.builder, row)
	if w.batch += size; w.batch >= w.options.BatchBytes {
		if err := w.flush(); err != nil {
			return err
		}
		if w.size >= w.options.FileBytes {
			return w.closeFile()
		}
	}
	return nil
}

func (w *arrowWriter[T]) temporary(n int) string {
	return filepath.Join(w.dir, fmt.Sprintf("data-%05d.arrow", n))
}

func (w *arrowWriter[T]) flush() error {
	if w.file == nil {
		file, err := os.OpenFile(w.temporary(w.files), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return writeError(w.temporary(w.files), err)
		}
		w.file, w.stream = file, ipc.NewWriter(file, ipc.WithSchema(w.builder.Schema()))
	}
	record := w.builder.NewRecordBatch()
	defer record.Release()
	w.size += w.batch
	w.batch = 0
	return writeError(w.file.Name(), w.stream.Write(record))
}

func (w *arrowWriter[T]) closeFile() error {
	file := w.file
	err := w.stream.Close()
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	w.file, w.stream, w.size = nil, nil, 0
	w.files++
	return writeError(file.Name(), err)
}

// close ends the last file, which is there also when there are no rows, and names all of them.
func (w *arrowWriter[T]) close() ([]map[string]string, error) {
	if w.batch > 0 || w.files == 0 && w.file == nil {
		if err := w.flush(); err != nil {
			return nil, err
		}
	}
	if w.file != nil {
		if err := w.closeFile(); err != nil {
			return nil, err
		}
	}
	var files []map[string]string
	for n := range w.files {
		name := fmt.Sprintf("data-%05d-of-%05d.arrow", n, w.files)
		if err := os.Rename(w.temporary(n), filepath.Join(w.dir, name)); err != nil {
			return nil, writeError(name, err)
		}
		files = append(files, map[string]string{"filename": name})
	}
	return files, nil
}

func (w *arrowWriter[T]) release() {
	w.builder.Release()
	if w.file != nil {
		w.file.Close()
	}
}

// arrowSchema is the table's schema as datasets itself would have it: it loads a file as it is when the types are equal
// to those that it makes of the features, nullable fields included, and otherwise copies all of it.
func arrowSchema[T schema.Row]() *arrow.Schema {
	return arrow.NewSchema(arrowFields[T](), nil)
}
