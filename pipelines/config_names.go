package pipelines

import (
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/github/go-spdx/v2/spdxexp/spdxlicenses"

	"github.com/tracemill/tracemill/harvest/license"
)

// validateNames finds names that are written in the config and stand for nothing: licences, and modules that programs may import.
func (c *Config) validateNames(fail func(key string, err error)) {
	for i, s := range c.Sources {
		if s.License != "" && !license.Valid(s.License) {
			fail(fmt.Sprintf("sources[%d].license", i), fmt.Errorf("%q is no SPDX expression%s", s.License, nearestLicense(s.License)))
		}
	}
	for i, id := range c.Harvest.Licenses.Allow {
		fail(fmt.Sprintf("harvest.licenses.allow[%d]", i), licenseMistake(id))
	}
	for i, id := range c.Harvest.Licenses.Deny {
		fail(fmt.Sprintf("harvest.licenses.deny[%d]", i), licenseMistake(id))
	}
	for i, name := range c.Harvest.Filters.Imports {
		fail(fmt.Sprintf("harvest.filters.imports[%d]", i), moduleMistake(name))
	}
}

// licenseMistake says why a pattern of licences can mean none.
func licenseMistake(id string) error {
	if strings.ContainsAny(id, `*?[\\`) {
		if _, err := path.Match(id, ""); err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		return nil
	}
	if fields := strings.Fields(id); license.Valid(id) && (len(fields) == 1 || len(fields) == 3 && fields[1] == "WITH") {
		return nil
	}
	return fmt.Errorf("%q is no SPDX identifier%s; what is none is named by a pattern with *", id, nearestLicense(id))
}

func nearestLicense(id string) string {
	return didYouMean(id, append(spdxlicenses.GetLicenses(), spdxlicenses.GetDeprecated()...), max(1, min(len(id)/3, 3)))
}

// stdlibText is the names of the standard library's top-level modules, of CPython 3.8 to 3.14.
//
//go:embed stdlib.txt
var stdlibText string

var moduleName = regexp.MustCompile(`^[\pL_][\pL\d_]*(\.[\pL_][\pL\d_]*)*$`)

// moduleMistake finds what is no module's name, and what can only be meant for another: most modules that there are, are not on this
// machine. Short names, and those that add a number, are as likely another package's.
func moduleMistake(name string) error {
	if !moduleName.MatchString(name) {
		return fmt.Errorf("%q is no module's name: want one as an import has it, such as numpy or os.path, or stdlib, or image", name)
	}
	known := append(strings.Fields(stdlibText), "stdlib", "image")
	top, _, _ := strings.Cut(name, ".")
	if slices.Contains(known, top) || strings.ContainsAny(top[len(top)-1:], "0123456789") {
		return nil
	}
	const short = 5
	known = slices.DeleteFunc(known, func(k string) bool { return len(k) < short })
	if hint := didYouMean(top, known, 1); hint != "" {
		return fmt.Errorf("%q is no module of the standard library%s", top, hint)
	}
	return nil
}
