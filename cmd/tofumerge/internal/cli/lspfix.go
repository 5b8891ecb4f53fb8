package cli

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/fix"
)

// Fixes for the language server, proved in the same way as those of check --fix.

// whyGone says why a finding that the module no longer has isn't fixed.
const whyGone = "the module has changed since the action was listed"

// fixOne fixes one finding of a module that is open in an editor. It returns the new contents
// of the files that change, or the reason why none does.
func (c *checkCommand) fixOne(
	ctx context.Context, r view.Request, of feature.FindingAt,
) (contents map[string][]byte, why string, err error) {
	in, only := c.inspect(&target{dir: r.Dir}, r.Open)
	if only != nil {
		return nil, whyGone, only.err
	}
	i := slices.IndexFunc(in.found, of.Is)
	switch {
	case slices.ContainsFunc(in.found, func(f check.Finding) bool { return f.IsRefusal() }):
		return nil, whyRefused, nil
	case i < 0:
		return nil, whyGone, nil
	}
	fixer := fix.New(in.mod, in.found)
	made, why := fixer.Of(in.found[i])
	if made == nil {
		return nil, why, nil
	}
	p := c.editorProof(ctx, in, r)
	t := &trial{fixProof: p, in: in, fixer: fixer, contents: r.Open, most: p.most}
	t.take([]*fix.Fix{made})
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case len(t.taken) == 0:
		return nil, p.unfixed[0].why, nil
	}
	return changedIn(in, t.contentsWith(t.taken)), "", nil
}

// fixFile removes everything in one file that has no effect, as feature.Fixer.FixAll asks for.
func (c *checkCommand) fixFile(ctx context.Context, r view.Request, name string) (map[string][]byte, error) {
	in, only := c.inspect(&target{dir: r.Dir}, r.Open)
	if only != nil {
		return nil, only.err
	}
	p := c.editorProof(ctx, in, r)
	p.wants = func(f check.Finding) bool { return f.Range.Filename == name && feature.IsFixedAtOnce(f) }
	contents, _ := p.rounds()
	return changedIn(in, contents), ctx.Err()
}

// editorProof proves fixes for an editor, whose user waits: it tries fewer merges than check
// --fix, and stops when ctx is done.
func (c *checkCommand) editorProof(ctx context.Context, in *inspection, r view.Request) *fixProof {
	return &fixProof{
		checkCommand: c, in: in, open: r.Open, most: maxMergesToOffer,
		isOver: func() bool { return ctx.Err() != nil },
	}
}

// changedIn returns those contents that differ from the module's files; nil if none does.
func changedIn(in *inspection, contents map[string][]byte) map[string][]byte {
	changed := maps.Clone(contents)
	maps.DeleteFunc(changed, func(name string, text []byte) bool {
		f := in.mod.Source.File(name)
		return f == nil || bytes.Equal(f.Given, text)
	})
	if len(changed) == 0 {
		return nil
	}
	return changed
}
