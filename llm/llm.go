// Package llm asks a language model, behind an OpenAI-compatible endpoint, for texts.
//
// Prompts go in, answers come out. What has been answered once is in a cache file, and is not asked again: a build that goes on gives the same
// bytes, although no model promises to. A Client may be used by several goroutines, owns no goroutine, and has at most Concurrency requests
// in flight. It knows nothing of what the texts are for.
package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Options say which model is asked, and how. Zero fields take the defaults; without a BaseURL nothing is ever asked.
type Options struct {
	// The endpoint, up to /chat/completions: https://api.example.com/v1.
	BaseURL string `yaml:"base_url" json:"base_url"`
	// The model, as the endpoint names it.
	Model string `yaml:"model" json:"model"`
	// Name of the environment variable that holds the key; empty: the endpoint wants none.
	KeyEnv string `yaml:"key_env" json:"key_env"`
	// Temperature of the sampling.
	Temperature float64 `yaml:"temperature" json:"temperature"`
	// Seed of the sampling, which endpoints honour as well as they can.
	Seed int64 `yaml:"seed" json:"seed"`
	// Answers to each prompt.
	N int `yaml:"n" json:"n"`
	// Tokens of an answer.
	MaxTokens int `yaml:"max_tokens" json:"max_tokens"`
	// Time for one request.
	Timeout time.Duration `yaml:"timeout" json:"timeout"`
	// How often a request that failed for the moment is tried again.
	Retries int `yaml:"retries" json:"retries"`
	// Requests in flight.
	Concurrency int `yaml:"concurrency" json:"concurrency"`
	// File that answers are kept in.
	Cache string `yaml:"cache" json:"cache"`
}

// WithDefaults is the options with the zero fields filled in.
func (o Options) WithDefaults() Options {
	fill := func(n *int, value int) {
		if *n == 0 {
			*n = value
		}
	}
	fill(&o.N, 1)
	fill(&o.MaxTokens, 1024)
	fill(&o.Retries, 5)
	fill(&o.Concurrency, 4)
	if o.Timeout == 0 {
		o.Timeout = 2 * time.Minute // for a model that writes 1,024 tokens on a machine that is busy
	}
	return o
}

// Validate says what is wrong with options that a config gave.
func (o Options) Validate() error {
	o = o.WithDefaults()
	if o.BaseURL == "" {
		return nil
	}
	u, err := url.Parse(o.BaseURL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("base_url: %q is no URL such as https://api.example.com/v1", o.BaseURL)
	case u.User != nil:
		return errors.New("base_url: it holds a password; put the key in an environment variable, and its name in key_env")
	case o.Model == "":
		return errors.New("model: it is empty; name the model, as the endpoint does")
	case !(o.Temperature >= 0 && o.Temperature <= 10):
		return fmt.Errorf("temperature: %g is not in the range 0 to 10", o.Temperature)
	case o.N < 1 || o.N > 128:
		return fmt.Errorf("n: %d is not in the range 1 to 128", o.N)
	case o.MaxTokens < 1 || o.Retries < 0 || o.Concurrency < 1 || o.Timeout < 0:
		return errors.New("max_tokens, concurrency and timeout must be positive, retries not negative")
	}
	return nil
}

// Client asks one model.
type Client struct {
	options Options
	key     string
	http    *http.Client
	slots   chan struct{}
	cache   *cache
	pause   func(ctx context.Context, d time.Duration) error
}

// New asks nothing yet, and opens no file. A key that the environment lacks is an error here.
func New(o Options) (*Client, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.WithDefaults()
	c := &Client{options: o, http: &http.Client{Timeout: o.Timeout}, slots: make(chan struct{}, o.Concurrency), cache: newCache(o.Cache), pause: pause}
	if o.KeyEnv != "" {
		if c.key = os.Getenv(o.KeyEnv); c.key == "" {
			return nil, fmt.Errorf("key_env: the environment variable %s is not set; set it to the endpoint's key", o.KeyEnv)
		}
	}
	return c, nil
}

