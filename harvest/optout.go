package harvest

import (
	"fmt"
	"path"
	"strings"
)

// optOut is what is left out because somebody asked for it. Its file has an entry a line; # begins a comment:
//
//	github.com/owner/name    a repository, also as owner/name or with https://
//	path:vendor/**           a glob of paths, ** is any number of directories
//	id:0123456789abcdef...   a function's id, as a dataset has it, or a row's own
type optOut struct {
	repos map[string]bool
	ids   map[string]bool
	paths []string
}

func parseOptOut(text string) (*optOut, error) {
	o := &optOut{repos: map[string]bool{}, ids: map[string]bool{}}
	for n, line := range strings.Split(text, "\n") {
		entry, _, _ := strings.Cut(line, "#")
		entry = strings.TrimSpace(entry)
		switch kind, value, marked := strings.Cut(entry, ":"); {
		case entry == "":
		case marked && kind == "path":
			if _, err := path.Match(value, ""); err != nil {
				return nil, fmt.Errorf("line %d: %q: %w", n+1, value, err)
			}
			o.paths = append(o.paths, strings.TrimSpace(value))
		case marked && kind == "id":
			o.ids[strings.TrimSpace(value)] = true
		case strings.ContainsAny(entry, " \t"):
			return nil, fmt.Errorf("line %d: %q is no repository; write path:GLOB or id:ID for what is none", n+1, entry)
		default:
			o.repos[repoKey(entry)] = true
		}
	}
	return o, nil
}

// repoKey makes the ways to write a repository one: its owner and name.
func repoKey(repo string) string {
	repo = strings.ToLower(strings.TrimSpace(repo))
	if _, rest, ok := strings.Cut(repo, "://"); ok {
		repo = rest
	} else if rest, ok := strings.CutPrefix(repo, "git@"); ok {
		repo = strings.Replace(rest, ":", "/", 1)
	}
	repo = strings.TrimSuffix(strings.TrimSuffix(repo, "/"), ".git")
	if parts := strings.Split(repo, "/"); len(parts) > 2 {
		repo = strings.Join(parts[len(parts)-2:], "/")
	}
	return repo
}

// item says why an item is left out, "" when it is not.
func (o *optOut) item(i *Item) string {
	switch {
	case i.Repo != "" && o.repos[repoKey(i.Repo)]:
		return "repository " + i.Repo
	case i.ID != "" && o.ids[i.ID]:
		return "id " + i.ID
	case matchAny(o.paths, i.Path):
		return "path " + i.Path
	}
	return ""
}
