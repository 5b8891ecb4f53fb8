package extract

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
)

// An edit that the override makes up for can be taken back in the primary file, so that the file
// equals BASE's again. This is decided line by line, and only text that the override contains,
// including every comment, is removed from the file.

// A hunk is lines of a primary file in which EDITED differs from BASE.
type hunk struct {
	// From and To are the lines in EDITED, starting at 0; To is behind the last one.
	From, To int
	IsBack   bool     // it is taken back
	Why      obstacle // noObstacle if it is
	// Address is the object that stays, if that is the reason.
	Address address.Address

	base, edited span // in bytes
	isItem       bool // its lines are exactly those of one expressed item, see splitHunk
}

// An obstacle is why lines stay as they were edited.
type obstacle int

// The reasons.
const (
	noObstacle         obstacle = iota
	layoutOnly                  // nothing in them but layout and comments differs
	OutOfEffect                 // they change no effective value
	holdsInexpressible          // they hold something that no override can express
	besideOverride              // they hold something besides: comments, or lines that were moved
)

// A Restoration is a primary file of EDITED in which edits are taken back.
type Restoration struct {
	Name  string
	Text  []byte // of the file with the edits taken back
	Hunks []hunk // in order, also those that stay
}

// TakeBack returns the primary files that both BASE and EDITED have and that differ, in load order, with the
// edits undone that the override expresses. With the override they mean what EDITED does; the caller who
// writes the files proves that once more (Prove).
func (r *Result) TakeBack() (list []*Restoration) {
	// The override is in JSON.
	isJSON := slices.ContainsFunc(slices.Collect(maps.Keys(r.Texts)), func(name string) bool { return strings.HasSuffix(name, ".json") })
	mayDiffer := compare.MayBeEdited(r.Base.Source, r.Edited.Source)
	for _, f := range r.Edited.Source.Files {
		was := r.Base.Source.File(f.Name)
		if f.Role != source.Primary || was == nil || bytes.Equal(was.Raw, f.Raw) {
			continue
		}
		t := &takeback{Result: r, isJSON: isJSON, mayDiffer: mayDiffer, group: map[address.Address]address.Address{}, stays: map[address.Address]bool{}}
		t.base, t.edited = t.itemPlacesIn(was, Base), t.itemPlacesIn(f, Edited)
		list = append(list, t.restore(was, f))
	}
	return list
}

// A takeback decides which hunks of one file are taken back. Addresses in one group are taken back together,
// or not at all.
type takeback struct {
	*Result
	isJSON       bool // the override can't have comments
	mayDiffer    func(f *source.File, i int) bool
	base, edited itemPlaces
	group        map[address.Address]address.Address // a union-find forest: each address leads to the root of its group
	stays        map[address.Address]bool            // addresses whose edits stay in the file
}

// bind puts two addresses, with their groups, into one group.
func (t *takeback) bind(a, b address.Address) {
	rootA, rootB := t.root(a), t.root(b)
	if rootA != rootB {
		t.group[rootA] = rootB
	}
}

// root returns the address that represents the group of own. It halves the path to it, so that later calls are
// fast.
func (t *takeback) root(own address.Address) address.Address {
	for {
		next, isBound := t.group[own]
		if !isBound {
			return own
		}
		if after, more := t.group[next]; more {
			t.group[own] = after
		}
		own = next
	}
}

