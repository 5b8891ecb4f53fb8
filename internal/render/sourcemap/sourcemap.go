// Package sourcemap finds where the lines of flattened files come from.
//
// From a merged module and its files after flattening, as rewrite.Diff makes them, it derives for
// every line of those files the lines of the original that made it. The origin of a line that an
// override file made is that file, even if the primary file contains the same line: only there can
// it be corrected. The package reads no files. It does not follow called modules, which have
// separate maps.
package sourcemap

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// An Origin is a line of a file of the original module, starting at 1.
type Origin struct {
	File string
	Line int
}

// Lines are, for each line of a flattened file, the original lines that it comes from, those in override files first.
// Every line has one, if only a near one: a computed value comes from the lines of the values that decide it.
type Lines [][]Origin

// Of returns the Lines of each flattened file of a module, in their order. The module has no errors.
func Of(m *merge.Module, flattened []*patch.File) (list []Lines) {
	mp := &mapper{module: m, texts: map[string]*text{}, lines: map[string][][]byte{}}
	mp.comments = sync.OnceValue(mp.findComments)
	for _, d := range flattened {
		mp.texts[d.Name] = newText(d)
	}
	mp.matchItems(flattened)
	for _, d := range flattened {
		list = append(list, mp.linesOf(mp.texts[d.Name]))
	}
	return list
}

// A text is a flattened file on the way to its map.
type text struct {
	name   string
	src    []byte
	lines  [][]byte
	base   []int            // by line: its number in the primary file, from 1, if flattening kept it; else 0
	tokens hclsyntax.Tokens // without comments and line ends, none of which has several lines; none of a JSON file
	own    map[int][]Origin // the origins found by items: by index in tokens, or by line of a JSON file
}

// newText splits a flattened file into lines, and notes the original number of those that flattening kept.
func newText(d *patch.File) *text {
	t := &text{name: d.Name, src: d.New(), own: map[int][]Origin{}}
	t.lines = splitLines(t.src)
	t.base = make([]int, 0, len(t.lines))
	old := 0 // the index of a line in the primary file
	for _, r := range d.Runs {
		for ; old < r.From; old++ { // lines kept before the run
			t.base = append(t.base, old+1)
		}
		t.base = append(t.base, make([]int, len(r.Lines))...) // new lines have the number 0
		old = r.To
	}
	for ; len(t.base) < len(t.lines); old++ { // lines kept after the last run
		t.base = append(t.base, old+1)
	}
	return t
}

// splitLines cuts a text into lines with their line ends.
func splitLines(src []byte) [][]byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	return lines
}

// isJSON reports whether the file has JSON syntax: it has no tokens then.
func (t *text) isJSON() bool { return strings.HasSuffix(t.name, ".json") }

// meaningfulTokens returns the tokens of native text except for line ends and comments.
func meaningfulTokens(src []byte, name string, start hcl.Pos) hclsyntax.Tokens {
	return slices.DeleteFunc(parse.Tokens(src, name, start), func(k hclsyntax.Token) bool {
		return k.Type == hclsyntax.TokenNewline || k.Type == hclsyntax.TokenComment || k.Type == hclsyntax.TokenEOF
	})
}

// tokensIn returns the indexes in t.tokens of the first token in a stretch and of the first one behind it; 0 and 0
// for a JSON file, which has none. The first call finds all tokens.
func (t *text) tokensIn(stretch hcl.Range) (first, end int) {
	if t.tokens == nil && !t.isJSON() {
		t.tokens = meaningfulTokens(t.src, t.name, hcl.InitialPos)
	}
	find := func(at int) int {
		i, _ := slices.BinarySearchFunc(t.tokens, at, func(k hclsyntax.Token, at int) int { return k.Range.Start.Byte - at })
		return i
	}
	return find(stretch.Start.Byte), find(stretch.End.Byte)
}

// originsByItems returns, by the index of a line, the origins of the items on it: several if it has several items. A
// token that belongs to no item with an origin comes from the primary file if flattening kept its line.
func (t *text) originsByItems() map[int][]Origin {
	if t.isJSON() {
		return t.own
	}
	found := map[int][]Origin{}
	for i, k := range t.tokens {
		at := k.Range.Start.Line - 1 // the index of its line
		of, isOwned := t.own[i]
		if !isOwned && t.base[at] > 0 { // flattening kept the line, so it comes from the primary file
			of = []Origin{{t.name, t.base[at]}}
		}
		if list := union(found[at], of); len(list) > 0 {
			found[at] = list
		}
	}
	return found
}