// Close closes the cache.
func (c *Client) Close() error { return c.cache.close() }

// RefusedError says that the endpoint will never answer this prompt. It is the prompt's fault.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return "the endpoint refuses the prompt: " + e.Reason }

// Answers gives the model's answers to a prompt: at most N, those that were asked for before from the cache. An error that is not
// a *RefusedError is the endpoint's, or the context's.
func (c *Client) Answers(ctx context.Context, prompt string) ([]string, error) {
	body, err := json.Marshal(map[string]any{
		"model": c.options.Model, "messages": []map[string]string{{"role": "user", "content": prompt}}, "temperature": c.options.Temperature,
		"seed": c.options.Seed, "n": c.options.N, "max_tokens": c.options.MaxTokens,
	})
	if err != nil {
		return nil, err
	}
	if known, ok, err := c.cache.get(body); ok || err != nil {
		return known.Answers, orRefused(known, err)
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	got, err := c.ask(ctx, body)
	if err != nil {
		return nil, err
	}
	if err := c.cache.put(body, got); err != nil {
		return nil, err
	}
	return got.Answers, orRefused(got, nil)
}

func orRefused(e entry, err error) error {
	if err == nil && e.Refused != "" {
		return &RefusedError{e.Refused}
	}
	return err
}

// ask sends a request until it is answered or refused.
func (c *Client) ask(ctx context.Context, body []byte) (entry, error) {
	for n := 1; ; n++ {
		got, wait, err := c.once(ctx, body)
		switch {
		case err == nil:
			return got, nil
		case ctx.Err() != nil:
			return entry{}, ctx.Err()
		case wait < 0:
			return entry{}, fmt.Errorf("model %s: %w", c.options.Model, err)
		case n > c.options.Retries:
			return entry{}, fmt.Errorf("model %s: gave up after %d requests; what is answered is kept: run the same command again. The last: %w", c.options.Model, n, err)
		}
		if wait == 0 {
			wait = time.Second << min(n-1, 6)
		}
		if err := c.pause(ctx, wait); err != nil {
			return entry{}, err
		}
	}
}

const (
	maxAnswer = 16 << 20
	maxWait   = 5 * time.Minute
)

// once sends a request. With an error comes how long to wait before the next one: 0 is up to the caller, below 0 there is none.
func (c *Client) once(ctx context.Context, body []byte) (entry, time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(c.options.BaseURL, "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return entry{}, -1, err
	}
	request.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return entry{}, 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return entry{}, 0, err
	}
	switch code := response.StatusCode; {
	case code == http.StatusOK:
		return decodeAnswers(text)
	case code == http.StatusBadRequest || code == http.StatusRequestEntityTooLarge || code == http.StatusUnprocessableEntity:
		return entry{Refused: strconv.Itoa(code)}, 0, nil
	case code == http.StatusRequestTimeout || code == http.StatusConflict || code == http.StatusTooManyRequests || code >= 500:
		return entry{}, retryAfter(response.Header), fmt.Errorf("the endpoint says %s: %s", response.Status, excerpt(text))
	default:
		return entry{}, -1, fmt.Errorf("the endpoint says %s: %s; see cases.llm: base_url, model and key_env", response.Status, excerpt(text))
	}
}

func decodeAnswers(text []byte) (entry, time.Duration, error) {
	var reply struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(text, &reply); err != nil {
		return entry{}, 0, fmt.Errorf("the endpoint's answer is no JSON of chat completions: %w", err)
	}
	got := entry{Answers: []string{}}
	for _, choice := range reply.Choices {
		got.Answers = append(got.Answers, choice.Message.Content)
	}
	return got, 0, nil
}

func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.ParseFloat(h.Get("Retry-After"), 64)
	if err != nil || !(seconds >= 0 && seconds <= maxWait.Seconds()) {
		return 0
	}
	return time.Duration(seconds * float64(time.Second))
}

func excerpt(text []byte) string {
	line := strings.Join(strings.Fields(string(text[:min(len(text), 300)])), " ")
	return strings.ToValidUTF8(line, "?")
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
