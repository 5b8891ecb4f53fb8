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

	removed []source.Item // items that go
	inserts []insertion   // dropped parts that are repeated
	marked  *source.Block // the block whose comments are corrected, or nil
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
	do      func(*Fixer, check.Finding) (*Fix, string) // makes the fix, or says why there is none
	repeats bool                                       // repeats dropped parts
	marks   bool                                       // corrects comments of primary files
	// isOffered is set if the finding may be intended, so that people decide.
	isOffered bool
}

var remedies = map[string]remedy{
	"no-effect":                     {do: (*Fixer).removeOverride},
	"equivalent-override":           {do: (*Fixer).removeOverride},
	"superseded-override":           {do: (*Fixer).removeOverride},
	"map-replace-drops-keys":        {do: (*Fixer).repeatKeys, repeats: true},
	"block-replace-drops-arguments": {do: (*Fixer).repeatArguments, repeats: true},
	"block-replace-drops-blocks":    {do: (*Fixer).repeatBlocks, repeats: true, isOffered: true},
	"unmarked-override":             {do: (*Fixer).correctComments, marks: true},
}

// IsFixable reports whether there is a remedy for findings of a rule.
func IsFixable(r *check.Rule) bool { return remedies[r.ID].do != nil }

// IsRepeated reports whether the fix for findings of a rule repeats dropped parts.
func IsRepeated(r *check.Rule) bool { return remedies[r.ID].repeats }

// IsOffered reports whether the fix for findings of a rule is only offered to people, and never applied unasked: the
// author may have dropped a block on purpose.
func IsOffered(r *check.Rule) bool { return remedies[r.ID].isOffered }

// A Fixer makes fixes of a module, all trees of whose override files have been loaded.
type Fixer struct {
	module *merge.Module
	json   map[*source.File]*document
	last   *repetition                        // of the last finding's argument: many findings may be about one
	lossy  map[*merge.MergedItem]items        // per item that drops parts of replaced ones: the latter; nil until needed
	marks  map[*source.Block][]check.Override // see overrides; nil until needed
}

// New returns a fixer for a module in which something was found.
func New(m *merge.Module, found []check.Finding) *Fixer {
	x := &Fixer{module: m, json: map[*source.File]*document{}, lossy: map[*merge.MergedItem]items{}}
	for _, f := range found {
		if f.Item != nil && IsRepeated(f.Rule) { // the item drops parts, which neededIn finds when it is asked
			x.lossy[f.Item] = nil
		}
	}
	return x
}

// Of returns the fix for a finding, or why there is none: a few words for people. Both are empty
// for a finding of a rule without a remedy.
func (x *Fixer) Of(f check.Finding) (fix *Fix, why string) {
	r := remedies[f.Rule.ID]
	if r.do == nil || f.IsRefusal() || f.More > 0 { // More: it stands for findings that aren't listed
		return nil, ""
	}
	// All files that the fix would edit must be editable.
	if why := r.whyNotEdited(x.module.Source.File(f.Range.Filename)); why != "" {
		return nil, why
	}
	for _, it := range f.Also {
		if why := r.whyNotEdited(it.Source()); why != "" {
			return nil, why
		}
	}
	return r.do(x, f)
}

// whyNotEdited explains why the remedy doesn't edit a file; "" if it does.
func (r remedy) whyNotEdited(f *source.File) (why string) {
	switch {
	case f == nil || f.Role != source.Override && !r.marks: // comments of primary files are corrected, too
		return "it is not in an override file"
	case f.Overlay:
		return "the file of --overlay stays as it is"
	case f.Outside:
		return "a link points to the file"
	}
	return ""
}

// correctComments returns the fix that corrects the comments above the block of a finding: they name the override
// files that change it.
func (x *Fixer) correctComments(f check.Finding) (*Fix, string) {
	b, isBlock := load.ItemAt(x.module.Source, f.Range).(*source.Block)
	if !isBlock {
		return nil, ""
	}
	return &Fix{Finding: f, marked: b}, ""
}

