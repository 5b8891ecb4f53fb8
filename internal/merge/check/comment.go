package check

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A comment switches rules off: "tofumerge:ignore RULE[,RULE] reason" for its item, "tofumerge:ignore-file
// RULE[,RULE] reason" for its file. A comment of a file that contains the word several times is several of
// these.
type comment struct {
	File   *source.File
	Range  hcl.Range // from tofumerge:ignore to the last name
	Reason string    // the rest of the line
	Meant  string    // if tofumerge:ignore is misspelt, how it should be written; else empty

	names   []string // as they are written, each once
	isFile  bool
	reach   reach
	item    source.Item // the item that it is above, behind or in; nil outside items
	entries []*entry    // of the rules that it names
}

// A reach is what a comment can silence, given its position.
type reach int

const (
	reachNothing reach = iota // a comment that is in no position to silence anything
	reachLine                 // findings on its line
	reachItem                 // its item and all inside, from directly above or behind it
	reachBlock                // a block and all inside, from its header line (in JSON, from inside it)
	reachFile                 // the whole file
)

// ignoreWord is in all comments that switch rules off, and hardly ever elsewhere.
const ignoreWord = "tofumerge:ignore"

// ignoring is the form of such a comment: the separator, which other tools write in other ways, -file, if
// it is there, and the names.
var ignoring = lazyregexp.New(`tofumerge(:|:[ \t]+|-)ignore(-file)?(?:[ \t]+([\w-]+(?:[ \t]*,[ \t]*[\w-]+)*))?`)

// The groups of ignoring, as indexes of a match.
const (
	groupSeparator = 2
	groupFile      = 4
	groupNames     = 6
)

// mayIgnore reports whether a text may contain a comment that switches rules off. It searches for part of ignoreWord.
// The part starts with f because bytes.Contains looks for the first byte first, and f is rarer than t.
func mayIgnore(text []byte) bool { return bytes.Contains(text, []byte("fumerge")) }

// commentsOf returns the comments of a file that switch rules off, in order. In a string or a heredoc,
// tofumerge:ignore has no meaning.
func commentsOf(f *source.File) []*comment {
	if f.Broken || !mayIgnore(f.Raw) {
		return nil
	}
	w := &commentFinder{file: f}
	if f.Syntax == source.JSON {
		w.searchJSON()
	} else {
		w.searchNative()
	}
	return w.found
}

// A commentFinder gathers the comments of a file.
type commentFinder struct {
	file  *source.File
	found []*comment
}

// searchNative finds the comments of a native file. Blocks and gaps without ignoreWord are skipped.
func (w *commentFinder) searchNative() {
	f, from := w.file, 0 // from: end of the previous block
	for i := range f.Len() {
		start, end := f.SpanOf(i)
		if mayIgnore(f.Native[from:start]) {
			w.searchGap(nil, from, start, w.blockBefore(i), f.Block(i))
		}
		if mayIgnore(f.Native[start:end]) {
			w.searchBlock(f.Block(i))
		}
		from = end
	}
	w.searchGap(nil, from, len(f.Native), w.blockBefore(f.Len()), nil)
}

// blockBefore returns the block before block i of the file, or nil if i is 0.
func (w *commentFinder) blockBefore(i int) source.Item {
	if i == 0 {
		return nil
	}
	return w.file.Block(i - 1)
}

// searchBlock finds the comments in a native block that contains ignoreWord: in its header, its items, and the
// gaps around these.
func (w *commentFinder) searchBlock(b *source.Block) {
	src, start, brace := w.file.Native, b.Extent().Start.Byte, b.OpenBrace().Start.Byte
	w.searchInside(b, start, brace)
	var prev source.Item
	from := brace + 1 // end of prev
	for _, it := range b.Items() {
		r := it.Extent()
		w.searchGap(b, from, r.Start.Byte, prev, it)
		if nested, isBlock := it.(*source.Block); isBlock && mayIgnore(src[r.Start.Byte:r.End.Byte]) {
			w.searchBlock(nested)
		} else if !isBlock {
			w.searchInside(it, r.Start.Byte, r.End.Byte)
		}
		prev, from = it, r.End.Byte
	}
	w.searchGap(b, from, b.CloseBrace().Start.Byte, prev, nil)
}

