package harvest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/tracemill/tracemill/harvest/contamination"
	"github.com/tracemill/tracemill/schema"
)

// asBenchmark fills in what a benchmark may leave to its file's name.
func asBenchmark(c SourceConfig) SourceConfig {
	if c.Type == "" {
		switch {
		case strings.HasSuffix(c.Path, ".py"):
			c.Type = "python"
		case strings.HasSuffix(c.Path, ".parquet"):
			c.Type = "parquet"
		default:
			c.Type = "jsonl"
		}
	}
	return c.WithDefaults()
}

// Digests are of the content of the files that the curation names, by setting: a build's output depends on them.
func (c Curation) Digests(ctx context.Context) (map[string]string, error) {
	digests := map[string]string{}
	for field, path := range map[string]string{"opt_out": c.OptOut, "contamination.allow": c.Contamination.Allow} {
		if path == "" {
			continue
		}
		text, err := readCurationFile(field, path)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		digests[field+".content"] = hex.EncodeToString(sum[:])
	}
	for i, config := range c.Decontaminate {
		source, err := asBenchmark(config).Open()
		if err != nil {
			return nil, configErrorf(fmt.Sprintf("decontaminate[%d]", i), "%w", err)
		}
		digest := sha256.New()
		err = source.Scan(ctx, func(l Listing) error {
			_, err := fmt.Fprintf(digest, "%q %d %s\n", l.Path, l.Items, l.SHA256)
			return err
		})
		source.Close()
		if err != nil {
			return nil, configErrorf(fmt.Sprintf("decontaminate[%d]", i), "%w", err)
		}
		digests[fmt.Sprintf("decontaminate.%d.content", i)] = hex.EncodeToString(digest.Sum(nil))
	}
	return digests, nil
}

// Benchmarks makes an index of the functions of the benchmarks that the harvester's options name.
func (h *Harvester) Benchmarks(ctx context.Context) (*contamination.Index, error) {
	c := h.options.Curation
	index := contamination.New(c.Contamination.Options)
	if path := c.Contamination.Allow; path != "" {
		text, err := readCurationFile("contamination.allow", path)
		if err != nil {
			return nil, err
		}
		functions, err := h.functions(ctx, string(text))
		if err != nil {
			return nil, err
		}
		if len(functions) == 0 {
			return nil, configErrorf("contamination.allow", "%s: no function is found in it; it must be Python that compiles", path)
		}
		for i := range functions {
			index.Allow(&functions[i])
		}
	}
	for i, config := range c.Decontaminate {
		before := index.Len()
		field := fmt.Sprintf("decontaminate[%d]", i)
		err := h.benchmark(ctx, asBenchmark(config), index)
		var mistake *ConfigError
		switch {
		case errors.As(err, &mistake):
			return nil, configErrorf(field, "%w", err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", field, err)
		case index.Len() == before:
			return nil, configErrorf(field, "no function is found in %s; mend its columns or preset", config.Path)
		}
	}
	return index, nil
}

func (h *Harvester) benchmark(ctx context.Context, config SourceConfig, index *contamination.Index) error {
	source, err := config.Open()
	if err != nil {
		return err
	}
	defer source.Close()
	items := 0
	if err := source.Scan(ctx, func(l Listing) error { items += l.Items; return nil }); err != nil {
		return err
	}
	for item, err := range source.Items(ctx, 0, items) {
		if err != nil {
			return err
		}
		if item.Err != nil {
			continue
		}
		text := item.Text
		if item.Source != nil {
			text = string(item.Source)
		}
		functions, err := h.functions(ctx, text)
		if err != nil {
			return err
		}
		if item.Entry == schema.ModuleEntry {
			program, err := h.compared(ctx, text, true)
			if err != nil {
				return err
			}
			functions = append(functions, program...)
		}
		for i := range functions {
			index.Add(config.Name, item.String(), &functions[i])
		}
	}
	return nil
}

// functions are those of a text that are not inside another.
func (h *Harvester) functions(ctx context.Context, text string) ([]contamination.Function, error) {
	return h.compared(ctx, text, false)
}

// compared is what Fingerprints finds in a text, as functions are compared with it.
func (h *Harvester) compared(ctx context.Context, text string, whole bool) ([]contamination.Function, error) {
	prints, err := h.Fingerprints(ctx, text, whole)
	if err != nil {
		return nil, err
	}
	lines := schema.Lines(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))
	var functions []contamination.Function
	for _, p := range prints {
		functions = append(functions, p.function(lines))
	}
	return functions, nil
}

// function is what a fingerprint says of a program of these lines, as benchmarks are compared with it.
func (p *Fingerprint) function(lines []string) contamination.Function {
	f := contamination.Function{Tree: p.Tree, Tokens: p.Tokens}
	if p.End <= len(lines) {
		f.Text = strings.Join(lines[p.Start-1:p.End], "\n")
	}
	return f
}
