// Package fix makes edits of files that resolve findings of check.
//
// Given a merged module and a finding, it returns a fix, or the reason why there is none: items
// without effect, and those that repeat or are superseded, are removed with the comments that
// belong to them; keys and arguments that a replacement drops are copied verbatim from the replaced
// file; comments that name override files are corrected. Several fixes together make the edits of a
// file.
//
// The package does not judge the result: the caller who applies edits merges the module again, and
// checks with Same or Repeated whether it is unchanged. It changes nothing but comments in primary
// files.
package fix

import (
	"bytes"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// A Fix does away with a finding.
type Fix struct {
	Finding check.Finding
	// IsSecret is set if the fix repeats a value that must not be shown.
	IsSecret bool

	removed []source.Item
	inserts []insertion
	marked  *source.Block // whose comments it corrects
}

// Marks reports whether the fix corrects comments that name override files.
func (x *Fix) Marks() bool { return x.marked != nil }

// Repeats reports whether the fix repeats dropped parts.
func (x *Fix) Repeats() bool { return len(x.inserts) > 0 }

// An insertion puts text into a file.
type insertion struct {
	file *source.File
	textedit.Edit
}

// A remedy is the treatment of a rule's findings.
type remedy struct {
	do      func(*Fixer, check.Finding) (*Fix, string)
	repeats bool
	marks   bool // corrects comments of primary files
	// isOffered is set if the finding may be intended, so that people decide.
	isOffered bool
}

var remedies = map[string]remedy{
	"no-effect":                     {do: (*Fixer).removal},
	"equivalent-override":           {do: (*Fixer).removal},
	"superseded-override":           {do: (*Fixer).removal},
	"map-replace-drops-keys":        {do: (*Fixer).keys, repeats: true},
	"block-replace-drops-arguments": {do: (*Fixer).arguments, repeats: true},
	"block-replace-drops-blocks":    {do: (*Fixer).blocks, repeats: true, isOffered: true},
	"unmarked-override":             {do: (*Fixer).comments, marks: true},
}

// IsFixable reports whether there is a remedy for findings of a rule.
func IsFixable(r *check.Rule) bool { return remedies[r.ID].do != nil }

// IsRepeated reports whether the remedy is to repeat dropped parts.
func IsRepeated(r *check.Rule) bool { return remedies[r.ID].repeats }

// IsOffered reports whether the remedy is for people to apply: who dropped a block may have
// meant to.
func IsOffered(r *check.Rule) bool { return remedies[r.ID].isOffered }

// A Fixer makes fixes of a module, all trees of whose override files have been loaded.
type Fixer struct {
	module *merge.Module
	json   map[*source.File]*document
	last   *repetition                        // of the last finding's argument: there may be many about one
	open   map[*merge.MergedItem]items        // items that drop parts of replaced ones: those, computed on demand
	marks  map[*source.Block][]check.Override // computed on demand
}

// New returns a fixer for a module in which something was found.
func New(m *merge.Module, found []check.Finding) *Fixer {
	x := &Fixer{module: m, json: map[*source.File]*document{}, open: map[*merge.MergedItem]items{}}
	for _, f := range found {
		if f.Item != nil && IsRepeated(f.Rule) {
			x.open[f.Item] = nil
		}
	}
	return x
}

// Of returns the fix for a finding, or why there is none: a few words for people. Both are empty
// for a finding of a rule without a remedy.
func (x *Fixer) Of(f check.Finding) (made *Fix, why string) {
	r := remedies[f.Rule.ID]
	if r.do == nil || f.IsRefusal() || f.More > 0 {
		return nil, ""
	}
	if why := r.whyKept(x.module.Source.File(f.Range.Filename)); why != "" {
		return nil, why
	}
	for _, it := range f.Also {
		if why := r.whyKept(it.Source()); why != "" {
			return nil, why
		}
	}
	return r.do(x, f)
}

// whyKept explains why a file is not edited; empty for one that is.
func (r remedy) whyKept(f *source.File) (why string) {
	switch {
	case f == nil || f.Role != source.Override && !r.marks:
		return "it is not in an override file"
	case f.Overlay:
		return "the file of --overlay stays as it is"
	case f.Outside:
		return "a link points to the file"
	}
	return ""
}

// comments corrects the comments above the block of a finding.
func (x *Fixer) comments(f check.Finding) (*Fix, string) {
	b, isBlock := load.ItemAt(x.module.Source, f.Range).(*source.Block)
	if !isBlock {
		return nil, ""
	}
	return &Fix{Finding: f, marked: b}, ""
}

// removal removes the item of a finding. Of an override that repeats a value it also removes the other
// overrides of the name in the same blocks, which came together with it.
func (x *Fixer) removal(f check.Finding) (*Fix, string) {
	it := load.ItemAt(x.module.Source, f.Range)
	switch {
	case it == nil:
		return nil, "there is nothing to remove"
	case f.Item != nil && f.Item.Rule.TofuOnly && !it.Source().Tofu:
		return nil, "other engines and releases heed it"
	case f.Rule.ID == "superseded-override" && slices.ContainsFunc(append([]source.Item{it}, f.Also...), func(it source.Item) bool { return x.isNeeded(it, f.Item) }):
		return nil, "repeat first what " + diag.Place(source.Where(f.Item.Live[0])) + " drops of it"
	}
	made := &Fix{Finding: f, removed: append([]source.Item{it}, f.Also...)}
	if f.Rule.ID != "equivalent-override" || f.Item == nil {
		return made, ""
	}
	gone, removed := map[*source.Block]bool{}, items{}
	for _, it := range made.removed {
		gone[merge.Holder(it)], removed[it] = true, true
	}
	for _, o := range f.Item.Outcomes() {
		if source.IsOverride(o.Item) && gone[merge.Holder(o.Item)] && !removed[o.Item] {
			removed[o.Item] = true
			made.removed = append(made.removed, o.Item)
		}
	}
	return made, ""
}

// isNeeded reports whether the contents of an item must be repeated before the item can be removed:
// another item replaced it and drops them, which is a finding with a fix of its own.
func (x *Fixer) isNeeded(it source.Item, e *merge.MergedItem) bool {
	needed, isOpen := x.open[e]
	if isOpen && needed == nil {
		needed = x.neededIn(e)
		x.open[e] = needed
	}
	return needed[it]
}

// neededIn returns the replaced items with parts that the replacements drop.
func (x *Fixer) neededIn(e *merge.MergedItem) items {
	needed := items{}
	if !e.InEffect() {
		return needed
	}
	if a := e.Attr(); a != nil {
		for _, lost := range values.LostBy(x.module.Source, a, e.Losers(a)) {
			needed[lost.Of] = true
		}
		return needed
	}
	replacing, lack := values.NewReplacing(x.module.Source, e.Live), values.NewLack(x.module.Source, e.Live)
	for _, layer := range e.Layers(e.Live[0]) {
		_, isLost := replacing.Lost(layer)
		isLost = isLost || len(lack.Of(layer)) > 0
		for _, it := range layer {
			needed[it] = isLost
		}
	}
	return needed
}

// Edits returns the edits that make some fixes, by the name of the file. They are edits of
// File.Raw.
func (x *Fixer) Edits(fixes []*Fix) map[string][]textedit.Edit {
	removed, edits := map[*source.File]items{}, map[string][]textedit.Edit{}
	marked := map[*source.Block]bool{} // several findings may be about one block
	for _, made := range fixes {
		if b := made.marked; b != nil && !marked[b] {
			marked[b] = true
			edits[b.File.Name] = append(edits[b.File.Name], check.CorrectNotice(b, x.overrides()[b]).Edits...)
		}
		for _, it := range made.removed {
			src := it.Source()
			if removed[src] == nil {
				removed[src] = items{}
			}
			removed[src][it] = true
		}
		for _, in := range made.inserts {
			edits[in.file.Name] = append(edits[in.file.Name], in.Edit)
		}
	}
	for src, gone := range removed {
		if src.Syntax == source.JSON {
			edits[src.Name] = append(edits[src.Name], x.document(src).without(gone)...)
			continue
		}
		edits[src.Name] = append(edits[src.Name], without(src, gone)...)
	}
	for _, list := range edits {
		slices.SortStableFunc(list, func(a, b textedit.Edit) int { return a.Start - b.Start })
	}
	return edits
}

// overrides returns the winning overrides in blocks of primary files.
func (x *Fixer) overrides() map[*source.Block][]check.Override {
	if x.marks == nil {
		x.marks = check.OverridesByBlock(x.module)
	}
	return x.marks
}

// items are a set of items.
type items map[source.Item]bool

// Same reports whether two modules mean the same to the engine.
func Same(before, after *merge.Module) bool { return compare.SameMeaning(before, after, nil) }

// Repeated reports whether fixes changed a module in only one way: the parts that overrides dropped
// from the fixes' subjects are back, as in the replaced layer.
func Repeated(before, after *merge.Module, fixes []*Fix) bool {
	subjects := map[address.Address]bool{} // without indexes
	for _, x := range fixes {
		subjects[x.Finding.Address.Kind()] = true
	}
	isCovered := func(own address.Address) bool {
		for at := own.Kind(); !at.IsEmpty(); at = at.Parent() {
			if subjects[at] {
				return true
			}
		}
		return false
	}
	return changes.Restored(before, after, isCovered) && compare.SameMeaning(before, after, isCovered)
}

// Items are removed from native files with the comments directly above them and behind them, and a
// blank line if two would meet. An emptied block is removed, too.

// without returns the edits that remove items from a native file.
func without(f *source.File, gone items) (edits []textedit.Edit) {
	bodies := collapse(gone)
	for b := range bodies {
		edits = append(edits, runsIn(f, b, bodies[b])...)
	}
	return edits
}

// collapse groups items to remove by the block around them, nil for the top level. A block that would hold
// nothing any more, not even a comment, is removed itself in place of its contents.
func collapse(gone items) map[*source.Block]items {
	bodies := map[*source.Block]items{}
	var add func(it source.Item)
	add = func(it source.Item) {
		b := it.Within()
		if bodies[b] == nil {
			bodies[b] = items{}
		}
		bodies[b][it] = true
		if b != nil && len(bodies[b]) == len(b.Items()) && !hasFreeComments(b) {
			add(b)
		}
	}
	for it := range gone {
		add(it)
	}
	for b := range bodies {
		for around := b; around != nil; around = around.Within() {
			if bodies[around.Within()][around] {
				delete(bodies, b)
			}
		}
	}
	return bodies
}

// hasFreeComments reports whether a block holds comments that belong to no item.
func hasFreeComments(b *source.Block) bool {
	at := b.OpenBrace().End.Byte
	for _, around := range source.AllTrivia(b) {
		if len(parse.CommentsBetween(b.File.Native, at, around.Lead)) > 0 {
			return true
		}
		at = around.End
	}
	return len(parse.CommentsBetween(b.File.Native, at, b.CloseBrace().Start.Byte)) > 0
}

// siblings returns the items of a body, or the blocks of a file if there is no body, and their
// surroundings.
func siblings(f *source.File, b *source.Block) ([]source.Item, []source.Trivia) {
	if b != nil {
		return b.Items(), source.AllTrivia(b)
	}
	var list []source.Item
	var around []source.Trivia
	for i := range f.Len() {
		list = append(list, f.Block(i))
		around = append(around, source.TriviaOf(f.Block(i)))
	}
	return list, around
}

// runsIn returns the edits that remove items of one body, one edit for items that follow each other.
func runsIn(f *source.File, b *source.Block, gone items) (edits []textedit.Edit) {
	list, around := siblings(f, b)
	for i := 0; i < len(list); i++ {
		if !gone[list[i]] {
			continue
		}
		last := i
		for last+1 < len(list) && gone[list[last+1]] && len(parse.CommentsBetween(f.Native, around[last].End, around[last+1].Lead)) == 0 {
			last++
		}
		edits = append(edits, removeLines(f, b, around[i].Lead, around[last].End))
		i = last
	}
	return edits
}

// removeLines removes whole lines, and one of the blank lines around them if two would meet, or one a
// brace or an end of the file. In a line with a brace of the block it removes only the stretch.
func removeLines(f *source.File, b *source.Block, from, to int) textedit.Edit {
	src := f.Native
	if b != nil && sharesLine(b, from, to) {
		return textedit.Replace(from, to, "")
	}
	first, last := 0, len(src)
	if b != nil {
		first, last = textedit.AfterLine(src, b.OpenBrace().Start.Byte), textedit.LineStart(src, b.CloseBrace().Start.Byte)
	}
	start, end := textedit.TextStart(src, from), textedit.AfterLine(src, to)
	opens, closes := len(bytes.TrimSpace(src[min(first, start):start])) == 0, len(bytes.TrimSpace(src[end:max(end, last)])) == 0
	before, after := textedit.IsBlankBefore(src, start), textedit.IsBlankLine(src, end)
	switch {
	case after && (before || opens):
		end = textedit.AfterLine(src, end)
	case before && closes:
		start = textedit.LineStart(src, start-1)
	}
	return textedit.Replace(start, end, "")
}

// sharesLine reports whether a stretch of a block shares a line with one of its braces.
func sharesLine(b *source.Block, from, to int) bool {
	src := b.File.Native
	return textedit.LineStart(src, from) <= b.OpenBrace().Start.Byte || textedit.AfterLine(src, to) > b.CloseBrace().Start.Byte
}