// searchInside finds the comments within an item, in the bytes from to to: in a block's header, or in an argument.
// They can silence findings on their line. A comment alone on its line can't silence anything there.
func (w *commentFinder) searchInside(it source.Item, from, to int) {
	if !mayIgnore(w.file.Native[from:to]) {
		return
	}
	for _, c := range parse.CommentsInside(w.file.Native, from, to) {
		reach := reachLine
		if c.Alone {
			reach = reachNothing
		}
		w.note(c.Start, c.End, reach, it)
	}
}

// searchGap finds the comments between two items, in File.Native[from:to]. prev is nil before the first item, next
// after the last; in is the block around them, nil at the top level. A comment directly above next is for next. One
// on the line where prev ends is for prev, if that's an argument or a one-line block. One behind the opening brace
// is for in. Elsewhere only tofumerge:ignore-file works, and only if in is nil.
func (w *commentFinder) searchGap(in *source.Block, from, to int, prev, next source.Item) {
	src := w.file.Native
	if !mayIgnore(src[from:to]) {
		return
	}
	firstLineEnd := to // end of the line on which prev ends
	if n := bytes.IndexByte(src[from:to], '\n'); n >= 0 {
		firstLineEnd = from + n
	}
	lead := to + 1 // start of the comments directly above next; without next, beyond every comment
	if next != nil {
		lead = source.TriviaOf(next).Lead
	}
	for _, c := range parse.CommentsBetween(src, from, to) {
		var reach reach
		var it source.Item
		isBehindPrev := !c.Alone && c.Start <= firstLineEnd // if prev is nil: behind the opening brace
		switch {
		case c.Start >= lead: // directly above next
			reach, it = reachItem, next
		case isBehindPrev:
			reach, it = reachBehind(prev, in)
		}
		if in == nil {
			w.noteOutside(c, reach, it)
		} else {
			w.note(c.Start, c.End, reach, it)
		}
	}
}

// reachBehind returns what a comment on the line where prev ends can silence, and the item that it is for. If prev is
// nil, the comment is behind the opening brace of in or, if in is nil, at the start of the file.
func reachBehind(prev source.Item, in *source.Block) (reach, source.Item) {
	switch {
	case prev == nil && in == nil:
		return reachNothing, nil
	case prev == nil:
		return reachBlock, in
	case isArgument(prev): // even if its value takes several lines
		return reachItem, prev
	case isOneLine(prev):
		return reachBlock, prev
	}
	return reachNothing, nil // the end of a longer block is too far from its name
}

// isArgument reports whether an item is an argument, not a block.
func isArgument(it source.Item) bool {
	_, ok := it.(*source.Attr)
	return ok
}

// isOneLine reports whether an item is native and on one line.
func isOneLine(it source.Item) bool {
	r := it.Extent()
	return r.Start.Line == r.End.Line && it.Source().Syntax != source.JSON
}

// noteOutside notes a comment outside all blocks, the only place where tofumerge:ignore-file works. For
// tofumerge:ignore, reach and it are as for note.
func (w *commentFinder) noteOutside(c parse.Comment, reach reach, it source.Item) {
	before := len(w.found)
	w.note(c.Start, c.End, reach, it)
	for _, k := range w.found[before:] { // what note has just added
		if k.isFile {
			k.reach, k.item = reachFile, nil
		}
	}
}

// searchJSON finds the comments of a JSON file: the values of its comment properties ("//"). One in a block
// applies to the block. One outside all blocks works only as tofumerge:ignore-file.
func (w *commentFinder) searchJSON() {
	for _, span := range w.file.Remarks {
		w.noteOutside(parse.Comment{Start: int(span[0]), End: int(span[1])}, reachNothing, nil)
	}
	for i := range w.file.Len() {
		b := w.file.Block(i)
		if mayIgnore(w.file.Raw[b.From.Value[0]:b.From.Value[1]]) {
			w.noteJSONBlock(b)
		}
	}
	slices.SortStableFunc(w.found, func(a, b *comment) int { return a.Range.Start.Byte - b.Range.Start.Byte })
}

