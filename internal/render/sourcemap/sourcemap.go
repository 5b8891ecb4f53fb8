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

// A Range is a number of lines, one after the other, whose origins are so, too.
type Range struct {
	Line    int // the first line, starting at 1
	Count   int
	Origins []Origin // of the first line; those in override files come first
	// Approximate is set where no line of the original has the same tokens: for values that are
	// computed or translated from the other syntax, and for comments and blank lines that moved.
	Approximate bool
}

// A File is where the lines of a flattened file come from. Its ranges cover every line.
type File struct {
	Name   string
	Lines  int
	Ranges []Range
}

// A mapLine is where one line comes from.
type mapLine struct {
	Origins     []Origin
	Approximate bool
}

// At returns the origin of a line, which starts at 1. It reports false if the file does not have
// the line.
func (f *File) At(line int) (mapLine, bool) {
	i, found := slices.BinarySearchFunc(f.Ranges, line, func(r Range, line int) int { return r.Line - line })
	if !found {
		i--
	}
	if i < 0 || line >= f.Ranges[i].Line+f.Ranges[i].Count {
		return mapLine{}, false
	}
	r := f.Ranges[i]
	at := mapLine{slices.Clone(r.Origins), r.Approximate}
	for k := range at.Origins {
		at.Origins[k].Line += line - r.Line
	}
	return at, true
}

// Of maps the files of a module after flattening. The module has no errors.
func Of(m *merge.Module, flattened []*patch.File) []*File {
	mp := newMapper(m, flattened)
	mp.matchItems(flattened)
	files := make([]*File, 0, len(flattened))
	for _, t := range mp.texts {
		files = append(files, pack(t.name, t.finish(mp)))
	}
	return files
}

// pack joins lines to ranges.
func pack(name string, lines []mapLine) *File {
	f := &File{Name: name, Lines: len(lines), Ranges: []Range{}}
	for i, line := range lines {
		if n := len(f.Ranges); n > 0 && continues(f.Ranges[n-1], line) {
			f.Ranges[n-1].Count++
			continue
		}
		f.Ranges = append(f.Ranges, Range{i + 1, 1, line.Origins, line.Approximate})
	}
	return f
}

// continues reports whether the origin of a line continues a range.
func continues(r Range, line mapLine) bool {
	return r.Approximate == line.Approximate && slices.EqualFunc(r.Origins, line.Origins, func(a, b Origin) bool {
		return a.File == b.File && a.Line+r.Count == b.Line
	})
}

// A text is a flattened file on the way to its map.
type text struct {
	name   string
	src    []byte
	lines  [][]byte
	base   []int            // by line: the line of the original that the patch keeps; 0 for none
	tokens hclsyntax.Tokens // that mean something; none of a JSON file
	own    map[int]mapLine  // by token, or by line of a JSON file: the origins from items
	file   *source.File     // as it was loaded again; nil if that failed
}

func newText(d *patch.File) *text {
	t := &text{name: d.Name, src: d.New(), own: map[int]mapLine{}}
	t.lines = linesOf(t.src)
	t.base = make([]int, 0, len(t.lines))
	at := 0
	for _, r := range d.Runs {
		for ; at < r.From; at++ {
			t.base = append(t.base, at+1)
		}
		t.base = append(t.base, make([]int, len(r.Lines))...)
		at = r.To
	}
	for ; len(t.base) < len(t.lines); at++ {
		t.base = append(t.base, at+1)
	}
	return t
}

func linesOf(src []byte) [][]byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	return lines
}

func (t *text) isJSON() bool { return strings.HasSuffix(t.name, ".json") }

// meaningful are the tokens of native text but for line ends and comments.
func meaningful(src []byte, start hcl.Pos) hclsyntax.Tokens {
	return slices.DeleteFunc(parse.Tokens(src, "", start), func(k hclsyntax.Token) bool {
		return k.Type == hclsyntax.TokenNewline || k.Type == hclsyntax.TokenComment || k.Type == hclsyntax.TokenEOF
	})
}

// between are the numbers of the tokens in a stretch of bytes.
func (t *text) between(from, to int) (first, last int) {
	if t.tokens == nil && !t.isJSON() {
		t.tokens = meaningful(t.src, hcl.InitialPos)
	}
	find := func(at int) int {
		i, _ := slices.BinarySearchFunc(t.tokens, at, func(k hclsyntax.Token, at int) int { return k.Range.Start.Byte - at })
		return i
	}
	return find(from), find(to)
}

