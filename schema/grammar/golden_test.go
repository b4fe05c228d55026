package grammar

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tracemill/tracemill/schema"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// goldenText undoes the goldens' only change of a text: a line end before each frame_sep, and one at the end.
func goldenText(t testing.TB, name string) string {
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.ReplaceAll(string(b), "\n"+frameSep, frameSep), "\n")
}

func TestGoldens(t *testing.T) {
	for _, tc := range []struct {
		golden, format string
		document       *schema.Document
	}{
		{"total.forward.golden", "neural-debugger", totalForward(t)},
		{"total.forward.golden", "neural-debugger:paper", totalForward(t)},
		{"total.inverse.golden", "neural-debugger", totalInverse(t)},
		{"total.cwm.golden", "cwm", totalForward(t)},
	} {
		t.Run(tc.golden+"/"+tc.format, func(t *testing.T) {
			f, err := Lookup(tc.format)
			if err != nil {
				t.Fatal(err)
			}
			text := mustRender(t, f, tc.document)
			if *update {
				folded := strings.ReplaceAll(text.Text, frameSep, "\n"+frameSep) + "\n"
				if err := os.WriteFile(filepath.Join("testdata", tc.golden), []byte(folded), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want := goldenText(t, tc.golden)
			if text.Text != want {
				t.Fatalf("got\n%s\nwant\n%s", text.Text, want)
			}
			d, err := f.Parse(want)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(d, f.Project(tc.document)) {
				t.Fatalf("parsed\n%#v", d)
			}
		})
	}
}
