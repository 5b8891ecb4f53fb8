// Package extract finds the smallest override file that gives one module the meaning of an edited
// copy.
//
//	BASE                                EDITED                       override
//	resource "aws_instance" "web" {     …                            resource "aws_instance" "web" {
//	  ami  = "ami-1"                      ami  = "ami-2"               ami = "ami-2"
//	  tags = { Owner = "shop" }           tags = { Owner = "shop" }  }
//	}
//
// From two loaded modules, it derives the parts of an override file, each with the item of EDITED
// that it comes from, and a list of the differences that no override can express, with reasons.
//
// The package contains no rules. It writes the differences into an override, merges that, and
// inspects the outcome of each part: parts without effect are removed again and listed. The caller
// writes the text and loads it, so the proof is about exactly the bytes that people get.
//
// It refuses modules that the engine refuses. It touches no file.
package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Options control the override and its proof.
type Options struct {
	// Name is the file name of the override, which must come last (IsLast).
	Name string
	// NewFile, if set, is the file name of a new primary file for the blocks that BASE lacks.
	NewFile string
	// Write returns the text of a file of a name that holds some parts, and its diagnostics: with
	// errors, the text can't be used.
	Write func(name string, parts []*merge.Part) ([]byte, hcl.Diagnostics)
	// Load loads BASE together with more files.
	Load func(more map[string][]byte) (*load.Module, hcl.Diagnostics, error)
}

// A Result is an override, and the differences that it can't express.
type Result struct {
	// Override are the top-level blocks of the override file, New those of the new primary file.
	Override, New []*merge.Part
	// Texts are the texts of these files, by name; a file without blocks is not among them.
	Texts map[string][]byte
	// Expressed are the differences that the two files make up for, and Left all others.
	Expressed []compare.Difference
	Left      []*Remainder
	// Idle are differences in items that the engine ignores in every file.
	Idle []compare.Difference
	// Diags are warnings about how the files are written.
	Diags hcl.Diagnostics

	partial map[address.Address]bool // differences expressed by blocks that aren't written whole

	Base, Edited *merge.Module
	// Merged is BASE with the two files, which has been compared with EDITED.
	Merged *merge.Module
}

// A RefusedError reports that the engine refuses one of the modules, or the two together.
type RefusedError struct {
	Of    side
	Diags hcl.Diagnostics
}

// A side is one of the modules.
type side int

// The sides.
const (
	Base   side = iota
	Edited      // the edited copy
	Merged      // BASE with the files that are made
)

// Error implements error.
func (e *RefusedError) Error() string {
	return []string{"BASE", "EDITED", "BASE with the override"}[e.Of] + " has errors: " + e.Diags.Error()
}

// Find finds the override with which base means what edited means. The caller gives both modules the same
// override files (Earlier). The error is a *RefusedError, or what Load returned.
func Find(base, edited *load.Module, o Options) (*Result, error) {
	later, diags := merge.Files(edited, merge.Options{})
	if diags.HasErrors() {
		return nil, &RefusedError{Edited, diags}
	}
	earlier, own := merge.Files(base, merge.Options{})
	x := newExtraction(compare.Reading{Module: earlier, Diags: own}, compare.Reading{Module: later, Diags: diags}, o)
	// Refuse modules whose duplicate arguments a merge would silently lose.
	for i, read := range []*index{x.base, x.edited} {
		if twice := read.duplicates(); len(twice) > 0 {
			return nil, &RefusedError{Of: side(i), Diags: twice} // Base or Edited
		}
	}
	if err := x.converge(); err != nil {
		return nil, err
	}
	if err := x.shrink(); err != nil {
		return nil, err
	}
	return x.result()
}

// A part is an argument or a block of a draft, with the parts that it holds so far.
type part struct {
	merge.Part
	own  address.Address // of the difference that it expresses, or of the block
	held []*part

	isAssembled  bool // a block put together from the parts in held; partsToWrite may copy it whole
	isIdentity   bool // it is part of the block's address, as an alias is
	isDifference bool // the block itself is a difference, so it's written even if it holds nothing
	// isWithdrawn is set if the part was removed again.
	isWithdrawn bool
	rank        int // parts are sorted by it: see draft.rank; -1 comes first
}

