package harvest

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// optOut is what is left out because somebody asked for it. Its file has an entry a line; # begins a comment:
//
//	github.com/owner/name    a repository, also as owner/name or with https://
//	path:vendor/**           a glob of paths, ** is any number of directories
//	id:0123456789abcdef...   a function's id, as a dataset has it, or a row's own
//
// Entries are known by their lines, the first of those that say the same.
type optOut struct {
	repos map[string]int // by repoKey
	ids   map[string]int
	paths []pathEntry
}

type pathEntry struct {
	glob string
	line int
}

// optOutFact is the group of facts that count what an entry left out, by its line. What it names is in no counter: those are published.
const optOutFact = "opt_out"

func parseOptOut(text string) (*optOut, error) {
	o := &optOut{repos: map[string]int{}, ids: map[string]int{}}
	for n, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		entry, _, _ := strings.Cut(line, "#")
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		if err := o.add(entry, n+1); err != nil {
			return nil, &lineError{n + 1, fmt.Errorf("%q: %w", entry, err)}
		}
	}
	return o, nil
}

func (o *optOut) add(entry string, line int) error {
	kind, value, marked := strings.Cut(entry, ":")
	value = strings.TrimSpace(value)
	switch {
	case marked && (kind == "path" || kind == "id") && value == "":
		return fmt.Errorf("the prefix %s: has nothing behind it", kind)
	case marked && kind == "path":
		if _, err := path.Match(value, ""); err != nil {
			return err
		}
		if !slices.ContainsFunc(o.paths, func(p pathEntry) bool { return p.glob == value }) {
			o.paths = append(o.paths, pathEntry{value, line})
		}
	case marked && kind == "id":
		note(o.ids, value, line)
	case marked && bareWord.MatchString(kind) && !strings.HasPrefix(value, "//") && !port.MatchString(value):
		return fmt.Errorf("no prefix %s:; there are: path:GLOB, id:ID, and none for a repository", kind)
	case !repository.MatchString(repoKey(entry)):
		return errors.New("is no repository, which is owner/name or host/owner/name; write path:GLOB or id:ID for what is none")
	default:
		note(o.repos, repoKey(entry), line)
	}
	return nil
}

var (
	bareWord   = regexp.MustCompile(`^[\pL\d_ -]*$`) // no host, which has a dot, nor git@host
	port       = regexp.MustCompile(`^\d+/`)
	repository = regexp.MustCompile(`^[\pL\d_.~-]+/[\pL\d_.~-]+$`)
)

func note(lines map[string]int, key string, line int) {
	if _, ok := lines[key]; !ok {
		lines[key] = line
	}
}

// repoKey makes the ways to write a repository one: its owner and name.
func repoKey(repo string) string {
	parts := strings.Split(strings.Trim(strings.ToLower(placeOf(repo)), "/"), "/")
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}

// item says why an item is left out, "" when it is not, and the lines of all entries that do so.
func (o *optOut) item(i *Item) (reason string, lines []int) {
	for _, p := range o.paths {
		if matchGlob(p.glob, i.Path) {
			reason, lines = "path "+i.Path, append(lines, p.line)
		}
	}
	if line, ok := o.ids[i.ID]; ok && i.ID != "" {
		reason, lines = "id "+i.ID, append(lines, line)
	}
	if line, ok := o.repos[repoKey(i.Repo)]; ok && i.Repo != "" {
		reason, lines = "repository "+i.Repo, append(lines, line)
	}
	return reason, lines
}

// entries are all that are there, in the order of their lines.
func (o *optOut) entries() []int {
	lines := slices.Concat(slices.Collect(maps.Values(o.repos)), slices.Collect(maps.Values(o.ids)))
	for _, p := range o.paths {
		lines = append(lines, p.line)
	}
	slices.Sort(lines)
	return lines
}

// readOptOut reads the file that a curation names; of none, nothing is left out.
func (c Curation) readOptOut() (*optOut, error) {
	if c.OptOut == "" {
		return &optOut{}, nil
	}
	text, err := readCurationFile("opt_out", c.OptOut)
	if err != nil {
		return nil, err
	}
	o, err := parseOptOut(string(text))
	if err != nil {
		return nil, configErrorf("opt_out", "%s:%w", c.OptOut, err)
	}
	return o, nil
}

// UnusedOptOuts is the lines of the opt-out file whose entries left nothing out, by the facts of all results of a build.
func (c Curation) UnusedOptOuts(facts func(group string) map[string]int64) ([]int, error) {
	o, err := c.readOptOut()
	if err != nil {
		return nil, err
	}
	used := facts(optOutFact)
	return slices.DeleteFunc(o.entries(), func(line int) bool { return used[strconv.Itoa(line)] > 0 }), nil
}

// lineError is a mistake in a line of a file: "7: what is wrong", to be put behind the file's name.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("%d: %v", e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }
