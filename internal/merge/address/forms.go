package address

import (
	"path"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/merge"
)

// longForms are other ways to start an address: the block type, where addresses
// start with something else, or with nothing.
var longForms = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for _, r := range merge.Rules {
		around, _ := path.Split(r.Path)
		switch isTop := around == ""; {
		case isTop && r.Match == merge.ByLabels && len(r.Prefix) == 0:
			forms[r.Path] = ""
		case isTop && len(r.Prefix) > 0 && r.Prefix[0] != r.Path:
			forms[r.Path] = r.Prefix[0]
		case !isTop && namesItself(&r):
			forms[strings.TrimSuffix(around, "/")] = r.Prefix[0]
		}
	}
	return forms
})

// shortForm returns what an address starts with instead of a block type: var for
// variable, nothing for resource.
func shortForm(name string) (string, bool) {
	short, ok := longForms()[name]
	return short, ok
}

// namesItself reports whether a rule's items have addresses of their own, whatever
// block they are in, as local values have.
func namesItself(r *merge.Rule) bool { return path.Base(r.Path) == "*" && len(r.Prefix) > 0 }
