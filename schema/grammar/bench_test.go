package grammar

import (
	"strings"
	"testing"
)

// BenchmarkFormats renders and parses total's trajectory, repeated to the length of a long one.
func BenchmarkFormats(b *testing.B) {
	for _, name := range []string{"neural-debugger", "cwm"} {
		f, err := Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		golden := map[string]string{"neural-debugger": "total.forward.golden", "cwm": "total.cwm.golden"}[name]
		d, err := f.Parse(goldenText(b, golden))
		if err != nil {
			b.Fatal(err)
		}
		for range 6 {
			d.States = append(d.States, d.States...)
			d.Actions = append(d.Actions, d.Actions...)
		}
		text := mustRender(b, f, d).Text
		for step, run := range map[string]func() error{
			"render": func() error { _, err := f.Render(d); return err },
			"parse":  func() error { _, err := f.Parse(text); return err },
		} {
			b.Run(strings.Join([]string{name, step}, "/"), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if err := run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