// mergeParts returns parts, with all that they hold, in the form that writers take.
func mergeParts(list []*part) (parts []*merge.Part) {
	for _, p := range list {
		p.Held = mergeParts(p.held)
		parts = append(parts, &p.Part)
	}
	return parts
}

// A draft is a file in the making: the override file, or the new primary file.
type draft struct {
	base, edited *index
	top          []*part
	blocks       map[address.Address]*part   // the blocks that are written in part
	parts        map[address.Address][]*part // by the address of the expressed difference
}

// newDraft returns an empty draft. base and edited are the modules to compare.
func newDraft(base, edited *index) *draft {
	return &draft{base: base, edited: edited, blocks: map[address.Address]*part{}, parts: map[address.Address][]*part{}}
}

// putItems writes chosen items of e, a merged item of EDITED with the address own, into the draft. If e is a
// block that overrides merge item by item, it writes all effective items in it instead.
func (d *draft) putItems(own address.Address, e *merge.MergedItem, chosen []source.Item) {
	if e.Inner() != nil && e.Rule.Do == rules.Merge {
		d.putBlock(own, e)
		return
	}
	for _, it := range chosen {
		p := &part{Part: merge.Part{Item: it, Entry: e, IsEscaped: d.isEscaped(e)}, own: own}
		var earlier source.Item // unknown for one of several blocks, so all its comments are written
		if len(chosen) == 1 {
			earlier = d.earlierItem(own)
		}
		p.HasLead, p.HasTail = hasNewComments(it, earlier)
		d.insert(e, p)
	}
}

// putBlock writes a block that overrides merge item by item, with all effective items in it.
func (d *draft) putBlock(own address.Address, e *merge.MergedItem) {
	p := d.partialBlock(e)
	p.isDifference = !e.Rule.OmitEmpty
	d.parts[own] = append(d.parts[own], p)
	for _, inner := range e.Inner().All() {
		// Items that identify the block, such as an alias, come with partialBlock.
		if at, known := d.edited.addressOf[inner]; known && inner.InEffect() && inner.Rule.Do != rules.Identify {
			d.putItems(at, inner, inner.Live)
		}
	}
}

// putConstant writes an argument that only BASE has, with the constant that means the same as no argument,
// such as null: an override can't remove an argument.
func (d *draft) putConstant(own address.Address, e *merge.MergedItem) {
	d.insert(e, &part{Part: merge.Part{Item: e.Live[0], Void: e.Rule.Void, IsEscaped: d.isEscaped(e)}, own: own})
}

// insert adds the part p for e to the part of the block around e, which it makes if necessary. A block can't hold
// two arguments of a name. So a second required_version, which doesn't replace the first, goes into another copy of
// the terraform block.
func (d *draft) insert(e *merge.MergedItem, p *part) {
	p.rank = d.rank(p.own)
	d.parts[p.own] = append(d.parts[p.own], p)
	x := d.indexOf(e)
	around := x.holderInDraft(e)
	if around == nil {
		d.top = append(d.top, p)
		return
	}
	b := d.partialBlock(around)
	// IsApart: items of the name stand side by side, so the block may hold another one.
	if e.Rule.IsApart() && slices.ContainsFunc(b.held, func(o *part) bool { return o.own == p.own }) {
		another := *b // a copy for p alone; other items still go to the first one, which stays in d.blocks
		another.held = nil
		d.top = append(d.top, &another)
		b = &another
	}
	b.held = append(b.held, p)
}

// partialBlock returns the part of a block of which only some items are written. The first call makes it, in
// the part of the block around it, with the items that belong to its address, such as an alias. Later calls, also
// for the same block of the other module, return that part again.
func (d *draft) partialBlock(e *merge.MergedItem) *part {
	x := d.indexOf(e)
	own := x.addressOf[e]
	if known := d.blocks[own]; known != nil {
		return known
	}
	p := &part{own: own, isAssembled: true, rank: d.rank(own)}
	p.Part = merge.Part{Item: e.Live[0], Entry: e, IsPartial: true}
	p.HasLead, _ = hasNewComments(p.Item, d.earlierItem(own)) // without comments that BASE has, too
	d.blocks[own] = p
	for _, inner := range e.Inner().All() {
		if inner.Rule.Do == rules.Identify && inner.InEffect() {
			identity := merge.Part{Item: inner.Live[0], Entry: inner} // rank -1: it comes first in the block
			p.held = append(p.held, &part{Part: identity, own: x.addressOf[inner], isIdentity: true, rank: -1})
		}
	}
	if around := x.holderInDraft(e); around != nil {
		b := d.partialBlock(around)
		b.held = append(b.held, p)
	} else {
		d.top = append(d.top, p)
	}
	return p
}

