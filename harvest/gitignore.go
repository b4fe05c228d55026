package harvest

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// ignoreRule is a line of a .gitignore: https://git-scm.com/docs/gitignore
type ignoreRule struct {
	parts   []string // globs of the path's parts, ** for any number of them
	negated bool
	dirOnly bool
}

func parseIgnore(text []byte) []ignoreRule {
	var rules []ignoreRule
	for line := range strings.SplitSeq(string(bytes.TrimPrefix(text, byteOrderMark)), "\n") {
		line = trimSpaces(strings.TrimSuffix(line, "\r"))
		if line == "" || line[0] == '#' {
			continue
		}
		var rule ignoreRule
		line, rule.negated = strings.CutPrefix(line, "!")
		line, rule.dirOnly = strings.CutSuffix(line, "/")
		// A slash at the beginning or in the middle ties a pattern to the file's directory.
		anchored := strings.Contains(line, "/")
		rule.parts = strings.Split(strings.TrimPrefix(line, "/"), "/")
		if !anchored {
			rule.parts = append([]string{"**"}, rule.parts...)
		}
		if rule.parts[len(rule.parts)-1] == "**" {
			rule.parts = append(rule.parts, "*") // what is inside, and not the directory itself
		}
		for i, part := range rule.parts {
			rule.parts[i] = strings.ReplaceAll(part, "[!", "[^")
		}
		if !slices.ContainsFunc(rule.parts, func(part string) bool { _, err := path.Match(part, ""); return err != nil || part == "" }) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// trimSpaces trims trailing spaces, but for one behind a backslash.
func trimSpaces(line string) string {
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	return line
}

// decide says whether rules have a word on a path, relative to their directory, and which.
func decide(rules []ignoreRule, name string, dir bool) (ignored, decided bool) {
	parts := strings.Split(name, "/")
	for _, rule := range slices.Backward(rules) {
		if (dir || !rule.dirOnly) && matchParts(rule.parts, parts) {
			return !rule.negated, true
		}
	}
	return false, false
}

// level is a directory on the way to where a walk is.
type level struct {
	dir      string // in the tree; "." for its root
	rules    []ignoreRule
	checkout *checkout // that begins here
}

// levels are the directories from the outermost to the one where a walk is.
type levels []level

// up leaves the directories that a path is not in.
func (l levels) up(name string) levels {
	for len(l) > 0 && l[len(l)-1].dir != "." && !strings.HasPrefix(name, l[len(l)-1].dir+"/") {
		l = l[:len(l)-1]
	}
	return l
}

// ignores asks from the innermost directory outwards, up to where the checkout begins.
func (l levels) ignores(name string, dir bool) bool {
	for _, at := range slices.Backward(l) {
		below := name
		if at.dir != "." {
			below = strings.TrimPrefix(name, at.dir+"/")
		}
		if ignored, decided := decide(at.rules, below, dir); decided {
			return ignored
		}
		if at.checkout != nil {
			return false
		}
	}
	return false
}

// checkout is the innermost one.
func (l levels) checkout() *checkout {
	for _, at := range slices.Backward(l) {
		if at.checkout != nil {
			return at.checkout
		}
	}
	return nil
}
