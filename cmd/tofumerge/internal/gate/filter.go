package gate

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Hiding names the flags that leave findings out, with their verb.
func (g *Gate) Hiding() string {
	switch {
	case len(g.Select) == 0:
		return "--filter hides"
	case len(g.Filter) == 0:
		return "--select hides"
	}
	return "--filter and --select hide"
}

// filter removes findings that --filter and --select don't match, and returns their number. An
// error about a whole module stays, because it leaves the rest unknown.
func (g *Gate) filter(t *workspace.Subject, m *merge.Module, found []check.Finding) (rest []check.Finding, out int) {
	if len(g.Filter) == 0 && len(g.Select) == 0 {
		return found, 0
	}
	var called address.Address
	if t.Called != nil {
		called = t.Called.Own
	}
	passes := g.PassesFilter(called, m)
	isWanted := func(f check.Finding) bool {
		if f.Address.IsEmpty() && f.Severity == check.Error {
			return true
		}
		return (len(g.Select) == 0 || slices.Contains(g.Select, f.Rule.ID)) && passes(f.Address)
	}
	rest = slices.DeleteFunc(slices.Clone(found), func(f check.Finding) bool { return !isWanted(f) })
	return rest, len(found) - len(rest)
}
