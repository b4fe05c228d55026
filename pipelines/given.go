package pipelines

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/llm"
	"github.com/tracemill/tracemill/schema"
)

// givenInputs are calls that others give: a file, a language model. It may be used by several goroutines.
type givenInputs struct {
	calls  map[string][]harvest.Given // by function id or qualified name
	digest string                     // of the file
	model  *llm.Client                // nil: none is asked
}

// givenRow is a row of the file: a function's id or qualified name, and one call of it or the arguments of one.
type givenRow struct {
	Function string `json:"function"`
	harvest.Given
}

// openGiven reads the file of inputs. The model is asked by nobody before a function needs cases.
func openGiven(c *Config) (*givenInputs, error) {
	given := &givenInputs{}
	if c.Cases.Grow == GrowNone || c.Cases.Generators.Given == 0 {
		return given, nil
	}
	if c.Cases.Given != "" {
		text, err := os.ReadFile(c.Cases.Given)
		if err != nil {
			return nil, &ConfigError{File: c.file, Key: "cases.given", Msg: fmt.Sprintf("%s cannot be read: %v", c.Cases.Given, unwrapPath(err))}
		}
		sum := sha256.Sum256(text)
		given.digest = hex.EncodeToString(sum[:])
		if given.calls, err = readGiven(text); err != nil {
			return nil, &ConfigError{File: c.file, Key: "cases.given", Msg: fmt.Sprintf("%s: %v", c.Cases.Given, err)}
		}
	}
	if c.Cases.LLM.BaseURL == "" {
		return given, nil
	}
	options := c.Cases.LLM
	if options.Cache == "" {
		options.Cache = filepath.Join(c.Output, "_build", "answers.jsonl")
	}
	var err error
	if given.model, err = llm.New(options); err != nil {
		return nil, &ConfigError{File: c.file, Key: "cases.llm", Msg: err.Error()}
	}
	return given, nil
}

func readGiven(text []byte) (map[string][]harvest.Given, error) {
	calls := map[string][]harvest.Given{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var row givenRow
		switch err := json.Unmarshal(lines.Bytes(), &row); {
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", n, err)
		case row.Function == "":
			return nil, fmt.Errorf("line %d: no function; name its id or its qualified name", n)
		case (row.Call == "") == (row.Input == nil):
			return nil, fmt.Errorf("line %d: want either call or input", n)
		}
		calls[row.Function] = append(calls[row.Function], row.Given)
	}
	return calls, lines.Err()
}

func (g *givenInputs) close() error {
	if g.model == nil {
		return nil
	}
	return g.model.Close()
}

// of is what the file and the model have for a function: calls, and texts with calls in them.
func (g *givenInputs) of(ctx context.Context, f *schema.Function) (calls []harvest.Given, texts []string, err error) {
	for _, name := range []string{f.ID, f.Qualname} {
		calls = append(calls, g.calls[name]...)
	}
	if g.model != nil {
		texts, err = g.model.Answers(ctx, prompt(f))
	}
	return calls, texts, err
}

// prompt asks for calls of a function.
func prompt(f *schema.Function) string {
	return "Here is a Python program.\n\n```python\n" + f.Program + "```\n\n" +
		"Write ten calls of `" + f.Entry + "` that together run every line and branch of it, with arguments that are as different as they can be: " +
		"everyday ones, edge cases, and few that raise an exception. Each is one Python expression that begins with `" + f.Entry + "(` and needs " +
		"nothing but the program and the builtins. Write one call on each line, and nothing else.\n"
}

// ask gets what is given for each function, the model's answers several at a time.
func (g *givenInputs) ask(ctx context.Context, sums Counters, plants []*plant) error {
	if len(g.calls) == 0 && g.model == nil {
		return nil
	}
	refused := make([]bool, len(plants))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(64) // waiting costs nothing; the client bounds what is asked at once
	for i, p := range plants {
		group.Go(func() error {
			var err error
			p.given, p.texts, err = g.of(ctx, &p.unit.Function)
			var no *llm.RefusedError
			if errors.As(err, &no) {
				refused[i], err = true, nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("given inputs: %w", err)
	}
	for _, r := range refused {
		if r {
			sums.fact("given", "refused", 1)
		}
	}
	return nil
}
