package gate

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
)

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