// noteJSONBlock notes the comments of a JSON block and of the blocks in it.
func (w *commentFinder) noteJSONBlock(b *source.Block) {
	for _, span := range b.Remarks() {
		w.note(int(span[0]), int(span[1]), reachBlock, b)
	}
	for _, it := range b.Items() {
		if nested, isBlock := it.(*source.Block); isBlock {
			w.noteJSONBlock(nested)
		}
	}
}

// note adds a comment to w.found for each tofumerge:ignore in File.Raw[from:to]. it is the item there, nil outside
// items; reach says what the comment can silence. If a misspelt one, or one within a sentence, names no existing
// rule, note skips it: the text only talks about such comments.
func (w *commentFinder) note(from, to int, reach reach, it source.Item) {
	text := w.file.Raw[from:to]
	matches := ignoring().FindAllSubmatchIndex(text, -1)
	for i, m := range matches {
		// The reason ends where the next tofumerge:ignore begins.
		reasonEnd := len(text)
		if i+1 < len(matches) {
			reasonEnd = matches[i+1][0]
		}
		k := &comment{
			File:   w.file,
			Range:  w.file.RawRange([2]uint32{uint32(from + m[0]), uint32(from + m[1])}),
			Reason: w.reasonIn(text[m[1]:reasonEnd]),
			isFile: m[groupFile] >= 0,
			reach:  reach,
			item:   it,
		}
		if k.isFile { // inside a block it silences nothing; outside, noteOutside sets reachFile afterwards
			k.reach = reachNothing
		}
		if m[groupNames] >= 0 {
			k.names = namesIn(string(text[m[groupNames]:m[groupNames+1]]))
		}
		// Other tools write the separator as "-" or ": ". A person who does so here silences nothing, and is
		// told.
		isMisspelt := string(text[m[groupSeparator]:m[groupSeparator+1]]) != ":"
		namesRule := slices.ContainsFunc(k.names, func(id string) bool { return FindRule(id) != nil })
		if !namesRule && (isMisspelt || w.isInProse(text[:m[0]])) {
			continue
		}
		if isMisspelt { // for tofumerge-ignore-file NAME, Meant is tofumerge:ignore-file NAME
			afterWord := m[groupSeparator+1] + len("ignore")
			k.Meant = ignoreWord + string(text[afterWord:m[1]])
			k.reach, k.names = reachNothing, nil // it silences nothing
		}
		w.found = append(w.found, k)
	}
}

// isInProse reports whether a tofumerge:ignore stands within a sentence: words come before it on its line, or in
// JSON in its string. text is everything before it in the comment.
func (w *commentFinder) isInProse(text []byte) bool {
	start := byte('\n')
	if w.file.Syntax == source.JSON {
		start = '"'
	}
	i := bytes.LastIndexByte(text, start)
	// In JSON, \" starts no string, so it's amid words. In a native file, a \ at the end of a line counts as if it
	// continued the line.
	isEscaped := i > 0 && text[i-1] == '\\'
	return isEscaped || len(bytes.Trim(text[i+1:], "#/* \t")) > 0
}

// namesIn splits a list at its commas, and returns each name once.
func namesIn(list string) (names []string) {
	known := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	return names
}

// reasonIn returns the reason for a comment from rest, the text behind its names: up to the end of the line,
// without separators. It's "" for a file outside the repository, which messages must not quote.
func (w *commentFinder) reasonIn(rest []byte) string {
	if w.file.Outside {
		return ""
	}
	text := string(rest)
	if w.file.Syntax == source.JSON {
		text = unquotedStart(text)
	}
	text, _, _ = strings.Cut(text, "\n")
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "*/"))
	return strings.TrimLeft(text, ",:; ")
}

// unquotedStart decodes the rest of a JSON string, up to the closing quote. text starts inside the string. It
// returns "" if that part isn't valid.
func unquotedStart(text string) (said string) {
	end := 0
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if json.Unmarshal([]byte(`"`+text[:min(end, len(text))]+`"`), &said) != nil {
		return ""
	}
	return said
}

// Comments are the comments of a module that switch rules off. They count the findings that they silence, so
// only one goroutine may use them.
type Comments struct {
	module  *load.Module
	all     []*comment
	entries map[entryKey]*entry
	onItems map[string]bool // names of files in which a comment switches rules off for an item
	added   map[*entry]bool // entries that the earlier state given to Reveal doesn't have; nil before the first call
}

