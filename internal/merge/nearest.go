package merge

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// maxHints is for how many missing names a run looks for similar ones.
const maxHints = 20

// nearest finds a similarly named declaration of the same rule: its address and the item.
func nearest(m *merger, c *MergedBody, r *rules.Rule, addr string) (string, source.Item) {
	if m.hints++; m.hints > maxHints {
		return "", nil
	}
	key := candidatesKey{c, r}
	known, ok := m.similar[key]
	if !ok {
		known.items = candidates(m, c, r)
		known.names = slices.Sorted(maps.Keys(known.items))
		m.similar[key] = known
	}
	name := spelling.Nearest(addr, known.names)
	return name, known.items[name]
}

// candidates lists the declarations of a rule in a body, by address.
func candidates(m *merger, c *MergedBody, r *rules.Rule) map[string]source.Item {
	found := map[string]source.Item{}
	note := func(it source.Item) {
		if k, rule := c.key(it, false); rule == r {
			found[address(r, k)] = it
		}
	}
	if c == m.root {
		for _, f := range m.src.Files {
			for i := range f.Len() {
				if f.Role == source.Primary {
					note(f.Block(i))
				}
			}
		}
		for k, e := range m.aliasTargets {
			if ruleOf(c.kind, k) == r {
				found[address(r, k)] = e.Live[0]
			}
		}
		return found
	}
	for _, p := range c.Parts {
		for _, it := range p.Items() {
			if it.Source().Role == source.Primary {
				note(it)
			}
		}
	}
	return found
}

func missing(m *merger, c *MergedBody, r *rules.Rule, k Key, it source.Item) *hcl.Diagnostic {
	addr := address(r, k)
	near, item := nearest(m, c, r, addr)
	detail := fmt.Sprintf("No primary file declares %s.", addr)
	if r.Orphan == rules.AddUnaliased {
		detail += " An override file can add only a default provider configuration, one without alias."
	}
	what := "block"
	if _, isAttr := it.(*source.Attr); isAttr {
		what = "argument"
	}
	if item != nil {
		detail += fmt.Sprintf(" Did you mean %s at %s? If not, declare it in a primary file, or remove this %s.", near, placeOf(item), what)
	} else {
		detail += fmt.Sprintf(" Declare it in a primary file, or remove this %s.", what)
	}
	d := diag.New(it.Header(), r.Missing, "%s%s", detail, trapOfName(it.Source()))
	if item == nil {
		return diag.WithCode(NoBase, d)
	}
	diag.WithRelated(diag.Related{Note: "similar name", Range: item.Header(), IsHint: true}, d)
	return d
}
