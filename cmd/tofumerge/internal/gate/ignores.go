package gate

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
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

// A sieve collects the wanted findings of a module, and separately those that comments silence.
type sieve struct {
	mod            *merge.Module
	want           *policy.Policy
	comments       *check.Comments // nil if they must be ignored
	errors         check.Errors
	left, silenced check.List
}

// sieve is the sieve for the findings of a module. A short one keeps the listed findings, and only
// totals of the others.
func (g *Gate) sieve(mod *merge.Module, want *policy.Policy, isShort bool) *sieve {
	s := &sieve{mod: mod, want: want, left: check.List{IsShort: isShort}, silenced: check.List{IsShort: isShort}}
	if !g.ws.NoIgnore {
		s.comments = check.CommentsOf(mod.Source)
	}
	return s
}

func (s *sieve) take(f check.Finding) {
	s.errors.Note(&f)
	switch {
	case !s.want.Wants(f):
	case s.comments != nil && s.comments.Silence(&f):
		s.silenced.Add(f)
	default:
		s.left.Add(f)
	}
}

// takeAbout adds the findings about comments, after all others are found.
func (s *sieve) takeAbout(g *Gate) {
	if s.comments == nil {
		return
	}
	about := s.comments.Misnamed(s.mod)
	if len(g.ws.Overlays)+len(g.ws.Excluded) == 0 { // else the comments were written for another module
		about = append(about, s.comments.Unused(s.mod, s.errors, func(r *check.Rule) bool {
			return s.want.Wants(check.Finding{Rule: r, Severity: r.Severity})
		})...)
	}
	for _, f := range about {
		if s.want.Wants(f) {
			s.left.Add(f)
		}
	}
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
		l, err := workspace.LoadFrom(in.Module.Source.Dir, past, in.Options)
		if err != nil {
			return nil, err
		}
		was = check.CommentsOf(l.Source)
	}
	added := in.Ignores.comments.Added(in.Module, was, diag.Escape(g.Since.String()))
	added = slices.DeleteFunc(added, func(f check.Finding) bool { return !want.Wants(f) })
	return append(check.WithoutUnused(in.Found, added), added...), nil
}
