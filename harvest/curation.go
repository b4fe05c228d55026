package harvest

import (
	"fmt"
	"os"

	"github.com/tracemill/tracemill/harvest/contamination"
	"github.com/tracemill/tracemill/harvest/license"
)

// Curation says which functions are left out, or changed, for what they are rather than for what can be done with them.
type Curation struct {
	// Licenses says which licences are wanted; by default all.
	Licenses license.Policy `yaml:"licenses" json:"licenses"`
	// OptOut is a file of what is left out because somebody asked for it; see optOut.
	OptOut string `yaml:"opt_out" json:"opt_out" jsonschema:"description=File of repositories, paths and ids that are left out"`
	// Duplicates says what becomes of copies of functions.
	Duplicates Duplicates `yaml:"duplicates" json:"duplicates"`
	// Decontaminate are benchmarks whose functions, and what is like them, are left out.
	Decontaminate []SourceConfig `yaml:"decontaminate" json:"decontaminate" jsonschema:"description=Benchmarks: functions that are like theirs are left out"`
	Contamination Contamination  `yaml:"contamination" json:"contamination"`
	// Secrets says what becomes of credentials and personal data.
	Secrets Secrets `yaml:"secrets" json:"secrets"`
}

// Treatment says what becomes of copies.
type Treatment string

const (
	TreatDrop Treatment = "drop" // all but the first
	TreatMark Treatment = "mark" // they are kept, and say what they are copies of
	TreatKeep Treatment = "keep" // they are not looked for
)

// Duplicates says what becomes of copies of functions.
type Duplicates struct {
	Exact     Treatment `yaml:"exact" json:"exact" jsonschema:"enum=drop,enum=mark,enum=keep,description=Functions with the same normalised tree"`
	Near      Treatment `yaml:"near" json:"near" jsonschema:"enum=drop,enum=mark,enum=keep,description=Functions with similar tokens"`
	Threshold float64   `yaml:"threshold" json:"threshold" jsonschema:"description=Similarity from which on functions are near copies: share of the shorter one's runs of tokens that the other has"`
}

// Contamination says what is like a benchmark's function.
type Contamination struct {
	contamination.Options `yaml:",inline"`
	// Allow is a Python file of functions that are nobody's, and are never taken for a benchmark's.
	Allow string `yaml:"allow" json:"allow" jsonschema:"description=Python file of functions that are never taken for a benchmark's"`
}

// Handling says what becomes of secrets.
type Handling string

const (
	HandleKeep Handling = "keep" // they are not looked for
	HandleMask Handling = "mask"
	HandleDrop Handling = "drop" // of what holds one
)

// Secrets says what becomes of credentials and personal data: in programs and calls, and in what is recorded of their execution.
type Secrets struct {
	Source Handling `yaml:"source" json:"source" jsonschema:"enum=mask,enum=drop,enum=keep,description=In programs and calls: masked, functions that hold one dropped, or kept"`
	Values Handling `yaml:"values" json:"values" jsonschema:"enum=mask,enum=drop,enum=keep,description=In traces: masked, traces that hold one dropped, or kept"`
}

// withDefaults is the curation with the zero fields filled in. Lists stay as they are.
func (c Curation) withDefaults() Curation {
	if c.Licenses.Unknown == "" {
		c.Licenses.Unknown = license.Keep
	}
	d := &c.Duplicates
	if d.Exact == "" {
		d.Exact = TreatDrop
	}
	if d.Near == "" {
		d.Near = TreatDrop
	}
	if d.Threshold == 0 {
		d.Threshold = 0.85
	}
	c.Contamination.Options = c.Contamination.Options.WithDefaults()
	if c.Secrets.Source == "" {
		c.Secrets.Source = HandleMask
	}
	if c.Secrets.Values == "" {
		c.Secrets.Values = HandleMask
	}
	return c
}

func (c Curation) validate() error {
	c = c.withDefaults()
	if u := c.Licenses.Unknown; u != license.Keep && u != license.Drop {
		return configErrorf("licenses.unknown", "%q is not known; there are: keep, drop", u)
	}
	for field, t := range map[string]Treatment{"duplicates.exact": c.Duplicates.Exact, "duplicates.near": c.Duplicates.Near} {
		if t != TreatDrop && t != TreatMark && t != TreatKeep {
			return configErrorf(field, "%q is not known; there are: drop, mark, keep", t)
		}
	}
	if t := c.Duplicates.Threshold; !(t > 0 && t <= 1) {
		return configErrorf("duplicates.threshold", "%g is not above 0 and at most 1", t)
	}
	for field, h := range map[string]Handling{"secrets.source": c.Secrets.Source, "secrets.values": c.Secrets.Values} {
		if h != HandleKeep && h != HandleMask && h != HandleDrop {
			return configErrorf(field, "%q is not known; there are: mask, drop, keep", h)
		}
	}
	if err := c.Contamination.Options.Validate(); err != nil {
		return configErrorf("contamination", "%w", err)
	}
	for i, benchmark := range c.Decontaminate {
		if err := asBenchmark(benchmark).Validate(); err != nil {
			return configErrorf(fmt.Sprintf("decontaminate[%d]", i), "%w", err)
		}
	}
	return nil
}

// Surveyed says whether all functions of a build have to be looked at before the first is worked on.
func (c Curation) Surveyed() bool {
	return c.Duplicates.Exact != TreatKeep || c.Duplicates.Near != TreatKeep || len(c.Decontaminate) > 0
}

// CheckFiles says which files that the curation names cannot be read, each as a *ConfigError.
func (c Curation) CheckFiles() []error {
	var errs []error
	if _, err := c.readOptOut(); err != nil {
		errs = append(errs, err)
	}
	if path := c.Contamination.Allow; path != "" {
		if _, err := readCurationFile("contamination.allow", path); err != nil {
			errs = append(errs, err)
		}
	}
	for i, config := range c.Decontaminate {
		source, err := asBenchmark(config).Open()
		if err != nil {
			errs = append(errs, configErrorf(fmt.Sprintf("decontaminate[%d]", i), "%w", err))
			continue
		}
		source.Close()
	}
	return errs
}

// readCurationFile reads a file that the curation names.
func readCurationFile(field, path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, configErrorf(field, "%s cannot be read: %w", path, cause(err))
	}
	return text, nil
}
