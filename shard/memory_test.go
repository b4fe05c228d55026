package shard

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestFinalizeMemory publishes rows of which several megabytes are left in a row group when they are compressed. What is live at once must not
// grow with them.
func TestFinalizeMemory(t *testing.T) {
	few, many := finalizeLive(t, 1500), finalizeLive(t, 9000)
	if many > few+4<<20 {
		t.Errorf("%d MiB were live at once for 1500 rows, %d MiB for 9000", few>>20, many>>20)
	}
}

// finalizeLive is the most bytes of the heap that are live at once when so many rows are published as one row group.
func finalizeLive(t *testing.T, rows int64) (live uint64) {
	t.Helper()
	plan := testPlan()
	plan.Splits, plan.Layout, plan.Parts = DefaultSplits, Layout{}, SplitParts(rows, 500)
	b, err := Open(t.TempDir(), plan)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 4000)
	for _, part := range plan.Parts {
		p, err := b.Begin(part.ID)
		if err != nil {
			t.Fatal(err)
		}
		for n := range part.Count {
			for i := range text {
				text[i] = byte(' ' + random.IntN(64))
			}
			row := trajectoryRow(int(part.First+n), "train")
			row.Text, row.NChars = string(text), int32(len(text))
			if err := p.WriteTrajectory(row); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.Commit(nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err = b.Finalize(context.Background(), FinalizeOptions{Progress: func(done, _ int64) {
		if done%1024 != 0 && done != rows {
			return
		}
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		live = max(live, memory.HeapAlloc)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return live
}
