package harvest

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// checkout is what a git checkout says of itself in its files; git itself is not run: it obeys what a repository configures.
type checkout struct {
	revision string // of HEAD; "" where it is not known
	repo     string // host and path of the remote named origin, without credentials
	excluded []ignoreRule
}

var revision = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// maxGitFile bounds what is read of a file in .git. A list of packed references can be long.
const maxGitFile = 64 << 20

// readCheckout reads the checkout whose working tree begins at a directory; nil where none does.
func readCheckout(dir string) *checkout {
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		// A submodule or a linked working tree.
		to, ok := strings.CutPrefix(readLine(git), "gitdir: ")
		if !ok {
			return nil
		}
		if git = filepath.FromSlash(to); !filepath.IsAbs(git) {
			git = filepath.Join(dir, git)
		}
	}
	common := git
	if to := readLine(filepath.Join(git, "commondir")); to != "" {
		if common = filepath.FromSlash(to); !filepath.IsAbs(common) {
			common = filepath.Join(git, common)
		}
	}
	head := readLine(filepath.Join(git, "HEAD"))
	if head == "" {
		return nil
	}
	return &checkout{
		revision: resolve(git, common, head),
		repo:     originOf(readFile(filepath.Join(common, "config"))),
		excluded: parseIgnore(readFile(filepath.Join(common, "info", "exclude"))),
	}
}

// resolve follows references: https://git-scm.com/docs/gitrepository-layout
func resolve(git, common, value string) string {
	for range 10 {
		name, symbolic := strings.CutPrefix(value, "ref: ")
		if !symbolic {
			break
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return ""
		}
		value = firstOf(readLine(filepath.Join(git, filepath.FromSlash(name))), readLine(filepath.Join(common, filepath.FromSlash(name))))
		if value == "" {
			value = packed(readFile(filepath.Join(common, "packed-refs")), name)
		}
	}
	if !revision.MatchString(value) {
		return ""
	}
	return value
}

func packed(refs []byte, name string) string {
	lines := bufio.NewScanner(bytes.NewReader(refs))
	for lines.Scan() {
		if value, of, ok := strings.Cut(lines.Text(), " "); ok && of == name {
			return value
		}
	}
	return ""
}

// originOf is the [placeOf] the remote named origin.
func originOf(config []byte) string {
	lines := bufio.NewScanner(bytes.NewReader(config))
	inside := false
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			inside = line == `[remote "origin"]`
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !inside || !ok || strings.TrimSpace(key) != "url" {
			continue
		}
		if !strings.Contains(value, ":") {
			return "" // a path of somebody's machine
		}
		return placeOf(value)
	}
	return ""
}

func readFile(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxGitFile {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return text
}

func readLine(path string) string {
	line, _, _ := strings.Cut(string(readFile(path)), "\n")
	return strings.TrimSpace(line)
}