// removeOverride returns the fix that removes the item of a finding, or why it must stay. For an override that only
// repeats a value (equivalent-override), the fix also removes the other overrides of the item in the same blocks.
func (x *Fixer) removeOverride(f check.Finding) (*Fix, string) {
	it := load.ItemAt(x.module.Source, f.Range)
	if it == nil {
		return nil, "there is nothing to remove"
	}
	if f.Item != nil && f.Item.Rule.TofuOnly && !it.Source().Tofu {
		return nil, "other engines and releases heed it"
	}
	fix := &Fix{Finding: f, removed: append([]source.Item{it}, f.Also...)}
	isNeeded := func(it source.Item) bool { return x.isNeeded(it, f.Item) } // it has parts that the replacement drops
	if f.Rule.ID == "superseded-override" && slices.ContainsFunc(fix.removed, isNeeded) {
		return nil, "repeat first what " + diag.Place(source.Where(f.Item.Live[0])) + " drops of it"
	}
	// For equivalent-override: the other overrides of the item in the same blocks go, too.
	if f.Rule.ID != "equivalent-override" || f.Item == nil {
		return fix, ""
	}
	holders, removed := map[*source.Block]bool{}, items{}
	for _, it := range fix.removed {
		holders[merge.Holder(it)], removed[it] = true, true
	}
	for _, o := range f.Item.Outcomes() {
		if source.IsOverride(o.Item) && holders[merge.Holder(o.Item)] && !removed[o.Item] {
			removed[o.Item] = true
			fix.removed = append(fix.removed, o.Item)
		}
	}
	return fix, ""
}

// isNeeded reports whether an item of entry e must stay until parts of it are repeated: another item replaced it and
// drops these parts, which is a finding of its own, and the fix for that copies them from here.
func (x *Fixer) isNeeded(it source.Item, e *merge.MergedItem) bool {
	needed, isLossy := x.lossy[e]
	if isLossy && needed == nil {
		needed = x.neededIn(e)
		x.lossy[e] = needed
	}
	return needed[it]
}

// neededIn returns the replaced items of an entry that have keys, arguments or blocks which the replacements drop.
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
	// Blocks: of the replaced ones, a layer (those that one file or override brought together) is needed as a whole if
	// it loses blocks or parts of them.
	replacing, lack := values.NewReplacing(x.module.Source, e.Live), values.NewLack(x.module.Source, e.Live)
	for _, layer := range e.Layers(e.Live[0]) { // the blocks of all primary files, then those of each override block
		_, losesBlocks := replacing.Lost(layer)
		isNeeded := losesBlocks || len(lack.Of(layer)) > 0
		for _, it := range layer {
			needed[it] = isNeeded
		}
	}
	return needed
}

// Edits returns the edits that make some fixes, by file name and in order. They are edits of File.Raw.
func (x *Fixer) Edits(fixes []*Fix) map[string][]textedit.Edit {
	// removed holds the items to remove, by their file.
	removed, edits := map[*source.File]items{}, map[string][]textedit.Edit{}
	marked := map[*source.Block]bool{} // several findings may be about one block
	for _, fix := range fixes {
		if b := fix.marked; b != nil && !marked[b] {
			marked[b] = true
			edits[b.File.Name] = append(edits[b.File.Name], check.CorrectNotice(b, x.overrides()[b]).Edits...)
		}
		for _, it := range fix.removed {
			src := it.Source()
			if removed[src] == nil {
				removed[src] = items{}
			}
			removed[src][it] = true
		}
		for _, in := range fix.inserts {
			edits[in.file.Name] = append(edits[in.file.Name], in.Edit)
		}
	}
	// The removals of one file are made together, since they may leave a block or object empty.
	for src, gone := range removed {
		if src.Syntax == source.JSON {
			edits[src.Name] = append(edits[src.Name], x.document(src).removalEdits(gone)...)
			continue
		}
		edits[src.Name] = append(edits[src.Name], removalEdits(src, gone)...)
	}
	for _, list := range edits {
		slices.SortStableFunc(list, func(a, b textedit.Edit) int { return a.Start - b.Start })
	}
	return edits
}

// overrides returns, for each block of a primary file, the overrides in effect in it. It computes them once.
func (x *Fixer) overrides() map[*source.Block][]check.Override {
	if x.marks == nil {
		x.marks = check.OverridesByBlock(x.module)
	}
	return x.marks
}

