package harvest

import (
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/tracemill/tracemill/harvest/license"
)

// maxLicenseBytes is longer than any licence; maxLicenseDirs bounds what is remembered, since it is found again.
const (
	maxLicenseBytes = 256 << 10
	maxLicenseDirs  = 4096
)

// treeLicenses are the licences of a tree's directories.
type treeLicenses struct {
	mu    sync.Mutex
	known map[string]string // by directory, where there is a licence file; "" for one that is not known
	none  map[string]bool   // directories without
}

// of is what the licence file says that is nearest to a path, in its directory or one above: what is vendored has a licence of its
// own. It is "" when there is none, or when it is not known.
func (t *treeLicenses) of(root fs.FS, file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if found, ok := t.in(root, dir); ok || dir == "." || dir == "/" {
			return found
		}
	}
}

func (t *treeLicenses) in(root fs.FS, dir string) (expression string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if found, ok := t.known[dir]; ok || t.none[dir] {
		return found, ok
	}
	if t.known == nil || len(t.known)+len(t.none) >= maxLicenseDirs {
		t.known, t.none = map[string]string{}, map[string]bool{}
	}
	expression, ok = readLicenses(root, dir)
	if ok {
		t.known[dir] = expression
	} else {
		t.none[dir] = true
	}
	return expression, ok
}

// readLicenses looks at the licence files of a directory. Where there are several, all of them have to be kept to.
func readLicenses(root fs.FS, dir string) (expression string, ok bool) {
	entries, err := fs.ReadDir(root, dir)
	if err != nil {
		return "", false // what cannot be read is a drop of its items
	}
	var all []string
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !license.IsFile(entry.Name()) {
			continue
		}
		ok = true
		file, err := root.Open(path.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(file, maxLicenseBytes))
		file.Close()
		if found := license.File(text); err == nil && found != "" {
			all = append(all, found)
		}
	}
	return strings.Join(all, " AND "), ok
}