// finish computes the origin of each line.
func (t *text) finish(mp *mapper) []mapLine {
	lines := make([]mapLine, len(t.lines))
	for i, at := range t.base {
		if at > 0 {
			lines[i] = mapLine{Origins: []Origin{{t.name, at}}}
		}
	}
	for i, found := range t.byItems() {
		if len(found.Origins) > 0 {
			slices.SortStableFunc(found.Origins, func(a, b Origin) int { return mp.rank(a) - mp.rank(b) })
			lines[i] = found
			if t.isJSON() {
				was, _ := mp.lineOf(found.Origins[0])
				lines[i].Approximate = !bytes.Equal(bytes.Trim(was, " \t\r\n,"), bytes.Trim(t.lines[i], " \t\r\n,"))
			}
		}
	}
	t.fill(lines, mp)
	return lines
}

// byItems are the origins of lines by the items in them.
func (t *text) byItems() map[int]mapLine {
	if t.isJSON() {
		return t.own
	}
	found := map[int]mapLine{}
	for i, k := range t.tokens {
		of, isOwned := t.own[i]
		first, last := k.Range.Start.Line-1, k.Range.End.Line-1
		if last > first && k.Range.End.Column == 1 {
			last-- // the token ends with the line
		}
		for at := first; at <= last; at++ {
			line := found[at]
			switch {
			case isOwned && of.Approximate:
				line = mapLine{union(line.Origins, of.Origins), true}
			case isOwned:
				line.Origins = union(line.Origins, forward(of.Origins, at-first))
			case t.base[at] > 0:
				line.Origins = union(line.Origins, []Origin{{t.name, t.base[at]}})
			}
			found[at] = line
		}
	}
	return found
}

func forward(list []Origin, by int) []Origin {
	list = slices.Clone(list)
	for i := range list {
		list[i].Line += by
	}
	return list
}