// restore returns the text of one file with the edits undone that can be undone, and all hunks: which are taken back,
// and why the others aren't. was is the file in BASE, is that in EDITED.
func (t *takeback) restore(was, is *source.File) *Restoration {
	r := &Restoration{Name: is.Name}
	shift := 0            // from an offset in was to that in is, behind the hunks so far
	line, counted := 0, 0 // the lines of is before the offset counted
	for _, e := range ChangedLines(was.Raw, is.Raw) {
		h := hunk{base: span{e.Start, e.End}, edited: span{e.Start + shift, e.Start + shift + len(e.New)}}
		shift += len(e.New) - (e.End - e.Start)
		line += bytes.Count(is.Raw[counted:h.edited.from], []byte("\n"))
		counted = h.edited.from
		h.From, h.To = line, line+linesIn([]byte(e.New))
		t.judgeHunk(&h, was, is)
		if h.IsBack || h.Why == layoutOnly || h.Why == OutOfEffect {
			r.Hunks = append(r.Hunks, h)
			continue
		}
		// Some items in the hunk may still be taken back without their neighbours.
		for _, piece := range t.splitHunk(h, was, is) {
			t.judgeHunk(&piece, was, is)
			if piece.IsBack && !piece.isItem {
				piece.IsBack, piece.Why = false, besideOverride // it may be half of an item
			}
			r.Hunks = append(r.Hunks, piece)
		}
	}
	// An item is taken back as a whole or not at all. First find those that share lines with another item: once for
	// the items of EDITED, once for those of BASE. Then clear IsBack in all hunks of an item of which anything stays.
	t.keepInterleaved(r.Hunks, is.Raw, t.edited.expressed, t.base.expressed, func(h *hunk) (span, span) { return h.edited, h.base })
	t.keepInterleaved(r.Hunks, was.Raw, t.base.expressed, t.edited.expressed, func(h *hunk) (span, span) { return h.base, h.edited })
	t.keepBound(r.Hunks)
	var edits []textedit.Edit
	for _, h := range r.Hunks {
		if h.IsBack {
			edits = append(edits, textedit.Replace(h.edited.from, h.edited.to, string(was.Raw[h.base.from:h.base.to])))
		}
	}
	r.Text = textedit.Apply(is.Raw, 0, len(is.Raw), edits)
	return r
}

// keepBound clears IsBack of every hunk that touches an address in the group of an edit that stays in the file.
// First, addresses that one hunk touches join one group: it's taken back as a whole or not at all.
func (t *takeback) keepBound(hunks []hunk) {
	touched := make([][]place, len(hunks)) // what each hunk touches; the first stands for all of them, which are one group
	for i := range hunks {
		touched[i] = slices.Concat(placesIn(t.base.expressed, hunks[i].base), placesIn(t.edited.expressed, hunks[i].edited))
		for _, p := range touched[i] {
			t.bind(p.own, touched[i][0].own)
			if !hunks[i].IsBack {
				t.stays[p.own] = true
			}
		}
	}
	// Groups have their final roots only now, so stays gets these, too.
	for own := range maps.Clone(t.stays) {
		t.stays[t.root(own)] = true
	}
	for i := range hunks {
		if h := &hunks[i]; h.IsBack && t.stays[t.root(touched[i][0].own)] { // a hunk with IsBack touches some address
			h.IsBack, h.Why, h.Address = false, besideOverride, touched[i][0].own
		}
	}
}

// judgeHunk sets IsBack and Why of a hunk, without regard to the groups. The override must express all of a hunk that
// is taken back: apart from the items that it expresses, both sides of the hunk have the same words. was is the file
// in BASE, is the file in EDITED.
func (t *takeback) judgeHunk(h *hunk, was, is *source.File) {
	wordsBefore, isExpressedBefore := t.base.unexpressedWords(was, h.base)
	wordsNow, isExpressedNow := t.edited.unexpressedWords(is, h.edited)
	hasExpressed := isExpressedBefore || isExpressedNow
	inexpressible := slices.Concat(placesIn(t.base.inexpressible, h.base), placesIn(t.edited.inexpressible, h.edited))
	h.IsBack = false
	switch {
	case len(inexpressible) > 0:
		h.Why, h.Address = holdsInexpressible, inexpressible[0].own
	case !hasExpressed && haveSameTokens(was, h.base, is, h.edited):
		h.Why = layoutOnly
	case !hasExpressed: // the override would express what changes an effective value
		h.Why = OutOfEffect
	case !slices.Equal(wordsBefore, wordsNow):
		h.Why = besideOverride
	default:
		h.IsBack = true
	}
}

