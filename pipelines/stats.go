package pipelines

import (
	"fmt"

	"github.com/klauspost/compress/zstd"

	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/shard"
	"github.com/tracemill/tracemill/tracer"
)

// Stats are what a finished build holds.
type Stats struct {
	Dir           string           `json:"dir"`
	Functions     int64            `json:"functions"`
	Traces        int64            `json:"traces"`
	Trajectories  int64            `json:"trajectories"`
	Splits        map[string]int64 `json:"splits"` // trajectories
	Status        map[string]int64 `json:"status"` // traces
	Exits         map[string]int64 `json:"exits"`
	Formats       map[string]int64 `json:"formats"`
	Actions       map[string]int64 `json:"actions"`
	EventKinds    map[string]int64 `json:"event_kinds"`
	Events        int64            `json:"events"`
	States        int64            `json:"states"`
	Chars         int64            `json:"chars"`
	TraceBytes    int64            `json:"trace_bytes"`      // raw: in the wire format
	TraceZstd     int64            `json:"trace_zstd_bytes"` // the same, each trace by itself, zstd level 3
	ParquetBytes  map[string]int64 `json:"parquet_bytes"`    // by table
	OutputMatches map[string]int64 `json:"output_matches"`
}

// ReadStats counts the rows of a finished build.
func ReadStats(dir string) (*Stats, error) {
	d, err := shard.OpenDataset(dir)
	if err != nil {
		return nil, err
	}
	s := &Stats{
		Dir: dir, Functions: d.Count(schema.Functions, ""), Splits: map[string]int64{}, Status: map[string]int64{},
		Exits: map[string]int64{}, Formats: map[string]int64{}, Actions: map[string]int64{}, EventKinds: map[string]int64{},
		ParquetBytes: map[string]int64{}, OutputMatches: map[string]int64{},
	}
	for _, f := range d.Manifest().Files {
		if f.Table != "" {
			s.ParquetBytes[string(f.Table)] += f.Size
		}
	}
	if err := s.addTraces(d); err != nil {
		return nil, err
	}
	return s, s.addTrajectories(d)
}

func (s *Stats) addTraces(d *shard.Dataset) error {
	compressor, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	var raw, compressed []byte
	for row, err := range shard.Rows[schema.TraceRow](d, "") {
		if err != nil {
			return err
		}
		s.Traces++
		s.Events += int64(row.NEvents)
		s.Status[row.Status]++
		if row.OutputMatches != "" {
			s.OutputMatches[row.OutputMatches]++
		}
		for _, kind := range row.EventKind {
			s.EventKinds[kind]++
		}
		trace, err := schema.RowToTrace(row)
		if err != nil {
			return err
		}
		raw = tracer.AppendTrace(raw[:0], trace)
		compressed = compressor.EncodeAll(raw, compressed[:0])
		s.TraceBytes += int64(len(raw))
		s.TraceZstd += int64(len(compressed))
	}
	return nil
}

func (s *Stats) addTrajectories(d *shard.Dataset) error {
	for row, err := range shard.Rows[schema.TrajectoryRow](d, "") {
		if err != nil {
			return fmt.Errorf("trajectories: %w", err)
		}
		s.Trajectories++
		s.Splits[row.Split]++
		s.Exits[row.Exit]++
		s.Formats[row.Format]++
		s.States += int64(row.NStates)
		s.Chars += int64(row.NChars)
		for _, a := range row.Actions {
			s.Actions[a]++
		}
	}
	return nil
}
