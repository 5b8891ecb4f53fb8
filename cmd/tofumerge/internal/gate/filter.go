package gate

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
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

// denied lists a module's items that a policy denies: items of override files, and override files
// among those that were named.
func (g *Gate) denied(mod *merge.Module, t *workspace.Subject, want *policy.Policy) []check.Finding {
	found := append(deny.Items(mod, want.DeniedIn, g.factsOf(mod)), g.deniedElsewhere(mod, want)...)
	for _, e := range mod.Source.Names {
		isThere := e.Status == load.Read || g.isReadElsewhere(e) || e.Status == load.Shadowed
		if e.Role == source.Override && isThere && (t.Files == nil || t.Files[e.Name]) && want.DeniesFile(e.Name) {
			f := deny.File(e.Name)
			if text, err := mod.Source.TextOf(e.Name, g.ws.MaxFileSize); err == nil && g.Since != nil {
				f.Fact = deny.FactOfFile(text)
			}
			found = append(found, f)
		}
	}
	return found
}

// factsOf are the facts about denied items in a module, if they are compared with a revision.
func (g *Gate) factsOf(mod *merge.Module) *deny.Facts {
	if g.Since == nil {
		return nil
	}
	return deny.FactsOf(mod)
}

// deniedElsewhere lists denied items in override files that the engine of a module does not read
// and another one does. The very change under review may choose the engine, or nobody may.
func (g *Gate) deniedElsewhere(mod *merge.Module, want *policy.Policy) []check.Finding {
	unread := map[string]bool{}
	for _, e := range mod.Source.Names {
		if e.Role == source.Override && g.isReadElsewhere(e) && want.DeniedIn(e.Name).Len() > 0 {
			unread[e.Name] = true
		}
	}
	if len(unread) == 0 {
		return nil
	}
	other, err := g.ws.ReadAgain(mod.Source, otherReader(mod.Source.Engine), nil)
	if err != nil {
		return nil // an unreadable file is a finding already
	}
	found := slices.DeleteFunc(deny.Items(other.Module, want.DeniedIn, g.factsOf(other.Module)), func(f check.Finding) bool {
		return !unread[f.Range.Filename]
	})
	for i := range found {
		found[i].Item = nil // a history of another module
	}
	return found
}

// isReadElsewhere reports whether another engine would read an unread file, and the user did not
// choose the engine.
func (g *Gate) isReadElsewhere(e load.DirEntry) bool {
	return (e.Status == load.Shadowed || e.Status == load.Foreign) && !g.ws.IsEngineGiven()
}

// otherReader is the newest release known that reads files with other names than an
// engine does.
func otherReader(e engine.Release) engine.Release {
	for _, product := range engine.Products() {
		if other := product.Newest(); other.ReadsTofuFiles() != e.ReadsTofuFiles() {
			return other
		}
	}
	return e
}

// The treatment of comments that switch rules off. They may be part of the change under review, so
// all their effects are visible: silenced findings are in the report, comments that silence nothing
// are findings, and so are comments that the revision of --since does not have.

// ignores are the comments of a module, and the silenced findings.
type ignores struct {
	comments *check.Comments // nil if they must be ignored
	Silenced []check.Finding
}

// withNewIgnores adds to the findings of a module its comments that did not exist at the revision
// of --since.
func (g *Gate) withNewIgnores(in *Inspection, want *policy.Policy) ([]check.Finding, error) {
	if g.Since == nil || in.Ignores.comments == nil || in.Ignores.comments.Len() == 0 {
		return in.Found, nil
	}
	past, err := g.ws.Past(in.Subject.Dir, *g.Since)
	if err != nil || past.Now == "" && past.From != nil && in.Module.Source.IsSameAs(past.From, in.Options.MaxFileSize) {
		return in.Found, err
	}
	was := &check.Comments{}
	if past.From != nil {
		then, err := workspace.LoadFrom(in.Module.Source.Dir, past, in.Options)
		if err != nil {
			return nil, err
		}
		was = check.CommentsOf(then.Module.Source)
	}
	added := in.Ignores.comments.Added(in.Module, was, diag.Escape(g.Since.String()))
	for _, f := range added {
		if by := want.LeftOutBy(f); by != "" {
			in.leftOut[by] = append(in.leftOut[by], f)
		}
	}
	added = slices.DeleteFunc(added, func(f check.Finding) bool { return !want.Wants(f) })
	return append(check.WithoutUnused(in.Found, added), added...), nil
}
