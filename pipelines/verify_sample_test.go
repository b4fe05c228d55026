package pipelines

import (
	"fmt"
	"testing"
)

// The sample does not depend on the order, and keeps no more than it has to.
func TestSample(t *testing.T) {
	const rows = 100
	for _, test := range []struct{ size, count, kept int }{{SampleAll, rows, 0}, {SampleNone, 0, 0}, {7, 7, 7}, {rows + 1, rows, rows}} {
		up, down := sample{size: test.size, seed: 3}, sample{size: test.size, seed: 3}
		for i := range rows {
			up.offer(fmt.Sprint(i))
			down.offer(fmt.Sprint(rows - 1 - i))
		}
		if up.count() != test.count || len(up.chosen) != test.kept {
			t.Errorf("size %d: %d chosen, %d kept, want %d and %d", test.size, up.count(), len(up.chosen), test.count, test.kept)
		}
		ids := map[string]bool{}
		for _, c := range up.chosen {
			ids[c.id] = true
		}
		for _, c := range down.chosen {
			if !ids[c.id] {
				t.Errorf("size %d: %s is chosen in one order only", test.size, c.id)
			}
		}
	}
}
