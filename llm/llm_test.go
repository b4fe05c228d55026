package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// server answers each prompt by what the script says of the nth request.
func server(t *testing.T, script func(n int, prompt string, w http.ResponseWriter)) (string, *atomic.Int64) {
	t.Helper()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string
			Messages []struct{ Content string }
			N        int
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" || body.Model != "m" || len(body.Messages) != 1 {
			t.Errorf("request to %s: %+v, %v", r.URL.Path, body, err)
		}
		script(int(n.Add(1)), body.Messages[0].Content, w)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", &n
}

func say(w http.ResponseWriter, answers ...string) {
	var choices []map[string]any
	for _, a := range answers {
		choices = append(choices, map[string]any{"message": map[string]string{"content": a}})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": choices})
}

func newClient(t *testing.T, o Options) *Client {
	t.Helper()
	o.Model = "m"
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c.pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestFailuresAreTriedAgain(t *testing.T) {
	for name, fail := range map[string]func(w http.ResponseWriter){
		"too many requests": func(w http.ResponseWriter) { w.Header().Set("Retry-After", "3"); w.WriteHeader(429) },
		"overloaded":        func(w http.ResponseWriter) { w.WriteHeader(503) },
		"no JSON":           func(w http.ResponseWriter) { fmt.Fprint(w, "<html>") },
		"cut off":           func(w http.ResponseWriter) { w.Header().Set("Content-Length", "100"); fmt.Fprint(w, "{") },
	} {
		t.Run(name, func(t *testing.T) {
			url, n := server(t, func(n int, _ string, w http.ResponseWriter) {
				if n < 3 {
					fail(w)
					return
				}
				say(w, "a", "b")
			})
			c := newClient(t, Options{BaseURL: url, N: 2})
			var waits []time.Duration
			c.pause = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
			got, err := c.Answers(t.Context(), "p")
			if err != nil || !slices.Equal(got, []string{"a", "b"}) || n.Load() != 3 {
				t.Errorf("%q, %v after %d requests", got, err, n.Load())
			}
			want := []time.Duration{time.Second, 2 * time.Second}
			if name == "too many requests" {
				want = []time.Duration{3 * time.Second, 3 * time.Second}
			}
			if !slices.Equal(waits, want) {
				t.Errorf("waits %v, want %v", waits, want)
			}
		})
	}
}

func TestFailuresForGood(t *testing.T) {
	url, n := server(t, func(_ int, prompt string, w http.ResponseWriter) {
		switch prompt {
		case "key":
			w.WriteHeader(401)
		case "long":
			w.WriteHeader(400)
		default:
			w.WriteHeader(500)
		}
	})
	c := newClient(t, Options{BaseURL: url, Retries: 2, Cache: filepath.Join(t.TempDir(), "answers.jsonl")})
	if _, err := c.Answers(t.Context(), "key"); err == nil || !strings.Contains(err.Error(), "key_env") || n.Load() != 1 {
		t.Errorf("%v after %d requests", err, n.Load())
	}
	for range 2 { // the second time, from the cache
		var refused *RefusedError
		if _, err := c.Answers(t.Context(), "long"); !errors.As(err, &refused) || n.Load() != 2 {
			t.Errorf("%v after %d requests", err, n.Load())
		}
	}
	if _, err := c.Answers(t.Context(), "down"); err == nil || !strings.Contains(err.Error(), "3 requests") || n.Load() != 5 {
		t.Errorf("%v after %d requests", err, n.Load())
	}
}

// What was answered is answered again without a request, by another process and after a kill in the middle of a write.
func TestCache(t *testing.T) {
	url, n := server(t, func(n int, prompt string, w http.ResponseWriter) { say(w, fmt.Sprintf("%s %d", prompt, n)) })
	path := filepath.Join(t.TempDir(), "deep", "answers.jsonl")
	for _, round := range []string{"first", "again", "killed"} {
		c := newClient(t, Options{BaseURL: url, Cache: path})
		for i, prompt := range []string{"x", "y", "x"} {
			got, err := c.Answers(t.Context(), prompt)
			if want := fmt.Sprintf("%s %d", prompt, i%2+1); err != nil || got[0] != want {
				t.Errorf("%s: %q, %v, want %q", round, got, err, want)
			}
		}
		if round == "again" {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(f, `{"key": "012`)
			f.Close()
		}
	}
	c := newClient(t, Options{BaseURL: url, Cache: path})
	if _, err := c.Answers(t.Context(), "z"); err != nil {
		t.Error(err)
	}
	c = newClient(t, Options{BaseURL: url, Cache: path})
	if got, err := c.Answers(t.Context(), "z"); err != nil || got[0] != "z 3" || n.Load() != 3 {
		t.Errorf("%q, %v after %d requests", got, err, n.Load())
	}
}

func TestConcurrencyIsBounded(t *testing.T) {
	var now, most atomic.Int64
	release := make(chan struct{})
	url, _ := server(t, func(_ int, _ string, w http.ResponseWriter) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if n == 3 {
			close(release)
		}
		<-release
		now.Add(-1)
		say(w, "ok")
	})
	c := newClient(t, Options{BaseURL: url, Concurrency: 3})
	var all sync.WaitGroup
	for i := range 9 {
		all.Go(func() {
			if _, err := c.Answers(t.Context(), fmt.Sprint(i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() != 3 {
		t.Errorf("%d requests at once, want 3", most.Load())
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url, _ := server(t, func(_ int, _ string, w http.ResponseWriter) { cancel(); w.WriteHeader(500) })
	if _, err := newClient(t, Options{BaseURL: url}).Answers(ctx, "p"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestOptions(t *testing.T) {
	t.Setenv("LLM_TEST_KEY", "")
	for want, o := range map[string]Options{
		"no URL":         {BaseURL: "api.example.com", Model: "m"},
		"password":       {BaseURL: "https://a:b@example.com", Model: "m"},
		"model":          {BaseURL: "https://example.com/v1"},
		"temperature":    {BaseURL: "https://example.com/v1", Model: "m", Temperature: -1},
		"range 1 to 128": {BaseURL: "https://example.com/v1", Model: "m", N: 1000},
		"LLM_TEST_KEY":   {BaseURL: "https://example.com/v1", Model: "m", KeyEnv: "LLM_TEST_KEY"},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}

func TestKeyIsSent(t *testing.T) {
	t.Setenv("LLM_TEST_KEY", "secret")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { say(w, r.Header.Get("Authorization")) }))
	t.Cleanup(s.Close)
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	got, err := newClient(t, Options{BaseURL: s.URL, KeyEnv: "LLM_TEST_KEY", Cache: path}).Answers(t.Context(), "p")
	if err != nil || got[0] != "Bearer secret" {
		t.Errorf("%q, %v", got, err)
	}
}
