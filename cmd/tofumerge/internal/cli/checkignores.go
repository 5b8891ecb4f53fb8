package cli

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
	silenced []check.Finding
}

// silence takes out of what was found in a module what nobody wants and what comments
// silence, and adds what is to be said of the comments.
func (c *checkCommand) silence(mod *merge.Module, found []check.Finding, want *policy.Policy) ([]check.Finding, ignores) {
	unwanted := func(f check.Finding) bool { return !want.Wants(f) }
	if c.NoIgnore {
		return slices.DeleteFunc(found, unwanted), ignores{}
	}
	all := slices.Clone(found)
	found = slices.DeleteFunc(found, unwanted)
	by := ignores{comments: check.CommentsOf(mod.Source)}
	found, by.silenced = by.comments.Silence(found)
	about := by.comments.Misnamed(mod)
	if len(c.Overlays)+len(c.Excluded) == 0 { // else the module is not what the comments are for
		about = append(about, by.comments.Unused(mod, all, func(r *check.Rule) bool {
			return want.Wants(check.Finding{Rule: r, Severity: r.Severity})
		})...)
	}
	check.Sort(mod, by.silenced)
	return append(found, slices.DeleteFunc(about, unwanted)...), by
}

// withNewIgnores adds to what was found in a module the comments that it does not have at the
// revision of --since.
func (c *checkCommand) withNewIgnores(in *inspection, want *policy.Policy) ([]check.Finding, error) {
	if c.since == "" || in.ignores.comments == nil || in.ignores.comments.Len() == 0 {
		return in.found, nil
	}
	past, err := c.Past(in.target.dir, workspace.Rev{Name: c.since})
	if err != nil || past.Now == "" && past.From != nil && in.mod.Source.IsSameAs(past.From, in.opts.MaxFileSize) {
		return in.found, err
	}
	was := &check.Comments{}
	if past.From != nil {
		l, err := workspace.LoadFrom(in.mod.Source.Dir, past, in.opts)
		if err != nil {
			return nil, err
		}
		was = check.CommentsOf(l.Source)
	}
	added := in.ignores.comments.Added(in.mod, was, diag.Escape(c.since))
	added = slices.DeleteFunc(added, func(f check.Finding) bool { return !want.Wants(f) })
	return append(check.WithoutUnused(in.found, added), added...), nil
}
