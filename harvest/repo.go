package harvest

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// placeOf is where a repository is, as people write it: example.org/owner/name, or owner/name for what says no host. What an address has
// beside that, such as credentials, is no part of it. An address that cannot be read gives "".
func placeOf(repo string) string {
	repo = strings.TrimSpace(repo)
	if strings.Contains(repo, "://") {
		u, err := url.Parse(repo)
		if err != nil || u.Host == "" {
			return ""
		}
		return strings.TrimSuffix(strings.TrimSuffix(u.Host+u.Path, "/"), ".git")
	}
	// A number behind a host is a port: what was read once is read the same again.
	head, rest, slash := strings.Cut(repo, "/")
	at := strings.LastIndex(head, "@")
	if at > 0 {
		head = head[at+1:] // user@host:path, and user:password@host/path
	}
	host, first, remote := strings.Cut(head, ":")
	if _, err := strconv.ParseUint(first, 10, 16); remote && (err != nil || !slash) {
		head = strings.TrimSuffix(host+"/"+first, "/") // host:path and host:/path
	}
	if slash {
		head += "/" + rest
	}
	return strings.TrimSuffix(head, ".git")
}

// oneLine is a text of one line that can be shown, else "".
func oneLine(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
		return ""
	}
	return text
}