// An entry is one rule that is switched off for one item, line or file, perhaps by several comments.
type entry struct {
	rule     *Rule
	by       *comment // the first comment that names the rule for it
	silenced int      // how many findings it has silenced
}

// An entryKey identifies an entry: its rule, and the item by its extent, the line by its number, or the whole
// file.
type entryKey struct {
	file  string
	reach reach
	at    extent
	rule  *Rule
}

// An extent is the first byte of an item in File.Raw and the one behind it. It identifies an item, of which
// there may be several copies in memory.
type extent [2]int

// extentOf returns the extent of an item.
func extentOf(it source.Item) extent {
	from, to := source.Spread(it)
	return extent{from, to}
}

// CommentsOf returns the comments of a module that switch rules off.
func CommentsOf(m *load.Module) *Comments {
	c := &Comments{module: m, entries: map[entryKey]*entry{}, onItems: map[string]bool{}}
	for _, f := range m.Files {
		for _, k := range commentsOf(f) {
			c.add(k)
		}
	}
	return c
}

// add registers an entry for each rule that a comment names. The entry is for an item, a line or the whole file,
// depending on the comment's reach. If an earlier comment made the same entry, it joins that.
func (c *Comments) add(k *comment) {
	c.all = append(c.all, k)
	key := entryKey{file: k.File.Name, reach: k.reach}
	switch k.reach {
	case reachNothing:
		return
	case reachItem, reachBlock:
		key.at = extentOf(k.item)
		c.onItems[k.File.Name] = true
	case reachLine:
		key.at = extent{k.Range.Start.Line, 0} // the line number in place of an extent
	case reachFile: // needs no extent
	}
	for _, id := range k.names {
		key.rule = FindRule(id)
		if key.rule == nil { // a misspelt name, which findMisnamed reports
			continue
		}
		if c.entries[key] == nil {
			c.entries[key] = &entry{rule: key.rule, by: k}
		}
		k.entries = append(k.entries, c.entries[key])
	}
}

// Len returns the number of comments.
func (c *Comments) Len() int { return len(c.all) }

// Silence reports whether a comment silences a finding. It sets x.By to the nearest such comment, and counts the
// finding for all of them.
func (c *Comments) Silence(x *Finding) bool {
	if len(c.all) > 0 {
		x.By = c.nearestSilencing(x, func(e *entry, _ hcl.Range, _ bool) bool { // called for each entry that applies
			e.silenced++
			return true
		})
	}
	return x.By != nil
}

// A Suppression is a warning that a comment switches off, and the finding that it would be.
type Suppression struct {
	Warning *hcl.Diagnostic
	Finding
}

// Unignored splits diagnostics into those to show, and the warnings that a comment in the module switches off.
func Unignored(m *load.Module, diags hcl.Diagnostics) (shown hcl.Diagnostics, silenced []Suppression) {
	c := CommentsOf(m)
	if len(c.all) == 0 {
		return diags, nil
	}
	shown = slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		x, isFound := findingOf(m, d)
		if !isFound || !c.Silence(&x) {
			return false
		}
		silenced = append(silenced, Suppression{d, x})
		return true
	})
	return shown, silenced
}

// SetAddresses fills in the addresses of silenced warnings, which Unignored can't know before the merge.
func SetAddresses(m *merge.Module, list []Suppression) {
	var diags hcl.Diagnostics
	for i := range list {
		diags = append(diags, list[i].Warning)
	}
	f := &findings{m: m, refused: map[source.Item]bool{}}
	f.collectNames(diags, false) // only of the items that diagnostics are about
	for i := range list {
		list[i].Address = f.names[load.ItemAt(m.Source, list[i].Range)].address
	}
}

