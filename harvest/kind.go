package harvest

import (
	"path"
	"slices"
	"strings"
)

// Kind is what a file is, as far as its path tells.
type Kind string

const (
	KindCode     Kind = "code"
	KindTest     Kind = "test"
	KindVendored Kind = "vendored" // a copy of what is made elsewhere
)

var kinds = []Kind{KindCode, KindTest, KindVendored}

var (
	vendoredDirs = strings.Fields("vendor _vendor vendored _vendored third_party third-party thirdparty extern externals node_modules site-packages dist-packages")
	testDirs     = strings.Fields("test tests testing")
)

func kindOf(name string) Kind {
	dirs := strings.Split(name, "/")
	file := dirs[len(dirs)-1]
	kind := KindCode
	for _, dir := range dirs[:len(dirs)-1] {
		switch {
		case slices.Contains(vendoredDirs, strings.ToLower(dir)):
			return KindVendored
		case slices.Contains(testDirs, strings.ToLower(dir)):
			kind = KindTest
		}
	}
	stem := strings.TrimSuffix(file, path.Ext(file))
	if strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest" {
		kind = KindTest
	}
	return kind
}

// unwanted drops an item whose kind is not one that the config takes.
func (i *Item) unwanted(c *SourceConfig) bool {
	if len(c.Kinds) == 0 || slices.Contains(c.Kinds, i.Kind) {
		return false
	}
	i.Err = i.drop(OtherKind, "it is "+string(i.Kind))
	return true
}