// items are a set of items.
type items map[source.Item]bool

// Same reports whether a module means the same to the engine before and after fixes.
func Same(before, after *merge.Module) bool { return compare.SameMeaning(before, after, nil) }

// Repeated reports whether fixes changed a module in only one way: the parts that overrides dropped from the
// findings' items are back, with their values from before the override.
func Repeated(before, after *merge.Module, fixes []*Fix) bool {
	subjects := map[address.Address]bool{} // what the fixes are about; without indexes, which fixes may shift
	for _, x := range fixes {
		subjects[x.Finding.Address.Kind()] = true
	}
	// Whether a name is one of the subjects or inside one: there parts may come back, and elsewhere nothing may change.
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

// removalEdits returns the edits that remove items from a native file.
func removalEdits(f *source.File, gone items) (edits []textedit.Edit) {
	bodies := groupByBlock(gone)
	for b := range bodies {
		edits = append(edits, removeFromBody(f, b, bodies[b])...)
	}
	return edits
}

// groupByBlock groups items to remove by the block around them, nil for the top level. A block that would hold
// nothing any more, not even a comment, is removed itself in place of its contents.
func groupByBlock(gone items) map[*source.Block]items {
	bodies := map[*source.Block]items{}
	var add func(it source.Item)
	// Enters it under the block around it, and then that block if nothing is left in it.
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
	// What is inside a block that is removed goes with it. The outermost removed block keeps its entry, so the order
	// of the deletions doesn't matter.
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

// itemsOf returns the items of block b, or the top-level blocks of f if b is nil, and their trivia.
func itemsOf(f *source.File, b *source.Block) ([]source.Item, []source.Trivia) {
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

// removeFromBody returns the edits that remove items of block b, or of f's top level if b is nil. Items that follow
// each other go in one edit.
func removeFromBody(f *source.File, b *source.Block, gone items) (edits []textedit.Edit) {
	list, around := itemsOf(f, b)
	for i := 0; i < len(list); i++ {
		if !gone[list[i]] {
			continue
		}
		// The items from i through last go in one edit; a comment between two items ends the run.
		last := i
		for last+1 < len(list) && gone[list[last+1]] && len(parse.CommentsBetween(f.Native, around[last].End, around[last+1].Lead)) == 0 {
			last++
		}
		edits = append(edits, removeLines(f, b, around[i].Lead, around[last].End))
		i = last
	}
	return edits
}

// removeLines returns the edit that removes the lines from one offset to another, in block b or at the top level
// (nil). A blank line that would then meet another one, a brace or an end of the file goes, too. If what is removed
// shares a line with a brace of the block, the rest of the line stays.
func removeLines(f *source.File, b *source.Block, from, to int) textedit.Edit {
	src := f.Native
	if b != nil && sharesLine(b, from, to) {
		return textedit.Replace(from, to, "")
	}
	first, last := 0, len(src) // where the lines between those of the braces start and end
	if b != nil {
		first, last = textedit.AfterLine(src, b.OpenBrace().Start.Byte), textedit.LineStart(src, b.CloseBrace().Start.Byte)
	}
	start, end := textedit.TextStart(src, from), textedit.AfterLine(src, to) // of the lines to remove
	// Whether only blanks are before these lines, and behind them.
	isFirst := len(bytes.TrimSpace(src[first:start])) == 0
	isLast := len(bytes.TrimSpace(src[end:last])) == 0
	isBlankBefore, isBlankAfter := textedit.IsBlankBefore(src, start), textedit.IsBlankLine(src, end)
	switch {
	case isBlankAfter && (isBlankBefore || isFirst):
		end = textedit.AfterLine(src, end)
	case isBlankBefore && isLast:
		start = textedit.LineStart(src, start-1)
	}
	return textedit.Replace(start, end, "")
}

// sharesLine reports whether the stretch between two offsets in a block shares a line with one of its braces.
func sharesLine(b *source.Block, from, to int) bool {
	src := b.File.Native
	return textedit.LineStart(src, from) <= b.OpenBrace().Start.Byte || textedit.AfterLine(src, to) > b.CloseBrace().Start.Byte
}