// haveSameTokens reports whether a span of was and one of is differ only in layout and comments. In JSON, it compares
// the words between blanks: {"a":1} and { "a": 1 } count as different. That only changes the reason given for lines
// that stay in either case.
func haveSameTokens(was *source.File, before span, is *source.File, after span) bool {
	tokens := func(f *source.File, lines span) (list []string) {
		text := f.Raw[lines.from:lines.to]
		if f.Syntax == source.JSON {
			return strings.Fields(string(text))
		}
		for _, k := range parse.Tokens(text, f.Name, hcl.InitialPos) {
			if k.Type != hclsyntax.TokenComment && k.Type != hclsyntax.TokenNewline {
				list = append(list, string(k.Bytes))
			}
		}
		return list
	}
	return slices.Equal(tokens(was, before), tokens(is, after))
}

// unexpressedWords returns the words in a span of a file, without the items that the override expresses.
// hasExpressed tells whether there are such items.
func (l *itemPlaces) unexpressedWords(f *source.File, lines span) (words []string, hasExpressed bool) {
	at := lines.from
	var text strings.Builder
	expressed := placesIn(l.expressed, lines)
	for _, e := range expressed { // copy the text before e, and skip e; either end of e may be outside the span
		text.Write(f.Raw[at:max(at, e.from)])
		text.WriteByte(' ')
		at = max(at, min(e.to, lines.to))
	}
	text.Write(f.Raw[at:lines.to])
	words = strings.Fields(text.String())
	if f.Syntax == source.JSON { // a comma only separates items, so it's no word
		words = strings.FieldsFunc(text.String(), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' || r == '\r' })
	}
	return words, len(expressed) > 0
}

// Reason returns in a few words why a hunk isn't taken back: "it changes no effective value".
func (h *hunk) Reason() string {
	switch {
	case h.Why == holdsInexpressible:
		return "it holds " + h.Address.String() + ", which no override can express"
	case h.Why == layoutOnly:
		return "only layout and comments differ"
	case h.Why == OutOfEffect:
		return "it changes no effective value"
	case !h.Address.IsEmpty():
		return "a part of " + h.Address.String() + " can't be taken back"
	}
	return "it holds comments or lines that the override does not have"
}

// Prove loads a module, which should be the files that TakeBack returned together with the override. It
// returns an error unless the module means what EDITED does.
func (r *Result) Prove(load func() (*load.Module, error)) error {
	src, err := load()
	if err != nil {
		return fmt.Errorf("nothing was written: after reverting the edits, the module can't be read: %w", err)
	}
	m, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		return fmt.Errorf("nothing was written: after reverting the edits, the engine would refuse the module: %w", diags)
	}
	for _, d := range compare.Edits(m, r.Edited) {
		if !meansNothing(d) {
			return fmt.Errorf("nothing was written: after reverting the edits, %s would differ", diag.Escape(d.Address.String()))
		}
	}
	return nil
}

// How differing lines are separated from their neighbours.

// splitHunk splits a hunk so that each expressed item that covers whole lines in both files becomes a hunk of
// its own, which can be taken back while its neighbours stay. isItem marks these.
func (t *takeback) splitHunk(h hunk, was, is *source.File) []hunk {
	var list []hunk
	remaining := h // what no piece covers yet
	// add makes the next piece, unless it's empty, and takes its lines off the remaining ones.
	add := func(base, edited span, isItem bool) {
		if base.from == base.to && edited.from == edited.to {
			return
		}
		piece := hunk{base: base, edited: edited, From: remaining.From, isItem: isItem}
		piece.To = piece.From + linesIn(is.Raw[edited.from:edited.to])
		remaining.From = piece.To
		list = append(list, piece)
	}
	itemsBefore := placesIn(t.base.expressed, h.base) // the items of BASE behind the pieces so far
	for _, p := range placesIn(t.edited.expressed, h.edited) {
		// The item in BASE: where it was or, for a new item, an empty span in front of what remains.
		i := slices.IndexFunc(itemsBefore, func(q place) bool { return q.own == p.own })
		old := span{remaining.base.from, remaining.base.from}
		if i >= 0 {
			old = itemsBefore[i].span
		}
		wasElsewhere := i < 0 && t.base.hasAddress[p.own] // in another hunk, or in front of the pieces so far
		// Its lines in both files must hold nothing else, and be among those that remain.
		oldLines, isWhole := wholeLines(was.Raw, old)
		newLines, isWholeNow := wholeLines(is.Raw, p.span)
		doRemain := oldLines.isIn(remaining.base) && newLines.isIn(remaining.edited)
		if wasElsewhere || !isWhole || !isWholeNow || !doRemain {
			continue
		}
		itemsBefore = itemsBefore[i+1:] // behind the item; all of them if it is new (i is -1)
		// First the lines before the item, then the item.
		add(span{remaining.base.from, oldLines.from}, span{remaining.edited.from, newLines.from}, false /* isItem */)
		add(oldLines, newLines, true /* isItem */)
		remaining.base.from, remaining.edited.from = oldLines.to, newLines.to
	}
	add(remaining.base, remaining.edited, false /* isItem */)
	return list
}