// indexOf returns the index of the module that a merged item is from.
func (d *draft) indexOf(e *merge.MergedItem) *index {
	if _, isEdited := d.edited.addressOf[e]; isEdited {
		return d.edited
	}
	return d.base
}

// isEscaped reports whether a merged item must be written in an escaping block (_), because the language has
// another meaning for its name.
func (d *draft) isEscaped(e *merge.MergedItem) bool {
	around := d.indexOf(e).holder(e)
	return around != nil && around.Inner() != nil && around.Inner().NeedsEscape(e)
}

// earlierItem returns the effective item of BASE at an address, or nil.
func (d *draft) earlierItem(own address.Address) source.Item {
	if e := d.base.itemAt[own]; e != nil && e.InEffect() {
		return e.Live[0]
	}
	return nil
}

// rank returns the sort position of an address: those of BASE come in its order, then those that only EDITED
// has.
func (d *draft) rank(own address.Address) int {
	if at, known := d.base.rank[own]; known {
		return at
	}
	return len(d.base.rank) + d.edited.rank[own]
}

// withdraw removes the parts of an address and everything in them, and reports whether there were any. They
// are only marked; prune takes them out of the lists before writing.
func (d *draft) withdraw(own address.Address) bool {
	gone := d.parts[own]
	for _, p := range gone {
		d.markWithdrawn(p)
	}
	return len(gone) > 0
}

// markWithdrawn marks a part and everything in it as removed, and frees their addresses for new parts.
func (d *draft) markWithdrawn(p *part) {
	p.isWithdrawn = true
	delete(d.parts, p.own)
	delete(d.blocks, p.own)
	for _, inner := range p.held {
		d.markWithdrawn(inner)
	}
}

// prune removes withdrawn parts from list, in place, and returns what remains. It also removes assembled blocks that
// hold nothing but parts of their address, such as an alias, unless the block itself is a difference. Removed blocks
// leave d.blocks, too.
func (d *draft) prune(list []*part) []*part {
	return slices.DeleteFunc(list, func(p *part) bool {
		if p.isWithdrawn {
			return true
		}
		if !p.isAssembled {
			return false
		}
		p.held = d.prune(p.held)
		if p.isDifference || slices.ContainsFunc(p.held, func(p *part) bool { return !p.isIdentity }) {
			return false
		}
		if d.blocks[p.own] == p { // and not another copy of the block
			delete(d.blocks, p.own)
		}
		return true
	})
}

// partsToWrite prunes and sorts the draft, and returns its top-level parts. It decides which blocks are copied
// whole, with their comments, instead of being put together from parts.
func (d *draft) partsToWrite() []*part {
	d.top = d.prune(d.top)
	sortParts(d.top)
	for _, p := range d.top {
		if !p.isAssembled {
			continue
		}
		isCopied := p.isDifference && p.isComplete()
		p.IsPartial = !isCopied
		if isCopied {
			_, p.HasTail = hasNewComments(p.Item, nil)
		}
	}
	return d.top
}

// isComplete reports whether a block's part holds exactly what the block contains in its file, so that the
// block can be copied. An argument is always complete.
func (p *part) isComplete() bool {
	b, isBlock := p.Item.(*source.Block)
	if !isBlock || !p.isAssembled {
		return true
	}
	isOneOfSeveral := len(p.Entry.Live) > 1 // then the part may hold items of the others
	if isOneOfSeveral || len(p.held) != len(b.Items()) {
		return false
	}
	return !slices.ContainsFunc(p.held, func(inner *part) bool {
		hasOtherText := inner.Void != "" || inner.Entry != nil && inner.Entry.Value != nil // a constant or a computed value
		return inner.Item.Within() != b || hasOtherText || !inner.isComplete()
	})
}

