package gate

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// What check makes of comments that switch rules off. They may come with the change that is
// judged, so nothing that they do is unseen: what they silence is in the report, those that
// silence nothing are findings, and so are those that the revision of --since does not have.

// ignores are the comments of a module, and what they silence.
type ignores struct {
	comments *check.Comments // nil where they are not to count
	Silenced []check.Finding
}

// silence takes out of what was found in a module what nobody wants and what comments
// silence, and adds what is to be said of the comments.
func (g *Gate) silence(mod *merge.Module, found []check.Finding, want *policy.Policy) ([]check.Finding, ignores) {
	unwanted := func(f check.Finding) bool { return !want.Wants(f) }
	if g.ws.NoIgnore {
		return slices.DeleteFunc(found, unwanted), ignores{}
	}
	errors := check.ErrorsIn(found)
	found = slices.DeleteFunc(found, unwanted)
	by := ignores{comments: check.CommentsOf(mod.Source)}
	found, by.Silenced = by.comments.Silence(found)
	about := by.comments.Misnamed(mod)
	if len(g.ws.Overlays)+len(g.ws.Excluded) == 0 { // else the module is not what the comments are for
		about = append(about, by.comments.Unused(mod, errors, func(r *check.Rule) bool {
			return want.Wants(check.Finding{Rule: r, Severity: r.Severity})
		})...)
	}
	check.Sort(mod, by.Silenced)
	return append(found, slices.DeleteFunc(about, unwanted)...), by
}

// withNewIgnores adds to what was found in a module the comments that it does not have at the
// revision of --since.
func (g *Gate) withNewIgnores(in *Inspection, want *policy.Policy) ([]check.Finding, error) {
	if g.Since == "" || in.Ignores.comments == nil || in.Ignores.comments.Len() == 0 {
		return in.Found, nil
	}
	past, err := g.ws.Past(in.Subject.Dir, workspace.Rev{Name: g.Since})
	if err != nil || past.Now == "" && past.From != nil && in.Module.Source.IsSameAs(past.From, in.Options.MaxFileSize) {
		return in.Found, err
	}
	was := &check.Comments{}
	if past.From != nil {
		l, err := workspace.LoadFrom(in.Module.Source.Dir, past, in.Options)
		if err != nil {
			return nil, err
		}
		was = check.CommentsOf(l.Source)
	}
	added := in.Ignores.comments.Added(in.Module, was, diag.Escape(g.Since))
	added = slices.DeleteFunc(added, func(f check.Finding) bool { return !want.Wants(f) })
	return append(check.WithoutUnused(in.Found, added), added...), nil
}