// wholeLines extends a span to whole lines, and reports whether these hold nothing else but blanks. An empty span
// stays as it is.
func wholeLines(text []byte, s span) (span, bool) {
	if s.from == s.to {
		return s, true
	}
	from, to := textedit.LineStart(text, s.from), textedit.AfterLine(text, s.to-1) // s.to-1: the last byte
	before, behind := text[from:s.from], text[s.to:to]
	return span{from, to}, len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(behind)) == 0
}

// linesIn returns the number of lines in a text. A last line without a line end counts, too.
func linesIn(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// ChangedLines returns the edits, in whole lines, that turn text was into is. Edits of adjacent lines are
// one.
func ChangedLines(was, is []byte) (list []udiff.Edit) {
	for _, e := range udiff.Lines(string(was), string(is)) {
		if n := len(list); n > 0 && list[n-1].End == e.Start {
			list[n-1].End, list[n-1].New = e.End, list[n-1].New+e.New
			continue
		}
		list = append(list, e)
	}
	return list
}

// keepInterleaved looks for items that share unchanged lines with another item: the comparison of the files knows only
// lines, so the closing brace of one block may be paired with that of another. The edits of such items stay in the
// file, because taking back their other lines would mix the two items. places are the items of one file, and text is
// its content; others are the items of the other file. sides returns the spans of a hunk in these two files, in this
// order.
func (t *takeback) keepInterleaved(hunks []hunk, text []byte, places, others []place, sides func(*hunk) (own, other span)) {
	first := 0 // first hunk that ends behind p.from
	for _, p := range places {
		for first < len(hunks) && endOf(sides(&hunks[first])) <= p.from {
			first++
		}
		// What is before at has been compared. Between hunks, text[i] is at i+shift in the other file.
		at, shift := p.from, 0
		if first > 0 {
			own, other := sides(&hunks[first-1])
			shift = other.to - own.to
		}
		// isCounterpart reports whether the lines of text[at:to], which are in no hunk, belong to the same item in the
		// other file. It does so, too, if there are none or they are blank.
		isCounterpart := func(to int) bool {
			if at >= to || len(bytes.TrimSpace(text[at:to])) == 0 {
				return true
			}
			lines := span{at + shift, to + shift}
			found := placesIn(others, lines)
			isOne := len(found) == 1 && found[0].from <= lines.from && lines.to <= found[0].to
			return isOne && t.root(found[0].own) == t.root(p.own)
		}
		isTouched := false // by a hunk
		isWhole := true    // its lines outside hunks, so far, belong to the same item in the other file
		for i := first; i < len(hunks); i++ {
			own, other := sides(&hunks[i])
			if own.from >= p.to {
				break
			}
			isTouched = true
			isWhole = isWhole && isCounterpart(own.from)
			at, shift = max(at, own.to), other.to-own.to
		}
		if isTouched && !(isWhole && isCounterpart(p.to)) {
			t.stays[p.own] = true
		}
	}
}

// endOf returns the end of the first of two spans, such as those that sides returns.
func endOf(own, _ span) int { return own.to }

// Classification of the parts of a file: expressed by the override, or remaining.

// A span is a stretch of bytes of a file.
type span struct{ from, to int }

// isIn reports whether a span is within another.
func (s span) isIn(outer span) bool { return s.from >= outer.from && s.to <= outer.to }

// An itemPlaces tells where in one file the items are that the override expresses, and those that it can't express.
type itemPlaces struct {
	expressed     []place // expressed or made up for by the override, with comments
	inexpressible []place
	hasAddress    map[address.Address]bool // differences with an expressed item in the file
}

// A place is where the item of a difference, or a block, is in a file.
type place struct {
	span
	own address.Address
}

// joinOverlaps sorts list, and joins places that overlap. A joined place has the address of the outer one.
func joinOverlaps(list []place) (joined []place) {
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	for _, p := range list {
		if n := len(joined); n > 0 && p.from < joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, p.to)
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// placesIn returns the places that overlap a span of lines; none if it is empty. list is from joinOverlaps.
func placesIn(list []place, lines span) []place {
	if lines.from == lines.to {
		return nil
	}
	// The first place that ends behind the start of the span.
	i, _ := slices.BinarySearchFunc(list, lines.from+1, func(p place, at int) int { return cmp.Compare(p.to, at) })
	j := i
	for j < len(list) && list[j].from < lines.to {
		j++
	}
	return list[i:j]
}

// itemPlacesIn locates the items of all differences in f, a file of a side, Base or Edited.
func (t *takeback) itemPlacesIn(f *source.File, side side) itemPlaces {
	l := itemPlaces{hasAddress: map[address.Address]bool{}}
	t.addExpressed(&l, f, side)
	for _, d := range t.Left { // no override makes up for it
		t.addInexpressible(&l, f, d.Address, d.Sides[side].Items)
	}
	for _, d := range t.Idle { // the engine ignores it, so it was never written; Passed items have no effect
		t.addInexpressible(&l, f, d.Address, slices.Concat(d.Sides[side].Items, d.Sides[side].Passed))
	}
	l.expressed, l.inexpressible = joinOverlaps(l.expressed), joinOverlaps(l.inexpressible)
	return l
}

// addExpressed adds to l the items of f that the override expresses with all their comments, and the blocks around
// them that mean nothing else. It binds an item in a block that engines judge as a whole, such as a variable, to that
// block: the two are taken back together.
func (t *takeback) addExpressed(l *itemPlaces, f *source.File, side side) {
	covered := map[source.Item]address.Address{} // expressed items, with the address of the difference
	for _, d := range t.Expressed {
		if t.partial[d.Address] { // the override has only parts of the block, so comments in it would be lost
			continue
		}
		for i, it := range d.Sides[side].Items {
			if it.Source() != f {
				continue
			}
			at := t.withComments(it)
			isOtherSyntax := t.isJSON != (f.Syntax == source.JSON) // than that of the override, which lacks the comments
			switch {
			// EDITED removed comments, which the override can't express.
			case side == Base && !keepsComments(it, d.Sides[Edited].Items, i):
				at = spanOf(it)
			case side == Edited && isOtherSyntax && hasComments(it):
				continue // it stays in the file
			}
			covered[it], l.hasAddress[d.Address] = d.Address, true
			l.expressed = append(l.expressed, place{at, d.Address})
			if top, isTied := t.blockJudgedWhole(it); isTied {
				t.bind(d.Address, top)
			}
		}
	}
	for i := range f.Len() {
		if f.Syntax == source.Native && t.mayDiffer(f, i) {
			l.expressed = append(l.expressed, t.wrapperPlaces(f.Block(i), covered)...)
		}
	}
}

// addInexpressible adds to l those items of a difference, at the address own, that are in f. The override can't
// express them, so the edits of a block around one stay in the file if engines judge that block as a whole.
func (t *takeback) addInexpressible(l *itemPlaces, f *source.File, own address.Address, items []source.Item) {
	for _, it := range items {
		if it.Source().Name == f.Name && it.Source().Role == source.Primary {
			l.inexpressible = append(l.inexpressible, place{spanOf(it), own})
			if top, isTied := t.blockJudgedWhole(it); isTied {
				t.stays[top] = true
			}
		}
	}
}

// blockJudgedWhole returns the address of the top-level block around an item if engines judge that block as a
// whole, as they do with a variable. It returns false if they don't.
func (r *Result) blockJudgedWhole(it source.Item) (address.Address, bool) {
	e := r.ownerOf(source.Top(it))
	if e == nil || !e.Rule.IsCheckedByBlock() {
		return address.Address{}, false
	}
	return address.Of(e), true
}

// ownerOf returns the merged item of a block, which is from BASE or EDITED.
func (r *Result) ownerOf(b *source.Block) *merge.MergedItem {
	if r.Edited.Source.File(b.File.Name) == b.File {
		return r.Edited.OwnerOf(b)
	}
	return r.Base.OwnerOf(b)
}

// wrapperPlaces returns the places of blocks whose contents are all expressed, if the blocks mean nothing else: b
// and the blocks in it. So an emptied locals block can go, too. If b has comments of its own, only its header and
// its closing brace count. It adds the blocks to covered, which maps expressed items to their addresses.
func (t *takeback) wrapperPlaces(b *source.Block, covered map[source.Item]address.Address) []place {
	var list []place
	isAllCovered := len(b.Items()) > 0
	for _, it := range b.Items() {
		if inner, isBlock := it.(*source.Block); isBlock {
			list = append(list, t.wrapperPlaces(inner, covered)...)
		}
		_, isCovered := covered[it]
		isAllCovered = isAllCovered && isCovered
	}
	if !isAllCovered || !t.isWrapper(b) {
		return list
	}
	first := covered[b.Items()[0]] // stands for the block
	// The block around b may be a wrapper, too.
	covered[b] = first
	for _, it := range b.Items() {
		t.bind(first, covered[it])
	}
	if !t.hasOwnComments(b) {
		return append(list, place{spanOf(b), first})
	}
	head, foot := span{b.Header().Start.Byte, b.OpenBrace().End.Byte}, span{b.CloseBrace().Start.Byte, b.CloseBrace().End.Byte}
	return append(list, place{head, first}, place{foot, first})
}

// hasOwnComments reports whether a block has comments that belong to none of its items. Comments around a nested
// wrapper count as the block's own, because an override doesn't repeat them.
func (t *takeback) hasOwnComments(b *source.Block) bool {
	n := len(parse.CommentTexts(b.File.Text(b.Extent()))) // all comments, from which those of the items are subtracted
	for _, it := range b.Items() {
		at := t.withComments(it)
		if inner, isBlock := it.(*source.Block); isBlock && t.isWrapper(inner) {
			at = spanOf(it)
		}
		n -= len(parse.CommentTexts(b.File.Native[at.from:at.to]))
	}
	return n != 0
}

// isWrapper reports whether a block means nothing but its contents, as locals does.
func (r *Result) isWrapper(b *source.Block) bool {
	e := r.ownerOf(b)
	return e != nil && e.Rule.OmitEmpty
}

// spanOf returns the span of an item in its file, without the comments around it.
func spanOf(it source.Item) span {
	from, to := source.Spread(it)
	return span{from, to}
}

// hasComments reports whether there are comments within an item.
func hasComments(it source.Item) bool {
	f, at := it.Source(), spanOf(it)
	if f.Syntax == source.Native {
		return len(parse.CommentTexts(f.Native[at.from:at.to])) > 0
	}
	found := false
	if b, isBlock := it.(*source.Block); isBlock {
		b.EachRemark(func([2]uint32) { found = true })
	}
	return found
}

// withComments returns the span of an item in its file with the comments around it. A JSON override can't hold
// them, so then they aren't included.
func (t *takeback) withComments(it source.Item) span {
	if it.Source().Syntax == source.JSON || t.isJSON {
		return spanOf(it)
	}
	trivia := source.TriviaOf(it)
	return span{trivia.Lead, trivia.End}
}

// keepsComments reports whether EDITED still has comments where the item of BASE has some, above and behind.
// later are the items of EDITED, and i is the index of the counterpart, which may be missing.
func keepsComments(it source.Item, later []source.Item, i int) bool {
	above, behind := commentsOf(it)
	if i >= len(later) {
		return len(above)+len(behind) == 0
	}
	nowAbove, nowBehind := commentsOf(later[i])
	return (len(above) == 0 || len(nowAbove) > 0) && (len(behind) == 0 || len(nowBehind) > 0)
}
