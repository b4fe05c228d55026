package pipelines

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tracemill/tracemill/harvest"
)

// CheckFiles looks for what the config names: sources, benchmarks and lists that are missing or cannot be read are *ConfigErrors, joined
// where there are several. Files are opened and, but for lists, not read.
func (c *Config) CheckFiles() error {
	var errs []error
	for i, source := range c.Sources {
		if opened, err := source.Open(); err != nil {
			errs = append(errs, c.mistake(fmt.Sprintf("sources[%d]", i), err))
		} else {
			opened.Close()
		}
	}
	for _, err := range c.Harvest.CheckFiles() {
		errs = append(errs, c.harvestError(err))
	}
	return errors.Join(errs...)
}

// mistake places an error at a key of the config.
func (c *Config) mistake(key string, err error) error {
	e := &ConfigError{File: c.file, Key: key, Msg: err.Error()}
	if c.root != nil {
		e.Line = lineOf(c.root, key)
	}
	return e
}

// harvestError places a mistake in what the harvest's settings name. Other errors stay what they are.
func (c *Config) harvestError(err error) error {
	var mistake *harvest.ConfigError
	if !errors.As(err, &mistake) {
		return err
	}
	return c.mistake("harvest."+mistake.Field, mistake.Err)
}

// sourceError places a source's mistake in the config.
func (c *Config) sourceError(i int, err error) error {
	var mistake *harvest.ConfigError
	if !errors.As(err, &mistake) {
		return fmt.Errorf("source %s: %w", c.Sources[i].Name, err)
	}
	return c.mistake(fmt.Sprintf("sources[%d]", i), err)
}

// logUnusedOptOuts says which entries of the opt-out file left nothing out: they may be misspelt.
func (c *Config) logUnusedOptOuts(sums Counters, progress Progress) error {
	lines, err := c.Harvest.UnusedOptOuts(sums.Group)
	if err != nil || len(lines) == 0 {
		return err
	}
	const shown = 20
	list := strings.Trim(strings.ReplaceAll(fmt.Sprint(lines[:min(shown, len(lines))]), " ", ", "), "[]")
	if len(lines) > shown {
		list += ", ..."
	}
	progress.Log(fmt.Sprintf("harvest.opt_out: %d entries of %s left nothing out, on the lines %s", len(lines), c.Harvest.OptOut, list))
	return nil
}