// nearestSilencing returns the nearest comment that silences a finding, or nil. It looks at the finding's line, its
// item, the blocks around that, and the file. Further items of the finding (Also) each need a comment, too. Instead
// of all these, one comment at the related range is enough, unless that is the range of an item in Also. silences
// decides about each entry found. No comment silences an error: otherwise the author of a change could get round a
// policy.
func (c *Comments) nearestSilencing(x *Finding, silences entryTest) *comment {
	if x.Severity == Error || x.Rule.Unsilenced {
		return nil
	}
	own := c.nearestAt(x, x.Range, true /* isOwn */, silences)
	// A finding about several equal items needs a comment at each. All are asked, so that Silence counts it there.
	isSilentAtEach := own != nil
	for _, it := range x.Also {
		isSilentAtEach = c.nearestAt(x, source.Where(it), true /* isOwn */, silences) != nil && isSilentAtEach
	}
	// A comment at the related range is enough: it makes those at the other items unnecessary.
	if x.Related != nil && !x.isAlso(x.Related.Range) {
		if related := c.nearestAt(x, x.Related.Range, false /* isOwn */, silences); related != nil {
			return cmp.Or(own, related) // a comment at the finding itself is nearer
		}
	}
	if !isSilentAtEach {
		return nil
	}
	return own
}

// An entryTest decides whether an entry silences a finding, and may count that. place is the range of the
// finding at which the entry was found. isOwn is false for the related range (Finding.Related).
type entryTest func(e *entry, place hcl.Range, isOwn bool) bool

// isAlso reports whether a range is that of a further item (Also), at which silencing has looked for a comment.
func (f *Finding) isAlso(at hcl.Range) bool {
	return slices.ContainsFunc(f.Also, func(it source.Item) bool { return source.Where(it) == at })
}

// nearestAt returns the nearest comment that silences a finding at the range place, or nil. It asks silences about
// the farther ones, too, since Silence counts them all. isOwn is false if place is only the finding's related range:
// then comments about the whole file don't count.
func (c *Comments) nearestAt(x *Finding, place hcl.Range, isOwn bool, silences entryTest) (by *comment) {
	take := func(e *entry) {
		isSilencing := e != nil && silences(e, place, isOwn) // called even if by is set, since it counts the finding
		if isSilencing && by == nil {
			by = e.by
		}
	}
	// A comment for another rule that finds the same fact silences the finding, too.
	for _, r := range append([]*Rule{x.Rule}, x.Joint...) {
		c.visitEntriesAt(place, r, take)
		if isOwn {
			take(c.entries[entryKey{place.Filename, reachFile, extent{}, r}])
		}
	}
	return by
}

// visitEntriesAt visits the entries for a rule at a range of a file, the nearest first: its line, its item,
// the blocks around that. An item can have two: of a comment on the block's header line (reachBlock), which is
// nearer, and of one above or behind the item (reachItem). visitEntriesAt passes nil where there is none.
func (c *Comments) visitEntriesAt(place hcl.Range, r *Rule, visit func(*entry)) {
	if place.Start.Line == 0 { // the file as a whole
		return
	}
	visit(c.entries[entryKey{place.Filename, reachLine, extent{place.Start.Line, 0}, r}]) // as in add
	if !c.onItems[place.Filename] {
		return
	}
	for it := load.ItemAt(c.module, place); it != nil; { // until the top-level block
		visit(c.entries[entryKey{place.Filename, reachBlock, extentOf(it), r}])
		visit(c.entries[entryKey{place.Filename, reachItem, extentOf(it), r}])
		b := it.Within()
		if b == nil {
			return
		}
		it = b
	}
}

// Comments that an earlier state of the module has, too. A comment is the same if it switches the same rule off
// for the same item: an item with the same name in the same file or, if it was moved, with the same
// text.

// A silence is one rule that one comment switches off.
type silence struct {
	comment *comment
	*entry
}

// A silenceKey is what a silence must share with one of the earlier state to be the same. keyByName and keyByText
// fill it differently.
type silenceKey struct {
	rule          string
	reach         reach
	isOnFirstLine bool // as comment.isOnFirstLine reports
	file          string
	path          string
	text          [sha256.Size]byte
}

// addedSince returns the silences that the earlier comments, was, don't have. They are paired by name, and
// those left over by text, which finds the comments of moved items.
func (c *Comments) addedSince(was *Comments) (list []silence) {
	now := c.silences()
	for i, earlier := range Pairs(now, was.silences(), numbers{}.keyByName, keyByText) {
		if earlier < 0 { // no counterpart
			list = append(list, now[i])
		}
	}
	return list
}