func union(list, more []Origin) []Origin {
	for _, o := range more {
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// fill gives an origin to the lines that have none, which are comments, blank lines and what nothing
// matched: comments are looked up above the origin of the line below, and the others are taken for
// parts of that, or of the line above.
func (t *text) fill(lines []mapLine, mp *mapper) {
	for i := len(lines) - 2; i >= 0; i-- {
		if len(lines[i].Origins) > 0 || len(lines[i+1].Origins) == 0 {
			continue
		}
		below := lines[i+1].Origins[0]
		above := Origin{below.File, below.Line - 1}
		if lead, ok := mp.lineOf(above); ok && bytes.Equal(bytes.TrimSpace(lead), bytes.TrimSpace(t.lines[i])) {
			lines[i] = mapLine{Origins: []Origin{above}}
			continue
		}
		if from, ok := mp.commentFrom(t.lines[i]); ok {
			lines[i] = from
			continue
		}
		lines[i] = mapLine{[]Origin{below}, true}
	}
	last := mapLine{[]Origin{mp.anyOrigin(t)}, true}
	for i := range lines {
		if len(lines[i].Origins) == 0 {
			lines[i] = last
		}
		last = mapLine{lines[i].Origins, true}
	}
}

// A mapper matches the items of flattened files with those that they were made from.
type mapper struct {
	module *merge.Module
	texts  []*text
	lines  map[string][][]byte // computed on demand
	// comments are the comment lines of native files, by their texts; those of override files come
	// first. It is nil until needed.
	comments map[string][]Origin
}

func newMapper(m *merge.Module, flattened []*patch.File) *mapper {
	mp := &mapper{module: m, lines: map[string][][]byte{}}
	for _, d := range flattened {
		mp.texts = append(mp.texts, newText(d))
	}
	return mp
}

// rank sorts origins in override files before others.
func (mp *mapper) rank(o Origin) int {
	if f := mp.module.Source.File(o.File); f != nil && f.Role == source.Override {
		return 0
	}
	return 1
}

// lineOf is the text of a line of the original.
func (mp *mapper) lineOf(o Origin) ([]byte, bool) {
	f := mp.module.Source.File(o.File)
	if f == nil {
		return nil, false
	}
	lines, isKnown := mp.lines[o.File]
	if !isKnown {
		lines = linesOf(f.Raw)
		mp.lines[o.File] = lines
	}
	if o.Line < 1 || o.Line > len(lines) {
		return nil, false
	}
	return lines[o.Line-1], true
}

// commentFrom is the origin of a comment on a separate line that moved to another item.
func (mp *mapper) commentFrom(line []byte) (from mapLine, ok bool) {
	line = bytes.TrimSpace(line)
	if !isComment(line) {
		return mapLine{}, false
	}
	if mp.comments == nil {
		mp.findComments()
	}
	found := mp.comments[string(line)]
	if len(found) == 0 {
		return mapLine{}, false
	}
	return mapLine{found[:1:1], len(found) > 1}, true
}

func isComment(line []byte) bool {
	return bytes.HasPrefix(line, []byte("#")) || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*"))
}

func (mp *mapper) findComments() {
	mp.comments = map[string][]Origin{}
	for _, f := range slices.Backward(mp.module.Source.Files) { // override files come last
		if f.Syntax == source.JSON {
			continue
		}
		for i, line := range linesOf(f.Raw) {
			if line = bytes.TrimSpace(line); isComment(line) {
				mp.comments[string(line)] = append(mp.comments[string(line)], Origin{f.Name, i + 1})
			}
		}
	}
}

// anyOrigin is the origin for a text in which nothing has one.
func (mp *mapper) anyOrigin(t *text) Origin {
	if mp.module.Source.File(t.name) != nil {
		return Origin{t.name, 1}
	}
	for _, f := range mp.module.Source.Files {
		if f.Role == source.Override {
			return Origin{f.Name, 1}
		}
	}
	return Origin{t.name, 1}
}

// originals are the items in effect that overrides addressed, and those beside them.
type originals struct {
	items map[address.Address]*merge.MergedItem
	texts map[spellingKey]source.Item // the first of a spelling, of items that have numbers
}

// A spellingKey identifies an item by its address without a number, and by its tokens.
type spellingKey struct {
	own    address.Address
	tokens string
}

func originalsOf(m *merge.Module) originals {
	wants := func(*source.File, int) bool { return false } // the patch keeps the lines of blocks that no override addresses
	was := originals{map[address.Address]*merge.MergedItem{}, map[spellingKey]source.Item{}}
	address.WalkSome(m, wants, func(own address.Address, e *merge.MergedItem) {
		was.items[own] = e
		if e.Rule.Match != rules.ByPosition && len(e.Live) < 2 || e.Inner() != nil {
			return
		}
		for _, it := range e.Live {
			key := spellingKey{unnumbered(own, e), spelling(tokensOf(it.Source(), it.Extent()))}
			if was.texts[key] == nil {
				was.texts[key] = it
			}
		}
	})
	return was
}

// find finds the original of an item in a flattened module: the item with its number among as many,
// or the first with the same spelling.
func (was originals) find(t *text, own address.Address, e *merge.MergedItem, i int) (from source.Item, old *merge.MergedItem) {
	old = was.items[own]
	if old != nil && len(old.Live) == len(e.Live) {
		if from = old.Live[i]; e.Rule.Match != rules.ByPosition || t.isJSON() || t.sameTokens(e.Live[i].Extent(), from) {
			return from, old
		}
	}
	if !t.isJSON() {
		at := e.Live[i].Extent()
		first, last := t.between(at.Start.Byte, at.End.Byte)
		if found := was.texts[spellingKey{unnumbered(own, e), spelling(t.tokens[first:last])}]; found != nil {
			return found, nil
		}
	}
	if from == nil && old != nil && len(old.Live) > 0 {
		from = old.Live[min(i, len(old.Live)-1)]
	}
	return from, old
}

// unnumbered is the address of an item without its number, if it has one.
func unnumbered(own address.Address, e *merge.MergedItem) address.Address {
	if e.Rule.Match == rules.ByPosition && own.Last() != e.Key.Name {
		return own.Parent()
	}
	return own
}

func spelling(tokens hclsyntax.Tokens) string {
	var b strings.Builder
	for _, k := range tokens {
		b.Write(k.Bytes)
		b.WriteByte(0)
	}
	return b.String()
}

// matchItems looks up the items that overrides addressed, and their neighbours, in the flattened
// module. All other lines are those that the patch keeps.
func (mp *mapper) matchItems(flattened []*patch.File) {
	byName := map[string]*text{}
	for _, t := range mp.texts {
		byName[t.name] = t
	}
	flat, _ := rewrite.Reload(mp.module, flattened)
	if flat == nil {
		return
	}
	was := originalsOf(mp.module)
	from := map[*source.File]*text{}
	for _, f := range flat.Source.Files {
		if t := byName[f.Name]; t != nil {
			t.file, from[f] = f, t
		}
	}
	address.WalkAll(flat, func(own address.Address, e *merge.MergedItem) {
		for i, it := range e.Live {
			t := from[it.Source()]
			if t == nil {
				continue
			}
			if from, old := was.find(t, own, e, i); from != nil {
				t.match(it, from, old)
			}
		}
	})
}

// match notes where the lines of an item are from.
func (t *text) match(it, from source.Item, old *merge.MergedItem) {
	isMerged := old != nil && old.Inner() != nil
	switch {
	case t.isJSON():
		if !isMerged {
			t.claimLines(it, from)
		}
		return
	case isMerged:
		t.claimFrame(it, from)
	case !t.claim(it.Extent(), from.Source(), from.Extent()):
		t.claimRoughly(it, from, old)
	}
	t.claimAround(it, from)
}

func (t *text) sameTokens(at hcl.Range, it source.Item) bool {
	first, last := t.between(at.Start.Byte, at.End.Byte)
	return slices.EqualFunc(t.tokens[first:last], tokensOf(it.Source(), it.Extent()), isSame)
}

func isSame(a, b hclsyntax.Token) bool { return a.Type == b.Type && bytes.Equal(a.Bytes, b.Bytes) }

// claim marks the tokens of a stretch as coming from a stretch in the original, if the tokens are
// equal.
func (t *text) claim(at hcl.Range, f *source.File, of hcl.Range) bool {
	first, last := t.between(at.Start.Byte, at.End.Byte)
	theirs := tokensOf(f, of)
	if !slices.EqualFunc(t.tokens[first:last], theirs, isSame) {
		return false
	}
	for i, k := range theirs {
		t.own[first+i] = mapLine{[]Origin{{f.Name, f.Place(k.Range).Start.Line}}, f.Syntax == source.JSON}
	}
	return true
}

// tokensOf are the tokens of a stretch of a file. A heredoc ends with its line, whose end is not
// part of an item.
func tokensOf(f *source.File, of hcl.Range) hclsyntax.Tokens {
	tokens := meaningful(append(f.Text(of), '\n'), of.Start)
	for i := range tokens {
		tokens[i].Range.Filename = f.Name
	}
	return tokens
}

// claimFrame notes of the header and the braces of a block where they are from.
func (t *text) claimFrame(it, from source.Item) {
	b, isBlock := it.(*source.Block)
	of, isOf := from.(*source.Block)
	if isBlock && isOf {
		t.claim(hcl.RangeBetween(b.Extent(), b.OpenBrace()), of.File, hcl.RangeBetween(of.Extent(), of.OpenBrace()))
		t.claim(b.CloseBrace(), of.File, of.CloseBrace())
	}
}

// claimAround does so for the blocks around an item, unless the patch keeps their lines.
func (t *text) claimAround(it, from source.Item) {
	b, of := it.Within(), from.Within()
	for b != nil && of != nil {
		first, _ := t.between(b.Extent().Start.Byte, b.Extent().Start.Byte)
		if _, isOwned := t.own[first]; isOwned || t.base[b.Extent().Start.Line-1] > 0 {
			return
		}
		t.claimFrame(b, of)
		b, of = b.Within(), of.Within()
	}
}

// claimRoughly notes where an item is from that no other one has the tokens of.
func (t *text) claimRoughly(it, from source.Item, old *merge.MergedItem) {
	line := roughly(from)
	if old != nil {
		if s := old.Computed(); s != nil {
			line.Origins = union(roughly(cmp.Or(s.By(), from)).Origins, line.Origins)
		}
	}
	first, last := t.between(it.Extent().Start.Byte, it.Extent().End.Byte)
	for i := first; i < last; i++ {
		t.own[i] = line
	}
}

func roughly(it source.Item) mapLine {
	return mapLine{[]Origin{{it.Source().Name, source.Where(it).Start.Line}}, true}
}

// claimLines notes where the lines of an item of a JSON file are from.
func (t *text) claimLines(it, from source.Item) {
	start, end := source.Spread(it)
	at := t.file.RawRange([2]uint32{uint32(start), uint32(end)})
	lines := at.End.Line - at.Start.Line
	line := roughly(from)
	isLined := false // line by line the same
	if f := from.Source(); f.Syntax == source.JSON {
		start, end := source.Spread(from)
		of := f.RawRange([2]uint32{uint32(start), uint32(end)})
		isLined = of.End.Line-of.Start.Line == lines
		line.Origins[0].Line = of.Start.Line
	}
	for i := range lines + 1 {
		if t.base[at.Start.Line-1+i] > 0 && !source.IsOverride(from) {
			continue
		}
		own := line
		if isLined {
			own.Origins = forward(line.Origins, i)
		}
		t.own[at.Start.Line-1+i] = own
	}
}
