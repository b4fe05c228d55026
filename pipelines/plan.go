package pipelines

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/sandbox"
	"github.com/tracemill/tracemill/shard"
	"github.com/tracemill/tracemill/tracer"
)

// sourceSet is the sources of a config as one sequence of items: those of the first, then those of the next.
type sourceSet struct {
	sources []harvest.Source
	starts  []int64  // per source, and one more: the number of its first item
	digests []string // per source: of what it lists
}

// openSources opens and lists every source. Lists are streamed: only their lengths and digests are kept.
func openSources(ctx context.Context, c *Config) (*sourceSet, error) {
	set := &sourceSet{starts: []int64{0}}
	for i, config := range c.Sources {
		source, err := config.Open()
		if err != nil {
			set.close()
			return nil, c.sourceError(i, err)
		}
		set.sources = append(set.sources, source)
		digest, items := sha256.New(), set.starts[i]
		err = source.Scan(ctx, func(l harvest.Listing) error {
			items += int64(l.Items)
			fmt.Fprintf(digest, "%q %d %s %s %s %s\n", l.Path, l.Items, l.SHA256, l.Revision, l.License, l.Tests)
			return nil
		})
		if err != nil {
			set.close()
			return nil, c.sourceError(i, err)
		}
		set.starts = append(set.starts, items)
		set.digests = append(set.digests, hex.EncodeToString(digest.Sum(nil)))
	}
	return set, nil
}

func (s *sourceSet) close() {
	for _, source := range s.sources {
		source.Close()
	}
}

// items is the items of a part, which may lie in several sources.
func (s *sourceSet) items(ctx context.Context, part shard.PartPlan) ([]harvest.Item, error) {
	items := make([]harvest.Item, 0, part.Count)
	for i, source := range s.sources {
		from := max(part.First, s.starts[i])
		to := min(part.First+part.Count, s.starts[i+1])
		if from >= to {
			continue
		}
		for item, err := range source.Items(ctx, int(from-s.starts[i]), int(to-s.starts[i])) {
			if err != nil {
				return nil, fmt.Errorf("part %s: source %s: %w", part.ID, source.Name(), err)
			}
			items = append(items, item)
		}
	}
	return items, nil
}

// makePlan says what a build is: everything that changes its output, and how it is cut into parts.
func makePlan(ctx context.Context, c *Config, set *sourceSet, given *givenInputs, image sandbox.Image) (shard.Plan, error) {
	settings, err := c.settings()
	if err != nil {
		return shard.Plan{}, err
	}
	settings["image"] = image.ID
	settings["python"] = image.Version
	settings["tracer"] = tracer.Digest()
	settings["analyzer"] = harvest.Digest()
	for i, digest := range set.digests {
		settings[fmt.Sprintf("sources.%d.content", i)] = digest
	}
	digests, err := c.Harvest.Digests(ctx)
	if err != nil {
		return shard.Plan{}, c.harvestError(err)
	}
	for key, digest := range digests {
		settings["harvest."+key] = digest
	}
	if given.digest != "" {
		settings["cases.given.content"] = given.digest
	}
	plan := shard.Plan{
		Settings: settings,
		Seed:     c.Seed,
		Layout:   shard.Layout{RowGroupBytes: c.Shards.RowGroupBytes, ShardBytes: c.Shards.ShardBytes},
		Parts:    shard.SplitParts(set.starts[len(set.sources)], int64(c.Run.PartSize)),
	}
	for _, s := range c.Splits {
		plan.Splits = append(plan.Splits, shard.Split{Name: s.Name, Fraction: s.Share})
	}
	return plan, nil
}

// settings is the config as dotted keys, without what does not change the output: where it is written, what isolates
// programs, how many workers there are, how a language model is reached, and the paths of sources, whose content is in the plan instead, as the image is.
func (c *Config) settings() (map[string]string, error) {
	var root yaml.Node
	if err := root.Encode(c); err != nil {
		return nil, fmt.Errorf("encode config: %w", err)
	}
	settings := map[string]string{}
	flatten(&root, "", settings)
	for _, key := range []string{"output", "run.workers", "export.arrow", "verify.sample", "verify.sequences", "cases.given", "harvest.opt_out", "harvest.contamination.allow",
		"cases.llm.base_url", "cases.llm.key_env", "cases.llm.timeout", "cases.llm.retries", "cases.llm.concurrency", "cases.llm.cache"} {
		delete(settings, key)
	}
	for i := range c.Sources {
		delete(settings, fmt.Sprintf("sources.%d.path", i))
	}
	for i := range c.Harvest.Decontaminate {
		delete(settings, fmt.Sprintf("harvest.decontaminate.%d.path", i))
	}
	maps.DeleteFunc(settings, func(key, _ string) bool { return strings.HasPrefix(key, "sandbox.") })
	return settings, nil
}

func flatten(n *yaml.Node, path string, into map[string]string) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			flatten(n.Content[i+1], join(path, n.Content[i].Value), into)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			flatten(item, join(path, strconv.Itoa(i)), into)
		}
	default:
		into[path] = n.Value
	}
}