// sortParts sorts parts, and the contents of each, by rank with arguments before blocks.
func sortParts(list []*part) {
	slices.SortStableFunc(list, func(a, b *part) int {
		if a.isBlock() != b.isBlock() {
			if a.isBlock() {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.rank, b.rank)
	})
	for _, p := range list {
		sortParts(p.held)
	}
}

// putNew writes the items with which primary files of EDITED define a merged item, each as a whole, for a new
// primary file.
func (d *draft) putNew(own address.Address, e *merge.MergedItem) {
	for _, s := range e.Steps {
		if s.Effect != effect.Defined || s.Item == nil {
			continue
		}
		p := &part{Part: merge.Part{Item: s.Item}, own: own}
		p.HasLead, p.HasTail = hasNewComments(s.Item, nil)
		d.insert(e, p)
	}
}

// isBlock reports whether the part is a block.
func (p *part) isBlock() bool {
	_, isBlock := p.Item.(*source.Block)
	return isBlock
}

// An index finds the merged items of a module's blocks by address and by source item. itemAt and rank have the
// first merged item of each address.
type index struct {
	module    *merge.Module
	itemAt    map[address.Address]*merge.MergedItem
	addressOf map[*merge.MergedItem]address.Address
	itemOf    map[source.Item]*merge.MergedItem
	rank      map[address.Address]int // position in the module
}

// indexOf returns the index of a module, limited to the blocks that mayDiffer chooses. i is the index of a
// block in f.
func indexOf(m *merge.Module, mayDiffer func(f *source.File, i int) bool) *index {
	x := &index{
		module:    m,
		itemAt:    map[address.Address]*merge.MergedItem{},
		addressOf: map[*merge.MergedItem]address.Address{},
		itemOf:    map[source.Item]*merge.MergedItem{},
		rank:      map[address.Address]int{},
	}
	address.WalkChosen(m, mayDiffer, (*merge.MergedBody).All, func(own address.Address, e *merge.MergedItem) {
		x.addressOf[e] = own
		if x.itemAt[own] == nil {
			x.itemAt[own] = e
			x.rank[own] = len(x.rank)
		}
		for _, s := range e.Steps {
			if s.Item != nil {
				x.itemOf[s.Item] = e
			}
		}
	})
	return x
}

// holderInDraft returns the merged item of the block in which a draft writes e: the block around e, or nil if e is at
// the top level or can be addressed there. A top-level data block in an override file also addresses one inside a
// check.
func (x *index) holderInDraft(e *merge.MergedItem) *merge.MergedItem {
	if len(e.Steps) == 0 || len(x.module.Aliases(e)) > 0 {
		return nil
	}
	return x.holder(e)
}

// holder returns the merged item of the block around e, nil at the top level.
func (x *index) holder(e *merge.MergedItem) *merge.MergedItem {
	for _, s := range e.Steps {
		if s.Item == nil {
			continue
		}
		if b := merge.Holder(s.Item); b != nil {
			return x.itemOf[b]
		}
	}
	return nil
}

// topOf returns the address of the top-level block around own. If the module lacks own, it returns own.
func (x *index) topOf(own address.Address) address.Address {
	e := x.itemAt[own]
	for e != nil {
		own = x.addressOf[e]
		e = x.holder(e)
	}
	return own
}

// canBeNull reports whether null means the same as no value for the argument e, so that an override could unset it.
// That is so for the provider's arguments of a block, not for meta-arguments. For nil or a block, the result is false.
func (x *index) canBeNull(e *merge.MergedItem) bool {
	if e == nil {
		return false
	}
	around := x.holder(e)
	return e.Attr() != nil && e.Key.Space == merge.Body && around != nil &&
		language.Of(x.module.Source.Engine).At(around.Path).TakesNull()
}

// LastName proposes a name for an override file that engines apply after all others of a directory, so that it
// wins. names are the files of the directory. ending is the name's ending, such as ".tf".
func LastName(names []string, ending string, e engine.Release) string {
	const stem = "extract_override"
	for _, name := range []string{stem + ending, "z_" + stem + ending, "zz_" + stem + ending} {
		if IsLast(name, names, e) {
			return name
		}
	}
	var last string
	for _, entry := range load.Classify(names, e) {
		if entry.Role == source.Override && entry.Status == load.Read {
			last = max(last, entry.Name)
		}
	}
	// Append a z to what precedes "_override." in the last file's name: zz_z_override.tf becomes zz_zz_override.tf.
	// The new name sorts behind the last one, because z sorts behind the underscore.
	last, _, _ = strings.Cut(last, "override.")
	return strings.TrimSuffix(last, "_") + "z_override" + ending
}

// Ending returns the ending for a native file added to a directory with the files names: .tofu if there are
// .tofu files that the engine reads, otherwise .tf.
func Ending(names []string, e engine.Release) string {
	if e.ReadsTofuFiles() && slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, ".tofu") }) {
		return ".tofu"
	}
	return ".tf"
}