// union returns list, followed by those origins of more that it lacks.
func union(list, more []Origin) []Origin {
	for _, o := range more {
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// A mapper matches the items of flattened files with those that they were made from.
type mapper struct {
	module *merge.Module
	texts  map[string]*text
	lines  map[string][][]byte // of the original, computed on demand
	// comments are the comment lines of native files, by their texts, in an override file if one has
	// them.
	comments func() map[string]Origin
}

// linesOf returns the origins of each line of a text: first those of lines that flattening kept, then those found by
// items, then near ones for the rest.
func (mp *mapper) linesOf(t *text) Lines {
	lines := make(Lines, len(t.lines))
	for i, at := range t.base {
		if at > 0 {
			lines[i] = []Origin{{t.name, at}}
		}
	}
	for i, found := range t.originsByItems() {
		slices.SortStableFunc(found, func(a, b Origin) int { return mp.rank(a) - mp.rank(b) })
		lines[i] = found
	}
	mp.fillGaps(lines, t)
	return lines
}

// rank returns 0 for an origin in an override file, 1 for others, to sort by.
func (mp *mapper) rank(o Origin) int {
	if f := mp.module.Source.File(o.File); f != nil && f.Role == source.Override {
		return 0
	}
	return 1
}

// fillGaps gives an origin to the lines that have none: comments, blank lines and lines for which no item was found.
// Each gets the first origin of the line below it or, failing that, the origins of the line above. A comment instead
// gets the original line with its text: the one just above the origin of the line below, else wherever one is.
func (mp *mapper) fillGaps(lines Lines, t *text) {
	for i := len(lines) - 2; i >= 0; i-- { // upwards, since the line below must have an origin by then
		if len(lines[i]) > 0 || len(lines[i+1]) == 0 {
			continue
		}
		// For a start, the origin of the line below. A comment may have a better one.
		lines[i] = lines[i+1][:1]
		text := bytes.TrimSpace(t.lines[i])
		justAbove := Origin{lines[i][0].File, lines[i][0].Line - 1}
		// Its original is usually the line before that origin.
		if lead, ok := mp.lineOf(justAbove); ok && bytes.Equal(bytes.TrimSpace(lead), text) {
			lines[i] = []Origin{justAbove}
		} else if o, ok := mp.comments()[string(text)]; ok { // the comment is elsewhere
			lines[i] = []Origin{o}
		}
	}
	// last has the origins of the line above; above the first line, it has any origin.
	last := []Origin{mp.anyOrigin(t)}
	for i := range lines { // downwards, for lines with no origin below them
		if len(lines[i]) == 0 {
			lines[i] = last
		}
		last = lines[i]
	}
}

// lineOf returns the text of a line of the original; false if there is no such line.
func (mp *mapper) lineOf(o Origin) ([]byte, bool) {
	lines, isKnown := mp.lines[o.File]
	if f := mp.module.Source.File(o.File); f != nil && !isKnown {
		lines = splitLines(f.Raw)
		mp.lines[o.File] = lines
	}
	if o.Line < 1 || o.Line > len(lines) {
		return nil, false
	}
	return lines[o.Line-1], true
}

// findComments returns where the comment lines of native files are, by their texts. Of equal ones, the first in the
// last file counts: that is an override file if one has the comment.
func (mp *mapper) findComments() map[string]Origin {
	found := map[string]Origin{}
	for _, f := range mp.module.Source.Files { // override files come last
		if f.Syntax == source.JSON {
			continue
		}
		for i, line := range slices.Backward(splitLines(f.Raw)) { // earlier lines replace later ones
			if line = bytes.TrimSpace(line); isComment(line) {
				found[string(line)] = Origin{f.Name, i + 1}
			}
		}
	}
	return found
}

// isComment reports whether a line without indentation starts with a comment.
func isComment(line []byte) bool {
	return bytes.HasPrefix(line, []byte("#")) || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*"))
}

// anyOrigin returns the origin for the lines of a text in which no line has one: line 1 of the primary file or, for a
// file that flattening creates, of an override file.
func (mp *mapper) anyOrigin(t *text) Origin {
	if mp.module.Source.File(t.name) == nil { // a new file, with nothing but items of override files
		files := mp.module.Source.Files
		return Origin{files[len(files)-1].Name, 1} // an override file: these come last
	}
	return Origin{t.name, 1}
}

// originals are the items of the module before flattening: those that overrides addressed, and those beside them.
type originals struct {
	items map[address.Address]*merge.MergedItem
	texts map[spellingKey]source.Item // of equal items with numbers, such as a.b[1], the first
}

// A spellingKey identifies an item whose number is unknown: by its address without that, such as a.b for a.b[1], and
// by its tokens, which are the same however it is aligned.
type spellingKey struct {
	own    address.Address
	tokens string
}

// originalsOf collects the items for find: all by their addresses, and some also by their spelling, because
// flattening may number them differently: if it drops the first of several, the second one becomes the first. That
// concerns items that only their position tells apart, such as moved blocks, and those of which several are in
// effect, such as ingress blocks. A merged block isn't among them, because no original file has its text.
func originalsOf(m *merge.Module) originals {
	orig := originals{map[address.Address]*merge.MergedItem{}, map[spellingKey]source.Item{}}
	// Only blocks that overrides can change are visited: flattening keeps the lines of others.
	wantsUnchangeable := func(*source.File, int) bool { return false }
	address.WalkSome(m, wantsUnchangeable, func(own address.Address, e *merge.MergedItem) {
		orig.items[own] = e
		isNumbered := e.Rule.Match == rules.ByPosition || len(e.Live) > 1
		if !isNumbered || e.Inner() != nil { // its address is enough, or it is a merged block
			return
		}
		for _, it := range e.Live {
			key := spellingKey{unnumbered(own, e), joinedTokens(tokensOf(it.Source(), it.Extent()))}
			if orig.texts[key] == nil { // the first of equal ones counts
				orig.texts[key] = it
			}
		}
	})
	return orig
}

// find returns the original of e.Live[i], an item of the flattened file t with the address own; from is nil if there
// is none. It prefers the item with the same number if there were as many, then the first one with the same spelling.
// old is the original's entry, or nil if the item was found by its spelling.
func (orig originals) find(t *text, own address.Address, e *merge.MergedItem, i int) (from source.Item, old *merge.MergedItem) {
	// The item with the same number, unless flattening may have renumbered the items.
	if old = orig.items[own]; old != nil && len(old.Live) == len(e.Live) {
		from = old.Live[i]
		mayBeRenumbered := e.Rule.Match == rules.ByPosition
		if !mayBeRenumbered || t.isJSON() { // JSON has no tokens to compare
			return from, old
		}
	}
	// An item with the same spelling: from, if it has it, or else the first. Without one, from counts after all.
	if !t.isJSON() {
		first, end := t.tokensIn(e.Live[i].Extent())
		text := joinedTokens(t.tokens[first:end])
		if from != nil && text == joinedTokens(tokensOf(from.Source(), from.Extent())) { // its number is the same
			return from, old
		}
		if found := orig.texts[spellingKey{unnumbered(own, e), text}]; found != nil {
			return found, nil
		}
	}
	// No equal item: one of the same name is better than none.
	if from == nil && old != nil && len(old.Live) > 0 {
		from = old.Live[min(i, len(old.Live)-1)]
	}
	return from, old
}

// unnumbered returns the address of an item without its number: provisioner for provisioner[1]. An address without
// one stays.
func unnumbered(own address.Address, e *merge.MergedItem) address.Address {
	if e.Rule.Match == rules.ByPosition && own.Last() != e.Key.Name {
		return own.Parent()
	}
	return own
}

// joinedTokens joins the bytes of tokens, so that texts can be compared apart from blanks.
func joinedTokens(tokens hclsyntax.Tokens) string {
	var b strings.Builder
	for _, k := range tokens {
		b.Write(k.Bytes)
		b.WriteByte(0)
	}
	return b.String()
}

// matchItems reads the flattened files as a module. For each item, it looks for the original in the module before
// flattening, and records the origins of its lines. Lines for which it finds none are those that flattening kept.
func (mp *mapper) matchItems(flattened []*patch.File) {
	flat, _ := rewrite.Reload(mp.module, flattened)
	if flat == nil { // there are no files
		return
	}
	orig := originalsOf(mp.module)
	address.WalkAll(flat, func(own address.Address, e *merge.MergedItem) {
		for i, it := range e.Live {
			t := mp.texts[it.Source().Name]
			if original, entry := orig.find(t, own, e, i); original != nil {
				t.recordOrigins(it, original, entry)
			}
		}
	})
}

// recordOrigins records that the lines of an item of the flattened file come from those of its original. entry is the
// original's merged item in the module before flattening; nil if unknown. Of a merged block only the header and the
// braces are recorded, and in JSON nothing, because the items inside have calls of their own.
func (t *text) recordOrigins(item, original source.Item, entry *merge.MergedItem) {
	isMerged := entry != nil && entry.Inner() != nil
	switch {
	case t.isJSON():
		if !isMerged {
			t.recordLines(item, original)
		}
		return
	case isMerged:
		t.recordFrame(item, original)
	case !t.recordTokens(item.Extent(), original.Source(), original.Extent()): // the tokens differ
		t.recordRoughly(item, original, entry) // all get the original's first line
	}
	t.recordFramesAround(item, original)
}

// recordTokens records that the tokens in the range at come from the range of in file f. If the tokens of the two
// aren't equal, it records nothing and returns false.
func (t *text) recordTokens(at hcl.Range, f *source.File, of hcl.Range) bool {
	first, end := t.tokensIn(at)
	theirs := tokensOf(f, of)
	if joinedTokens(t.tokens[first:end]) != joinedTokens(theirs) {
		return false
	}
	for i, k := range theirs {
		t.own[first+i] = []Origin{{f.Name, f.Place(k.Range).Start.Line}}
	}
	return true
}

// tokensOf returns the tokens of a stretch of a file, without comments. The added line end is for a heredoc, which
// ends with its line, whose end is not part of an item.
func tokensOf(f *source.File, of hcl.Range) hclsyntax.Tokens {
	return meaningfulTokens(append(f.Text(of), '\n'), f.Name, of.Start) // append copies the text
}

// recordFrame records where the header and the braces of a block come from. It does nothing for arguments.
func (t *text) recordFrame(it, from source.Item) {
	b, isBlock := it.(*source.Block)
	of, isOf := from.(*source.Block)
	if isBlock && isOf {
		t.recordTokens(hcl.RangeBetween(b.Extent(), b.OpenBrace()), of.File, hcl.RangeBetween(of.Extent(), of.OpenBrace()))
		t.recordTokens(b.CloseBrace(), of.File, of.CloseBrace())
	}
}

// recordFramesAround records where the headers and braces of the blocks around an item come from: the blocks around
// its original. It stops at a block that is known already, or whose line flattening kept.
func (t *text) recordFramesAround(item, original source.Item) {
	around, from := item.Within(), original.Within()
	for around != nil && from != nil {
		first, _ := t.tokensIn(around.Extent())
		if _, isKnown := t.own[first]; isKnown || t.base[around.Extent().Start.Line-1] > 0 {
			return
		}
		t.recordFrame(around, from)
		around, from = around.Within(), from.Within()
	}
}

// recordRoughly gives all tokens of item, in the flattened file t, the first line of original, since their own lines
// are not known. For a computed value, the line of the item that decided on it comes first. entry is the original's
// merged item; nil if unknown. t must be a native file: one in JSON has no tokens, so recordLines does it there.
func (t *text) recordRoughly(item, original source.Item, entry *merge.MergedItem) {
	origins := []Origin{originOf(original)}
	if entry != nil {
		if s := entry.Computed(); s != nil {
			decider := cmp.Or(s.By(), original)
			origins = union([]Origin{originOf(decider)}, origins)
		}
	}
	first, end := t.tokensIn(item.Extent())
	for i := first; i < end; i++ {
		t.own[i] = origins
	}
}

// originOf returns the first line of an item.
func originOf(it source.Item) Origin { return Origin{it.Source().Name, source.Where(it).Start.Line} }

// recordLines records where the lines of an item of a JSON file come from: line by line, if the original is JSON with
// as many lines, else all from its first line. A line that flattening kept has an origin already. It gets another one
// only if from is in an override file, whose value has the same text.
func (t *text) recordLines(it, from source.Item) {
	at, of := rawRange(it), rawRange(from) // in the flattened file, and in the original one
	origin, isLineByLine := originOf(from), false
	if from.Source().Syntax == source.JSON {
		origin.Line = of.Start.Line
		// With as many lines, each comes from its counterpart.
		isLineByLine = of.End.Line-of.Start.Line == at.End.Line-at.Start.Line
	}
	for line := at.Start.Line; line <= at.End.Line; line++ {
		if t.base[line-1] == 0 || source.IsOverride(from) { // a new line, or one that an override brought
			t.own[line-1] = []Origin{origin}
		}
		if isLineByLine {
			origin.Line++
		}
	}
}

// rawRange returns where an item is in the text of its file as it is on disk. Its Extent counts in the native text
// instead, into which load translates JSON.
func rawRange(it source.Item) hcl.Range {
	start, end := source.Spread(it)
	return it.Source().RawRange([2]uint32{uint32(start), uint32(end)})
}
