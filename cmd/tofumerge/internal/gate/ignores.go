package gate

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

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
