package gate

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/fix"
)

// Fixes for the language server, proved in the same way as for check --fix.

// whyGone explains why a finding that the module no longer has isn't fixed.
const whyGone = "the module has changed since the action was listed"

// FixOne fixes one finding of a module that is open in an editor. It returns the new contents
// of the files that change, or the reason why none does.
func (g *Gate) FixOne(
	ctx context.Context, dir string, open map[string][]byte, is func(check.Finding) bool,
) (contents map[string][]byte, why string, err error) {
	in, err := g.Inspect(&workspace.Subject{Dir: dir}, open)
	if err != nil || in.Module == nil {
		return nil, whyGone, err
	}
	i := slices.IndexFunc(in.Found, is)
	switch {
	case slices.ContainsFunc(in.Found, func(f check.Finding) bool { return f.IsRefusal() }):
		return nil, whyRefused, nil
	case i < 0:
		return nil, whyGone, nil
	}
	fixer := fix.New(in.Module, in.Found)
	made, why := fixer.Of(in.Found[i])
	if made == nil {
		return nil, why, nil
	}
	p := g.offeredProof(ctx, in, open)
	t := &trial{fixProof: p, in: in, fixer: fixer, contents: open, most: p.most}
	t.take([]*fix.Fix{made})
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case len(t.taken) == 0:
		return nil, p.unfixed[0].why, nil
	}
	return changedIn(in, t.contentsWith(t.taken)), "", nil
}

// FixAll fixes the findings that are wanted of a module that is open in an editor, and returns
// the new contents of the files that change.
func (g *Gate) FixAll(ctx context.Context, dir string, open map[string][]byte, wants func(check.Finding) bool) (map[string][]byte, error) {
	in, err := g.Inspect(&workspace.Subject{Dir: dir}, open)
	if err != nil || in.Module == nil {
		return nil, err
	}
	p := g.offeredProof(ctx, in, open)
	p.wants = wants
	contents, _ := p.rounds()
	return changedIn(in, contents), ctx.Err()
}

// offeredProof proves fixes for an editor, whose user waits: it tries fewer merges than check
// --fix, and stops when ctx is done.
func (g *Gate) offeredProof(ctx context.Context, in *Inspection, open map[string][]byte) *fixProof {
	return &fixProof{
		Gate: g, in: in, open: open, most: maxMergesToOffer,
		isOver: func() bool { return ctx.Err() != nil },
	}
}

// changedIn returns those contents that differ from the module's files; nil if none does.
func changedIn(in *Inspection, contents map[string][]byte) map[string][]byte {
	changed := maps.Clone(contents)
	maps.DeleteFunc(changed, func(name string, text []byte) bool {
		f := in.Module.Source.File(name)
		return f == nil || bytes.Equal(f.Raw, text)
	})
	if len(changed) == 0 {
		return nil
	}
	return changed
}