// IsLast reports whether engines read name as an override file, apply it after all others among names, and
// skip none of them because of it, as they skip a.tf beside a.tofu.
func IsLast(name string, names []string, e engine.Release) bool {
	all := slices.Clone(names)
	if !slices.Contains(all, name) {
		all = append(all, name)
	}
	isRead := false
	for _, entry := range load.Classify(all, e) {
		switch {
		case entry.Name == name:
			isRead = entry.Role == source.Override && entry.Status == load.Read
		case entry.By == name: // it would be skipped
			return false
		case entry.Role == source.Override && entry.Status == load.Read && entry.Name > name: // it comes later
			return false
		}
	}
	return isRead
}

// Earlier returns the files to extract from, by name: the primary files of BASE with the override files of
// EDITED. These stay as they were edited, so only edits of primary files need an override.
func Earlier(base, edited map[string][]byte) map[string][]byte {
	files := map[string][]byte{}
	for _, side := range []struct {
		files map[string][]byte
		role  source.Role
	}{{base, source.Primary}, {edited, source.Override}} {
		for name, text := range side.files {
			if entries := load.Classify([]string{name}, engine.Default()); len(entries) == 1 && entries[0].Role == side.role {
				files[name] = text
			}
		}
	}
	return files
}

// duplicates returns errors about arguments that a block of a primary file sets both directly and in its
// escaping block (_). Engines refuse that only with the provider's schema. A merge takes the first one, so an
// edit of the other would be lost silently.
func (x *index) duplicates() (list hcl.Diagnostics) {
	for _, e := range x.itemAt {
		for i := 1; i < len(e.Steps); i++ {
			first, second := e.Steps[i-1], e.Steps[i]
			if isDuplicate(first, second) {
				list = append(list, diag.NewWith(diag.Related{Note: "set here, too", Range: first.Item.Header()}, second.Item.Header(), "Duplicate argument",
					"This block sets %s twice, and %s refuses both once it has the provider's schema. Remove one of the two.", diag.Escape(e.Key.Name), x.module.Source.Engine.Title()))
			}
		}
	}
	slices.SortFunc(list, func(a, b *hcl.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Subject.Filename, b.Subject.Filename), cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte))
	})
	return list
}

// isDuplicate reports whether two steps of one name are by one block of a primary file, which sets the
// argument directly and in its escaping block. merge.Holder is that block for both, and no other way leads to two
// settings in one block.
func isDuplicate(first, second merge.Step) bool {
	if first.Effect != effect.Defined || second.Effect != effect.Defined || first.Item == nil || second.Item == nil {
		return false
	}
	_, isAttr := second.Item.(*source.Attr)
	around := merge.Holder(second.Item)
	return isAttr && around != nil && around == merge.Holder(first.Item)
}

// hasNewComments reports whether an item has comments above it (lead) or behind it (tail) that differ from
// those of the earlier item. Such comments explain the edit, so they are written, too. The others are in BASE
// already. Without an earlier item, which is nil, all are new.
func hasNewComments(it, earlier source.Item) (lead, tail bool) {
	above, behind := commentsOf(it)
	var wasAbove, wasBehind []string
	if earlier != nil {
		wasAbove, wasBehind = commentsOf(earlier)
	}
	return len(above) > 0 && !slices.Equal(above, wasAbove), len(behind) > 0 && !slices.Equal(behind, wasBehind)
}

// commentsOf returns the texts of the comments around an item: those above it or before it on its line, and
// those behind it.
func commentsOf(it source.Item) (above, behind []string) {
	around, at, src := source.TriviaOf(it), it.Extent(), it.Source().Native
	if around.Lead < at.Start.Byte {
		above = parse.CommentTexts(src[around.Lead:at.Start.Byte])
	}
	if around.End > at.End.Byte {
		behind = parse.CommentTexts(src[at.End.Byte:around.End])
	}
	return above, behind
}
