package feature

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// shownChanges are the changes of a module by the part of a primary file that shows them: none for
// a module that the engine refuses.
type shownChanges struct {
	inner map[string][]changes.Change        // by file: names and keys inside items that are replaced as a whole
	added map[*source.Block][]changes.Change // by the block of a primary file that overrides add to
	names map[blockInFile]changes.Counts
	whole map[*source.Block]*changes.Block // the changes that the block belongs to
}

// blockInFile is a block of a primary file, as far as one override file changes it.
type blockInFile struct {
	block *source.Block
	by    string
}

// shownChangesOf returns the changes of a view.
var shownChangesOf = view.Cached(newShownChanges)

func newShownChanges(v *view.View) *shownChanges {
	g := &shownChanges{
		inner: map[string][]changes.Change{}, added: map[*source.Block][]changes.Change{},
		names: map[blockInFile]changes.Counts{}, whole: map[*source.Block]*changes.Block{},
	}
	x := indexOf(v)
	if x == nil || v.Diags.HasErrors() {
		return g
	}
	isReplaced := replacements{}
	changes.Each(v.Merged, func(b *changes.Block) {
		if b.IsNew {
			return
		}
		bases := basesOf(b.Item)
		for _, c := range b.Changes {
			base := baseOfChange(c, bases)
			if base == nil {
				continue
			}
			g.whole[base] = b
			g.count(base, c)
			switch {
			case c.Kind() == changes.Added:
				if !c.IsInside && !c.After.IsPart && !isReplaced.of(c.Item) {
					g.added[base] = append(g.added[base], c)
				}
			case c.Before.IsPart || x.entries[c.Before.Item].merged == nil:
				name := c.Before.Place().Filename
				g.inner[name] = append(g.inner[name], c)
			}
		}
	})
	return g
}

// replacements remembers which names primary files have, too: what overrides set there is not an
// addition, and the hints of the primary items show it.
type replacements map[*merge.MergedItem]bool

func (r replacements) of(e *merge.MergedItem) bool {
	is, known := r[e]
	if !known {
		is = len(basesOf(e)) > 0
		r[e] = is
	}
	return is
}

// baseOfChange is the block of a primary file that shows a change: the block with the earlier
// value, or else the only block.
func baseOfChange(c changes.Change, bases []source.Item) *source.Block {
	if c.Before != nil && !source.IsOverride(c.Before.Item) {
		return source.Top(c.Before.Item)
	}
	if len(bases) != 1 {
		return nil
	}
	return source.Top(bases[0])
}

func (g *shownChanges) count(base *source.Block, c changes.Change) {
	in := blockInFile{base, c.By().Filename}
	if in.by == "" {
		return
	}
	counts := g.names[in]
	counts.AddOne(c.Kind())
	g.names[in] = counts
}

// maxLensFiles is how many override files a lens names.
const maxLensFiles = 2

// effects words the changes by the override files of a block: "a_override.tf: 2 changed, 1
// dropped".
func (g *shownChanges) effects(base *source.Block, files []string) string {
	var words []string
	for i, name := range files {
		if i == maxLensFiles {
			words = append(words, wording.Count(len(files)-i, "more file"))
			break
		}
		what := report.Kinds(g.names[blockInFile{base, name}], false)
		if what == "" {
			what = "changes nothing"
		}
		words = append(words, diag.Escape(name)+": "+what)
	}
	return strings.Join(words, " · ")
}

// addedNames are the names that overrides add to a block, as addresses within it.
func (g *shownChanges) addedNames(base *source.Block) (names []string, at []hcl.Range) {
	known := map[string]bool{}
	for _, c := range g.added[base] {
		name := c.Address.String()
		if within, ok := c.Address.In(g.whole[base].Address); ok {
			name = within.String()
		}
		if !known[name] {
			known[name] = true
			names, at = append(names, name), append(at, c.After.Place())
		}
	}
	return names, at
}