// Reveal reports whether a silenced finding must be shown after all, since an old comment mustn't silence a new
// finding by accident. If so, it clears x.By and says why in the message. x is new: an earlier state of the module,
// which revision names, doesn't have it. was are the comments of that state. A comment that was there already
// silences x only if it names x's own rule and is close to x's item (isCloseTo). A comment added since silences x as
// usual.
func (c *Comments) Reveal(x *Finding, was *Comments, revision string) bool {
	if c.added == nil {
		c.added = map[*entry]bool{}
		for _, s := range c.addedSince(was) {
			c.added[s.entry] = true
		}
	}
	by := c.nearestSilencing(x, func(e *entry, place hcl.Range, isOwn bool) bool {
		if c.added[e] {
			return true
		}
		// An old comment at the related range doesn't count (isOwn is false there).
		return isOwn && e.rule == x.Rule && e.by.isCloseTo(load.ItemAt(c.module, place))
	})
	if by == nil {
		x.Message += fmt.Sprintf(" The comment at %s silences only findings that %s has.", diag.PlaceFrom(x.Range, x.By.Range), revision)
		x.By = nil
	}
	return by == nil
}

// isCloseTo reports whether a comment is so close to an item that whoever changes the item sees it: directly above an
// argument, on its line, or on the header line of a block. On a one-line block, it is close to everything inside.
// Above a block, it's too far from what changes inside.
func (k *comment) isCloseTo(it source.Item) bool {
	switch {
	case k.item == nil || it == nil:
		return false
	case k.reach == reachItem: // above or behind its item
		return k.belongsTo(it) && isArgument(it)
	}
	// It is inside its item: on the line of the finding, or on a block's header line. Callers ask only about its item
	// and those in it.
	return k.belongsTo(it) || isOneLine(k.item)
}

// belongsTo reports whether an item is the comment's own. There may be several copies of an item in memory, so this
// compares extents.
func (k *comment) belongsTo(it source.Item) bool { return extentOf(k.item) == extentOf(it) }

// isOnFirstLine reports whether a comment is inside its item, on the only line of a block or the first line of an
// argument. There it is on the line of the findings about the item itself. So if it was moved there from elsewhere in
// the item, it silences other findings than before, and counts as new.
func (k *comment) isOnFirstLine() bool {
	switch {
	case k.item == nil || k.reach == reachItem:
		return false
	case isArgument(k.item):
		return k.Range.Start.Line == k.item.Extent().Start.Line
	}
	return isOneLine(k.item)
}

// silences lists, in the order of the comments, each rule that a comment can silence, with that comment. If
// several comments do so for one item, only the first is listed.
func (c *Comments) silences() (list []silence) {
	for _, k := range c.all {
		for _, e := range k.entries {
			if e.by == k && e.rule.canSilence() {
				list = append(list, silence{k, e})
			}
		}
	}
	return list
}

// keyByText returns a key with the text of the item, but without the file and the numbers of nested blocks: an
// item that was moved keeps its text.
func keyByText(s silence) silenceKey {
	k := s.key(nil)
	text := s.comment.File.Raw
	if it := s.comment.item; it != nil {
		from, to := source.Spread(it)
		text = text[from:to]
	}
	k.text = sha256.Sum256(text)
	return k
}

// numbers caches, by the block around them, the numbers of nested blocks: each counts, from 0, those before it
// with the same type and labels.
type numbers map[*source.Block]map[extent]int

// keyByName returns a key by which Pairs finds the same silence in another state of the module: the rule, the file,
// and the path of the item, in which nested blocks have numbers.
func (n numbers) keyByName(s silence) silenceKey {
	k := s.key(n)
	k.file = s.comment.File.Name
	return k
}

// key returns the fields that keyByName and keyByText have in common, and leaves file and text empty. If n is nil,
// nested blocks in the path have no numbers.
func (s silence) key(n numbers) silenceKey {
	return silenceKey{rule: s.rule.ID, reach: s.comment.reach, isOnFirstLine: s.comment.isOnFirstLine(), path: pathTo(s.comment.item, n)}
}

