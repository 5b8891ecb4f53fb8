package feature

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// CodeLenses returns lines above the top-level blocks of a file. In a primary file they show how many
// overrides the block has, in an override file which blocks it overrides. Both are links if the
// client or the server can run the command ShowOverrides.
func CodeLenses(v *view.View, c *Client, name string) []protocol.CodeLens {
	if indexOf(v) == nil {
		return nil
	}
	f := v.Merged.Source.File(name)
	if f == nil {
		return nil
	}
	var lenses []protocol.CodeLens
	for i := range f.Len() {
		if !f.IsAddressed(i) {
			continue
		}
		b := f.Block(i)
		title, places := overridesOf(v, b)
		if source.IsOverride(b) {
			title, places = overriddenBlocks(v, b)
		}
		if len(places) == 0 { // no override touches it, or it overrides nothing
			continue
		}
		at := v.Location(b)
		lenses = append(lenses, protocol.CodeLens{
			Range:   at.Range,
			Command: c.command(title, ShowOverrides, at.URI, at.Range.Start, places),
		})
	}
	return lenses
}

// maxPlaces is the maximum number of locations of a lens.
const maxPlaces = 200

// overridesOf words what each override file changes in a block of a primary file, or only how many overrides the
// block has: if the engine refuses the module, or the user hides counts. It also returns where the overrides are.
func overridesOf(v *view.View, b *source.Block) (string, []protocol.Location) {
	list := overridesIn(v)[b]
	var by []source.Item // the overrides
	for _, o := range list {
		by = append(by, o.By)
	}
	// A refused module has no changes to word, so the title is only the number.
	title := wording.Count(len(list), "override")
	if !v.Diags.HasErrors() && !v.Detail.HidesCounts && len(list) > 0 {
		var files []string
		for _, it := range by {
			if name := it.Source().Name; !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
		title = shownChangesOf(v).summary(b, files)
	}
	return title, placesOf(v, by)
}

// placesOf returns the locations of the first maxPlaces items, each once.
func placesOf(v *view.View, items []source.Item) (places []protocol.Location) {
	known := map[protocol.Location]bool{}
	for _, it := range items[:min(len(items), maxPlaces)] {
		if at := v.Location(it); !known[at] {
			known[at] = true
			places = append(places, at)
		}
	}
	return places
}

// overriddenBlocks words which blocks of primary files a block of an override file overrides, and returns where they
// are; no places if there are none.
func overriddenBlocks(v *view.View, b *source.Block) (string, []protocol.Location) {
	// Collect, each once, the blocks in the histories of the items in b.
	var bases []source.Item
	known := map[source.Item]bool{}
	seen := map[*merge.MergedItem]bool{} // one history may have very many items
	x, all := indexOf(v), basesByName(v)
	eachIn(b, func(it source.Item) {
		e := x.entries[it].merged
		if e == nil || seen[e] {
			return
		}
		seen[e] = true
		for _, top := range all[e] {
			if !known[top] {
				known[top] = true
				bases = append(bases, top)
			}
		}
	})
	// If nothing in b overrides anything, b only adds to the block of its own name. If there are several, as of
	// locals, it adds to none in particular.
	if own := all[x.entries[b].merged]; len(bases) == 0 && len(own) == 1 {
		bases = own
	}
	return "overrides " + wording.Some(wording.PlacesOf(bases), ", "), placesOf(v, bases)
}

// basesByName returns basesOf for the history of each name, computed once: very many items may share a history.
var basesByName = view.Cached(func(v *view.View) map[*merge.MergedItem][]source.Item {
	all := map[*merge.MergedItem][]source.Item{}
	for _, e := range indexOf(v).entries {
		if _, known := all[e.merged]; !known {
			all[e.merged] = basesOf(e.merged)
		}
	}
	return all
})

// basesOf returns the top-level blocks of primary files that have an item in a history, each once.
func basesOf(e *merge.MergedItem) (bases []source.Item) {
	known := map[*source.Block]bool{}
	for _, s := range e.Steps {
		if s.Item == nil || source.IsOverride(s.Item) {
			continue
		}
		if top := source.Top(s.Item); !known[top] {
			known[top] = true
			bases = append(bases, top)
		}
	}
	return bases
}

// eachIn visits the items in a block, at any depth.
func eachIn(b *source.Block, visit func(source.Item)) {
	for _, it := range b.Items() {
		visit(it)
		if inner, ok := it.(*source.Block); ok {
			eachIn(inner, visit)
		}
	}
}
