// Package license finds the licence of a text, as an SPDX expression, and decides whether one is wanted.
package license

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/github/go-spdx/v2/spdxexp"
	"github.com/google/licensecheck"
)

// headerBytes is how much of a file is looked at for what it says of itself.
const headerBytes = 8 << 10

var tag = regexp.MustCompile(`SPDX-License-Identifier:[ \t]*([^\r\n]+)`)

// words are those of which a notice has one.
var words = [][]byte{[]byte("license"), []byte("licence"), []byte("copyright"), []byte("redistribution")}

// Header is the licence that a source file states at its beginning, by an SPDX tag or by a notice; "" when it states none.
func Header(source []byte) string {
	head := source[:min(len(source), headerBytes)]
	if m := tag.FindSubmatch(head); m != nil {
		expression := strings.TrimSpace(strings.TrimRight(string(m[1]), `*/->"' `+"\t"))
		if Valid(expression) {
			return expression
		}
	}
	lower := bytes.ToLower(head)
	if !slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(lower, word) }) {
		return ""
	}
	return classify(head, 0)
}

// textShare is how much of a licence file must be known text, in percent.
const textShare = 75

// File is the licence that a repository's licence file is; "" when it is not known.
func File(text []byte) string { return classify(text, textShare) }

// classify names the licences whose texts or notices are in a text.
func classify(text []byte, percent float64) string {
	// Comment signs are punctuation to the classifier, and no word; that its address is named says nothing of a licence's terms.
	found := licensecheck.Scan(text)
	if found.Percent < percent {
		return ""
	}
	var ids []string
	for _, m := range found.Match {
		id := m.ID
		if m.IsURL || !Valid(id) || slices.Contains(ids, id) {
			continue
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return strings.Join(ids, " AND ")
}

// fileName is what licence files are called.
var fileName = regexp.MustCompile(`(?i)^(?:un)?licen[sc]e(?:[-._].*)?$|^copying(?:[-._].*)?$`)

// IsFile says whether a file's name is that of a licence file. Those of Python code are none.
func IsFile(name string) bool {
	return fileName.MatchString(name) && !strings.EqualFold(path.Ext(name), ".py")
}

// Valid says whether a text is an SPDX expression.
func Valid(expression string) bool {
	if expression == "" || bytes.ContainsAny([]byte(expression), "\n\x00") {
		return false
	}
	ok, _ := spdxexp.ValidateLicenses([]string{expression})
	return ok
}

// Unknown says what becomes of functions whose licence is not known.
type Unknown string

const (
	Keep Unknown = "keep"
	Drop Unknown = "drop"
)

// Policy says which licences are wanted.
type Policy struct {
	Allow   []string `yaml:"allow" json:"allow" jsonschema:"description=SPDX identifiers, * stands for anything; empty: all that are not denied"`
	Deny    []string `yaml:"deny" json:"deny" jsonschema:"description=likewise; stronger than allow"`
	Unknown Unknown  `yaml:"unknown" json:"unknown" jsonschema:"enum=keep,enum=drop,description=What becomes of functions without a known licence"`
}

// Verdict says how a licence fares.
type Verdict string

const (
	Wanted    Verdict = ""
	Denied    Verdict = "license_denied"
	Unlisted  Verdict = "license_not_allowed"
	Undefined Verdict = "license_unknown"
)

// Judge says whether a licence is wanted. Of an expression with OR one alternative must be, of one with AND all parts. What is no SPDX
// expression is compared as it is written, and is else unknown.
func (p *Policy) Judge(expression string) Verdict {
	expression = strings.TrimSpace(expression)
	ids, err := spdxexp.ExtractLicenses(expression)
	if expression == "" || err != nil || len(ids) == 0 {
		switch {
		case expression != "" && matches(p.Deny, expression):
			return Denied
		case expression != "" && matches(p.Allow, expression):
			return Wanted
		case p.Unknown == Drop:
			return Undefined
		}
		return Wanted
	}
	if !satisfied(expression, ids, func(id string) bool { return !matches(p.Deny, id) }) {
		return Denied
	}
	if len(p.Allow) > 0 && !satisfied(expression, ids, func(id string) bool { return matches(p.Allow, id) && !matches(p.Deny, id) }) {
		return Unlisted
	}
	return Wanted
}

func satisfied(expression string, ids []string, wanted func(string) bool) bool {
	var list []string
	for _, id := range ids {
		if wanted(id) {
			list = append(list, id)
		}
	}
	if len(list) == 0 {
		return false
	}
	ok, err := spdxexp.Satisfies(expression, list)
	return err == nil && ok
}

func matches(list []string, id string) bool {
	return slices.ContainsFunc(list, func(glob string) bool {
		ok, _ := path.Match(strings.ToLower(glob), strings.ToLower(id))
		return ok
	})
}
