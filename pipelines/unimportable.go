package pipelines

import (
	"regexp"
	"strings"

	"github.com/tracemill/tracemill/schema"
)

// unimportable says why a function's program cannot be imported, "" where a call of it got further than that.
func (p *plant) unimportable() string {
	why := ""
	for _, one := range p.tried {
		if one.unimportable == "" {
			return ""
		}
		why = one.unimportable
	}
	return why
}

// relativeImport is an import from the module's own package: `from ..util import f`, `from . import util`.
var relativeImport = regexp.MustCompile(`(?m)^[ \t]*(from[ \t]+\.[\w.]*[ \t]+import[ \t]+\w+)`)

// whyUnimportable is what importing a program raised; "" where it was imported. A relative import fails before the interpreter looks for
// the module, and its message names none: then the statement is there too.
func whyUnimportable(program string, trace *schema.Trace) string {
	if trace.Status != schema.StatusUnimportable {
		return ""
	}
	why := trace.StatusDetail
	if found := relativeImport.FindStringSubmatch(program); found != nil && strings.HasPrefix(why, "ImportError: attempted relative import") {
		why += ": " + found[1]
	}
	return why
}
