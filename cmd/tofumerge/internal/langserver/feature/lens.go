package feature

import (
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// CodeLenses are lines above the top-level blocks of a file. In a primary file they say
// how many arguments and nested blocks of the block override files decide on, in an
// override file which blocks the block overrides. Both lead there if the client knows how.
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
		b := f.Kept(i)
		if b == nil {
			continue
		}
		title, places := overridesOf(v, b)
		if source.IsOverride(b) {
			title, places = overriddenBy(v, b)
		}
		if len(places) == 0 {
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

// overridesOf says how many overrides a block of a primary file has, and where.
func overridesOf(v *view.View, b *source.Block) (string, []protocol.Location) {
	list := overridesIn(v)[b]
	var places []protocol.Location
	for _, o := range list {
		if at := v.Location(o.By); !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	return wording.Count(len(list), "override"), places
}

// overriddenBy says which blocks of primary files a block of an override file overrides.
func overriddenBy(v *view.View, b *source.Block) (string, []protocol.Location) {
	var bases []source.Item
	eachIn(b, func(it source.Item) {
		for _, base := range basesOf(v, it) {
			if top := source.Top(base); !slices.Contains(bases, source.Item(top)) {
				bases = append(bases, top)
			}
		}
	})
	if len(bases) == 0 {
		bases = basesOf(v, b)
	}
	var places []protocol.Location
	var words []string
	for _, base := range bases {
		places = append(places, v.Location(base))
		words = append(words, wording.Place(base))
	}
	return "overrides " + wording.Some(words, ", "), places
}

// basesOf are the items of primary files in the history that an item is in.
func basesOf(v *view.View, it source.Item) []source.Item {
	e, known := indexOf(v).entries[it]
	if !known {
		return nil
	}
	var bases []source.Item
	for _, s := range e.merged.Steps {
		if s.Item != nil && !source.IsOverride(s.Item) {
			bases = append(bases, s.Item)
		}
	}
	return bases
}

// eachIn visits the items in a block, at any depth.
func eachIn(b *source.Block, visit func(source.Item)) {
	if b.Body == nil {
		return
	}
	for _, it := range b.Body.Items {
		visit(it)
		if inner, ok := it.(*source.Block); ok {
			eachIn(inner, visit)
		}
	}
}
