package address

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// longForms are other ways to start an address: the block type, where addresses
// start with something else, or with nothing.
var longForms = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for _, r := range rules.All {
		around, _ := path.Split(r.Path)
		switch isTop := around == ""; {
		case isTop && r.Match == rules.ByLabels && len(r.Prefix) == 0:
			forms[r.Path] = ""
		case isTop && len(r.Prefix) > 0 && r.Prefix[0] != r.Path:
			forms[r.Path] = r.Prefix[0]
		case !isTop && namesItself(&r):
			forms[strings.TrimSuffix(around, "/")] = r.Prefix[0]
		}
	}
	return forms
})

// shortened returns the parts of a text with the block type at their start replaced by the address
// prefix: var for variable, nothing for resource.
func shortened(parts []segments.Part) []segments.Part {
	short, ok := longForms()[parts[0].Name]
	switch {
	case !ok || parts[0].IsQuoted || len(parts) == 1:
		return parts
	case short == "":
		return parts[1:]
	}
	parts = slices.Clone(parts)
	parts[0].Name = short
	return parts
}

// Start is the prefix of the addresses of a type of blocks; nothing for resources, which start with
// their own type.
func Start(typ string) string {
	if short, ok := longForms()[typ]; ok {
		return short
	}
	return typ
}

// namesItself reports whether a rule's items have separate addresses, whatever block they are in,
// like local values.
func namesItself(r *rules.Rule) bool { return path.Base(r.Path) == "*" && len(r.Prefix) > 0 }
