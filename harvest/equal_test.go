package harvest

import "testing"

func TestEqualLiterals(t *testing.T) {
	h := newLocal(t, "python3")
	yes, no := true, false
	for _, c := range []struct {
		a, b string
		want *bool
	}{
		{`[12, '+', 3]`, `[12, "+", 3]`, &yes},
		{`{1, 2}`, `{2, 1}`, &yes},
		{`1`, `True`, &yes},
		{`{'a': 1.0}`, `{"a": 1}`, &yes},
		{`'1'`, `1`, &no},
		{`nan`, `nan`, nil},
		{`f()`, `1`, nil},
		{`[`, `1`, nil},
	} {
		got, err := h.EqualLiterals(t.Context(), c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s == %s is %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