// numberOf returns the position of a nested block, from 0, among those of its type and labels in the block around
// it. The first call for a surrounding block numbers all blocks in it.
func (n numbers) numberOf(b *source.Block) int {
	in := b.Within()
	if n[in] == nil {
		n[in] = map[extent]int{}
		counts := map[string]int{}
		for _, it := range in.Items() {
			if other, isBlock := it.(*source.Block); isBlock {
				n[in][extentOf(it)] = counts[nameOf(other)]
				counts[nameOf(other)]++
			}
		}
	}
	return n[in][extentOf(b)]
}

// nameOf returns the type and labels of a block.
func nameOf(b *source.Block) string { return fmt.Sprintf("%q %q", b.Type, b.Labels) }

// pathTo returns a text that identifies an item: its name and those of the blocks around it, innermost first, one a
// line. It's "" for nil. With n, nested blocks also have their numbers. If n is nil, blocks with the same names get
// the same text.
func pathTo(it source.Item, n numbers) string {
	var path []string
	for it != nil {
		name := fmt.Sprintf("%q", it.Called())
		b, isBlock := it.(*source.Block)
		if isBlock {
			name = nameOf(b)
		}
		if isBlock && b.Within() != nil && n != nil {
			name += fmt.Sprint(" ", n.numberOf(b))
		}
		path = append(path, name)
		in := it.Within()
		if in == nil { // it is top-level; a nil *source.Block in the variable it would not equal nil
			break
		}
		it = in
	}
	return strings.Join(path, "\n")
}

// Ignore returns the edit of File.Native that makes a comment switch a rule off for an item of a native file.
// If such a comment is at the item, the edit adds the name. Otherwise it writes one: above an argument that starts
// its line, before one in the middle of a line, behind the opening brace of a block, or behind a one-line block, also
// if the item is an argument in that.
func Ignore(it source.Item, r *Rule) textedit.Edit {
	src, fitsAbove := it.Source(), isArgument(it) && startsLine(it)
	if isArgument(it) && !fitsAbove && isOneLine(it.Within()) {
		it = it.Within() // a block such as a { b = 1 }: the comment goes behind it
	}
	// If the item has a comment with names, add the rule to these.
	if k := commentFor(it); k != nil {
		return textedit.Replace(k.Range.End.Byte, k.Range.End.Byte, ","+r.ID)
	}
	// Otherwise, write a comment: an argument that starts its line gets it on the line above.
	comment := ignoreWord + " " + r.ID
	if fitsAbove {
		start := source.TriviaOf(it).Start
		at := textedit.TextStart(src.Native, start)
		return textedit.Replace(at, at, textedit.IndentAt(src.Native, start)+"# "+comment+src.LineEnd)
	}
	b, isBlock := it.(*source.Block)
	if !isBlock { // an argument behind something else on its line
		at := source.TriviaOf(it).Start
		return textedit.Replace(at, at, "/* "+comment+" */ ")
	}
	// A block gets it behind its opening brace, or as a one-line block behind its closing brace.
	at := b.OpenBrace().End.Byte
	if isOneLine(b) {
		at = b.CloseBrace().End.Byte
	}
	// A # comment would swallow the code that follows on the line.
	if line, _, _ := bytes.Cut(src.Native[at:], []byte("\n")); len(bytes.TrimSpace(line)) > 0 {
		return textedit.Replace(at, at, " /* "+comment+" */")
	}
	return textedit.Replace(at, at, " # "+comment)
}

// commentFor returns the first comment with names that is close to an item and switches rules off for all of it, or
// nil.
func commentFor(it source.Item) *comment {
	for _, k := range commentsOf(it.Source()) {
		isForItem := (k.reach == reachItem || k.reach == reachBlock) && k.belongsTo(it)
		if isForItem && len(k.names) > 0 && k.isCloseTo(it) {
			return k
		}
	}
	return nil
}

// startsLine reports whether an item is preceded on its line only by blanks and comments. TriviaOf counts these
// comments as part of the item.
func startsLine(it source.Item) bool {
	src, start := it.Source().Native, source.TriviaOf(it).Start
	return len(bytes.TrimSpace(src[textedit.TextStart(src, start):start])) == 0
}
