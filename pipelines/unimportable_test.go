package pipelines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/schema"
)

// TestUnimportable: calls, generated and given, of functions whose module cannot be imported are dropped as such, and so are the functions,
// with the module that is missing; a function whose slice does without the import has cases.
func TestUnimportable(t *testing.T) {
	rt := openTestRuntime(t, "")
	items := []harvest.Item{
		{Origin: schema.Origin{Source: "test", Path: "relative.py"}, Source: []byte("from .util import scale\n\ndef simple(n: int):\n    return n + 1\n\ndef scaled(n: int):\n    return scale(n)\n")},
		{Origin: schema.Origin{Source: "test", Path: "absolute.py"}, Source: []byte("from app.util import scale\n\ndef simple(n: int):\n    return n + 2\n\ndef scaled(n: int):\n    return scale(n)\n")},
	}
	given := filepath.Join(t.TempDir(), "given.jsonl")
	if err := os.WriteFile(given, []byte(`{"function": "simple", "call": "simple(12345)"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := map[string]string{"relative.py": "from .util import scale", "absolute.py": "No module named 'app'"}
	for slice, want := range map[harvest.Slice]int{harvest.SliceModule: 4, harvest.SliceMinimal: 2} {
		w := newCaseWorker(t, rt, func(c *Config) { c.Harvest.Slice, c.Cases.Given = slice, given })
		result := grown(t, w, items)
		dropped, calls := 0, 0
		for _, d := range result.Drops {
			switch {
			case d.Reason == harvest.NotRun || d.Reason == harvest.NoCase:
				t.Errorf("slice %s: %s", slice, &d)
			case d.Reason != harvest.Unimportable:
				continue
			case !strings.Contains(d.Detail, missing[d.Item()]):
				t.Errorf("slice %s: the detail does not say what is missing: %s", slice, &d)
			case d.Level == harvest.LevelFunction:
				dropped++
			case strings.HasSuffix(d.Detail, "simple(12345)"):
				calls++
			}
		}
		if dropped != want || len(result.Units) != 4-want {
			t.Errorf("slice %s: %d functions are dropped as unimportable and %d are kept, want %d of 4", slice, dropped, len(result.Units), want)
		}
		if slice == harvest.SliceModule && calls != 2 {
			t.Errorf("%d given calls are dropped as unimportable, want 2", calls)
		}
		for _, u := range result.Units {
			if u.Function.Entry != "simple" {
				t.Errorf("slice %s: %s is kept", slice, u.Function.Entry)
			}
		}
	}
}
