package feature

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Finding out what someone is writing, in native text that need not be valid yet: which blocks
// are around the cursor, and whether a name or a label belongs there.

// A cursor is a position at which someone writes.
type cursor struct {
	at cursorPlace
	// around are the file and the blocks around the cursor, from the outside in. The last one
	// includes its contents on both sides of the cursor.
	around []*writtenBlock
	// header is the header of the block whose label is being written.
	header writtenBlock
	// isQuoted and isClosed are set if the label has an opening and a closing quote.
	isQuoted, isClosed bool
	from, to           int    // offsets of the word at the cursor, which completion replaces
	rest               string // of the line, after the word
}

// A cursorPlace is the kind of text that belongs at a cursor.
type cursorPlace int

const (
	atNothing cursorPlace = iota // nothing that completion knows
	atName                       // the name of an argument, or the type of a block
	atLabel
)

// A writtenBlock is a block as far as it is written, or the whole file.
type writtenBlock struct {
	typ    string
	labels []string
	has    map[string]bool // names of arguments and types of blocks; in a file the keys of blocks
}

// key identifies a block in a file, for writtenBlock.has: its type and labels.
func (b *writtenBlock) key() string {
	return strings.Join(append([]string{b.typ}, b.labels...), "\x00")
}

// add records in has that the block contains a name.
func (b *writtenBlock) add(name string) {
	if b.has == nil {
		b.has = map[string]bool{}
	}
	b.has[name] = true
}

// cursorAt finds out which text belongs at an offset of a native text. To be quick, it skips complete blocks before
// the cursor (passOver), and reads only the tokens from there to the cursor. After the cursor it only reads what else
// the innermost block contains (readAhead).
func cursorAt(src []byte, offset int) cursor {
	whole := &writtenBlock{}
	r := &textReader{frames: []*writtenBlock{whole}}
	r.read(src[:offset], whole.passOver(src, 0, offset))
	// The word to replace ends behind the cursor. It starts at the cursor, unless the reader found a start before it.
	c := cursor{around: r.frames, header: r.header, from: offset, to: offset}
	for c.to < len(src) && isNamePart(src[c.to]) {
		c.to++
	}
	c.rest = string(src[c.to:lineEnd(src, c.to)])
	isInWord := r.wordEnd == offset
	switch { // in the examples, | is the cursor
	case r.state == inHeader && r.isQuoted: // resource "aws_|
		c.at, c.from = atLabel, r.quoteAt
		c.dropLabel()
		c.toQuote(src, offset)
	case r.state == inHeader && isInWord && len(r.header.labels) == 0: // reso|
		c.at, c.from = atName, r.wordAt
	case r.state == inHeader && isInWord: // resource aws_|
		c.at, c.from = atLabel, r.wordAt
		c.dropLabel()
	case r.state == inHeader: // resource |
		c.at = atLabel
	case r.state == atStart && !r.isInComment:
		c.at = atName
	}
	if c.at == atName { // completion leaves out names that the block has already
		c.readAhead(src)
	}
	return c
}

// dropLabel removes the last label from the header: the unfinished one at the cursor, which completion replaces.
func (c *cursor) dropLabel() { c.header.labels = c.header.labels[:len(c.header.labels)-1] }

// toQuote sets isQuoted and the fields about the text after a cursor in a quoted label. The label ends at the next
// quote if an odd number of them follows on the line: aws_|" "web" {. If the number is even, the label has no end
// yet, because the first of them opens the next label: aws_| "web" {.
func (c *cursor) toQuote(src []byte, offset int) {
	c.isQuoted, c.to = true, offset
	line := string(src[offset:lineEnd(src, offset)])
	if strings.Count(line, `"`)%2 == 1 {
		quote := strings.IndexByte(line, '"')
		c.isClosed, c.to, c.rest = true, offset+quote, line[quote+1:]
	}
}

// passOver records the complete blocks of a file, b, from an offset on. It returns where it stops: before the
// first text that isn't a block, before a block that reaches beyond end, or before a last block without a line
// end. It is much faster than reading the tokens of these blocks.
func (b *writtenBlock) passOver(src []byte, from, end int) int {
	scan := outline.NewScanner(src)
	scan.Resume(outline.Place{Line: 1, Column: 1, Byte: uint32(from)})
	for scan.Next() == outline.Found {
		at := int(scan.At().Byte) // behind the block that was found
		if at > end || src[at-1] != '\n' {
			break // someone may be writing in it, or right behind it
		}
		header := headerOf(src, scan)
		found := writtenBlock{typ: header[0], labels: header[1:]}
		b.add(found.key())
		from = at
	}
	return from
}

// maxTries is how often readAhead skips text that it can't read, because trying takes time.
const maxTries = 20

// nextLine finds a line that may be the first of a block. A match ends behind the line's first character.
var nextLine = lazyregexp.New(`\n[a-z]`)

// readAhead records what the innermost block contains after the cursor. In a file it skips lines that it can't read.
// In a block it reads up to the next line with a closing brace. That brace may end a nested block, so it tries again
// up to the 2nd, 4th, 8th and so on, until the block ends. Always reading the whole file would be slow.
func (c *cursor) readAhead(src []byte) {
	inner := c.around[len(c.around)-1]
	if len(c.around) == 1 { // the file itself
		from := textedit.AfterLine(src, c.to)
		for range maxTries {
			from = inner.passOver(src, from, len(src))
			at := nextLine().FindIndex(src[from:])
			if at == nil {
				return
			}
			from += at[1] - 1 // the start of the line
		}
		return
	}
	for braces := 1; ; braces *= 2 {
		end := afterBraces(src, c.to, braces)
		// The first frame stands for all that is around inner, so reading stops where inner ends.
		r := &textReader{frames: []*writtenBlock{{}, inner}, least: 2}
		r.read(src[:end], c.to)
		if len(r.frames) < r.least || end == len(src) { // the block is complete
			return
		}
	}
}

// afterBraces skips n lines after from that start with }, as the last line of a top-level block does. It returns the
// offset behind the n-th of these braces; the end of src if there are fewer.
func afterBraces(src []byte, from, n int) int {
	for range n {
		at := bytes.Index(src[from:], []byte("\n}"))
		if at < 0 {
			return len(src)
		}
		from += at + 2
	}
	return from
}

// isNamePart reports whether a byte may be part of a name. Bytes beyond ASCII may.
func isNamePart(b byte) bool {
	return b == '_' || b == '-' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// A readState is the position of a textReader in the grammar.
type readState int

const (
	atStart  readState = iota // of an argument or a block
	inHeader                  // after the name
	inValue
	inOther // after a block, or in text that can't be read, until the line ends
)

// A textReader reads the tokens of a text that may be incomplete, and keeps track of the blocks that are open.
type textReader struct {
	frames []*writtenBlock // the file and the blocks that are open
	least  int             // reading ends when there are fewer frames
	state  readState
	depth  int // of brackets in a value

	header          writtenBlock // of the argument or block being read
	wordAt, wordEnd int          // offsets of the last word in it
	isQuoted        bool         // in a quoted label
	quoteAt         int          // after its opening quote
	isInComment     bool         // in a comment until the end of the line
	restarts        int          // after quotes without an end; counted by read
	slashEnd        int          // end of the last slash, to find a /* that never ends
	isOver          bool         // set once in a comment that never ends: nothing after it counts
}

// maxRestarts is how many quotes without an end are tolerated.
const maxRestarts = 4

// read reads a text from an offset to its end, or until there are fewer frames than least. A quote without an
// end would swallow the rest of the text, so behind one it starts again on the next line.
func (r *textReader) read(src []byte, base int) {
	for {
		tokens := parse.Tokens(src[base:], "", hcl.InitialPos)
		restart := -1 // the offset to start again at, if any
		for _, t := range tokens {
			if len(r.frames) < r.least {
				return
			}
			if !r.token(t, base) {
				restart = base + t.Range.End.Byte
				break
			}
		}
		if restart < 0 {
			return
		}
		if r.restarts == maxRestarts {
			r.state = inOther // give up
			return
		}
		r.restarts++
		base = restart
	}
}

// token reads a token; base is the offset at which the tokens start. It reports false at the end of a line on which a
// quote has no end: the tokens after it are wrong, and reading must start again there.
func (r *textReader) token(t hclsyntax.Token, base int) bool {
	from, to := base+t.Range.Start.Byte, base+t.Range.End.Byte
	if t.Type == hclsyntax.TokenEOF {
		return true
	}
	r.isInComment = false
	// A comment without an end comes as the tokens / and *.
	opensComment := t.Type == hclsyntax.TokenStar && r.slashEnd == from && from > 0
	if opensComment || r.isOver {
		r.state, r.isOver = inOther, true
		return true
	}
	switch t.Type {
	case hclsyntax.TokenQuotedNewline: // the quote has no end: keep the open blocks, but forget the line (atStart)
		*r = textReader{frames: r.frames, least: r.least, restarts: r.restarts}
		return false
	case hclsyntax.TokenComment:
		isLine := bytes.HasPrefix(t.Bytes, []byte("#")) || bytes.HasPrefix(t.Bytes, []byte("//"))
		isEnded := bytes.HasSuffix(t.Bytes, []byte("\n"))
		r.isInComment = isLine && !isEnded
		if isLine && isEnded {
			r.newline()
		}
		return true
	case hclsyntax.TokenNewline:
		r.newline()
		return true
	case hclsyntax.TokenSlash:
		r.slashEnd = to
	}
	// Any other token means what the state says.
	switch r.state {
	case atStart:
		r.start(t, from, to)
	case inHeader:
		r.inHeader(t, from, to)
	default:
		r.inValue(t)
	}
	return true
}

// newline ends a header or a value, but not a value with open brackets, which goes on.
func (r *textReader) newline() {
	if r.state == inHeader || r.depth == 0 {
		r.state, r.isQuoted = atStart, false
	}
}

// start reads the first token of an argument or a block. If it isn't a name, only the brackets in the rest of
// the line count.
func (r *textReader) start(t hclsyntax.Token, from, to int) {
	switch t.Type {
	case hclsyntax.TokenIdent:
		r.state, r.header = inHeader, writtenBlock{typ: string(t.Bytes)}
		r.wordAt, r.wordEnd = from, to
	default:
		r.state = inOther
		r.inValue(t)
	}
}

// inHeader reads a token after the name of an item: labels, until an equals sign starts a value or a brace
// opens a block. Then it records the item in the block around it by its name; in the file itself, a block by
// its key.
func (r *textReader) inHeader(t hclsyntax.Token, from, to int) {
	inner := r.frames[len(r.frames)-1]
	switch t.Type {
	// A quoted label. Its text follows in one token or several.
	case hclsyntax.TokenOQuote:
		r.isQuoted, r.quoteAt = true, to
		r.header.labels = append(r.header.labels, "")
	case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit:
		if r.isQuoted {
			r.header.labels[len(r.header.labels)-1] += string(t.Bytes)
		}
	case hclsyntax.TokenCQuote:
		r.isQuoted = false
	// A label without quotes.
	case hclsyntax.TokenIdent:
		r.header.labels = append(r.header.labels, string(t.Bytes))
		r.wordAt, r.wordEnd = from, to
	// An argument: its value follows.
	case hclsyntax.TokenEqual:
		inner.add(r.header.typ)
		r.state, r.depth = inValue, 0
	// A block: its contents follow.
	case hclsyntax.TokenOBrace:
		opened := r.header
		if len(r.frames) == 1 { // at the top level of the file
			inner.add(opened.key())
		} else {
			inner.add(opened.typ)
		}
		r.frames = append(r.frames, &opened)
		r.state, r.depth = atStart, 0
	default:
		r.state, r.depth = inOther, 0
		r.inValue(t)
	}
}

// inValue follows the brackets of a value. A brace that closes more than was opened closes the
// block around the value.
func (r *textReader) inValue(t hclsyntax.Token) {
	switch t.Type {
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
		hclsyntax.TokenTemplateControl, hclsyntax.TokenOHeredoc, hclsyntax.TokenOQuote:
		r.depth++
	case hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCHeredoc,
		hclsyntax.TokenCQuote:
		r.depth = max(0, r.depth-1)
	case hclsyntax.TokenCBrace:
		if r.depth > 0 {
			r.depth--
			return
		}
		// No bracket is open, so the brace ends the block; the file itself has no end.
		r.state = inOther
		if len(r.frames) > 1 {
			r.frames = r.frames[:len(r.frames)-1]
		}
	}
}

// A spot is what someone points at in a file: an argument, or a block by its type or labels.
type spot struct {
	item   source.Item
	isName bool // the position is in the name, type or label, not in the value
}

// spotAt returns the spot at a position or the one that ends there, since cursors are often right behind a
// word. Of the two it prefers a name, and otherwise the one at the position. It returns nil if there is none.
func spotAt(v *view.View, name string, p protocol.Position) *spot {
	text := v.Text(name)
	if text == nil || v.Merged == nil {
		return nil
	}
	f := v.Merged.Source.File(name)
	if f == nil {
		return nil // it isn't configuration
	}
	at := text.Offset(p, v.Encoding)
	s := spotIn(f, at)
	// A name at the position is best, and in front of the first character there is nothing.
	if at == 0 || s != nil && s.isName {
		return s
	}
	// Otherwise look at the character before the cursor.
	before := spotIn(f, at-1)
	isBetter := before != nil && (s == nil || before.isName) // than nothing, or than a value
	if isBetter {
		return before
	}
	return s
}

// spotIn returns the spot at an offset: anywhere in an argument, and in the type and labels of a block. It returns
// nil between items, and elsewhere inside a block.
func spotIn(f *source.File, at int) *spot {
	it := f.ItemAt(at)
	if it == nil {
		return nil
	}
	_, isArgument := it.(*source.Attr)
	nameRange := source.Where(it)
	isName := at >= nameRange.Start.Byte && at < nameRange.End.Byte
	if isName || isArgument {
		return &spot{it, isName}
	}
	return nil
}

// rangeOf returns the range that an editor highlights for a spot.
func (s *spot) rangeOf(v *view.View) protocol.Range {
	if s.isName {
		return v.Range(source.Where(s.item))
	}
	return v.Range(wholeOf(s.item))
}

// wholeOf returns the range of a whole item: of an argument with its value, or a block with its body.
func wholeOf(it source.Item) hcl.Range {
	from, to := source.Spread(it)
	return it.Source().RawRange([2]uint32{uint32(from), uint32(to)})
}

// lineEnd returns the offset of the line end, or of the end of the text, that follows an offset.
func lineEnd(text []byte, at int) int {
	if n := bytes.IndexAny(text[at:], "\r\n"); n >= 0 {
		return at + n
	}
	return len(text)
}

// linkTo returns a URI that leads to the line of an item.
func linkTo(v *view.View, it source.Item) string {
	at := source.Where(it)
	return string(v.URI(at.Filename)) + "#L" + strconv.Itoa(at.Start.Line)
}

// A subject is what hints and hovers describe: a name with its history, which is all items of primary and
// override files that set the name. Of nested blocks that are replaced or added as a whole, only the block has
// a history; then it may be a part of the block, such as ingress[1].from_port.
type subject struct {
	address.Target
	// among, if set, holds the only blocks of the history that matter, where the engine merges many blocks
	// into one, as it does with all locals blocks of a module.
	among map[source.Item]bool
}

// subject returns what hints and hovers about an item describe: its own history, or a part of the history of
// the block around it, if that is replaced, added, ignored or refused as a whole. It reports false if no
// override touches the item.
func (x *index) subject(it source.Item) (subject, bool) {
	e, owner, ok := x.entryFor(it) // owner is the item, or the innermost block around it, that has a history
	switch {
	case !ok:
		return subject{}, false
	case owner == it: // describe the item with its own history
	case e.merged.Inner() == nil: // describe it as a part of the block, which is replaced or added as a whole
	case x.hasNoEffect(owner):
		it = owner // describe the block, which is ignored or refused as a whole
	default:
		return subject{}, false // the block is merged item by item, and no override has this one
	}
	// Of several blocks that are merged into one name, only those related to this one matter.
	s := subject{Target: lookup.Inside(e.address, e.merged, owner, it)}
	if b, isBlock := it.(*source.Block); isBlock && isSeveral(e.merged) {
		s.among = x.relatedBlocks(e, b)
		if len(s.among) == 1 && !source.IsOverride(b) { // only b: no override touches it
			return subject{}, false
		}
	}
	return s, true
}

// hasNoEffect reports whether an item of an override file is ignored or refused. Then so is everything in it.
func (x *index) hasNoEffect(it source.Item) bool {
	entry := x.effect(it)
	return entry != nil && (entry.Status == effect.StatusNoEffect || entry.Status == effect.StatusRefused)
}

// isSeveral reports whether the engine merges several blocks into one name, as it does for locals. A block
// named _ doesn't count: its items belong to the block around it.
func isSeveral(e *merge.MergedItem) bool {
	if e.Inner() == nil {
		return false
	}
	blocks := 0
	for _, b := range e.Inner().Parts {
		if b.Called() != source.EscapeBlock {
			blocks++
		}
	}
	return blocks > 1
}

// matters reports whether the subject is about an item of its history; see among.
func (s *subject) matters(it source.Item) bool { return s.among == nil || s.among[it] }

// relatedBlocks returns the blocks of the name e that a hover over b is about (subject.among): b itself and, if b is
// in a primary file, the blocks of override files that set something in it, or the other way round. Of many locals
// blocks, these are few.
func (x *index) relatedBlocks(e entry, b *source.Block) map[source.Item]bool {
	among := map[source.Item]bool{b: true}
	add := func(it source.Item) { // adds it, or the block around it, if that is a block of the name e
		at, isBlock := it.(*source.Block)
		if !isBlock {
			at = merge.Holder(it)
		}
		for ; at != nil; at = merge.Holder(at) {
			if x.entries[at].merged == e.merged {
				among[at] = true
			}
		}
	}
	// Add what sets a name that b also sets, from the other kind of file, even without effect.
	x.eachHistory(b, func(inner *merge.MergedItem) {
		for _, s := range inner.Steps {
			if s.Item != nil && source.IsOverride(s.Item) != source.IsOverride(b) {
				add(s.Item)
			}
		}
	})
	// A name that only an override sets isn't in these histories. So add the overrides that add names to b, if that
	// is in a primary file; if b is in an override file, the blocks to which it adds names.
	for _, o := range overridesIn(x.view)[b] {
		add(o.By)
	}
	for _, base := range changedBy(x.view)[b] {
		add(base)
	}
	return among
}

// overridesIn returns the overrides of each top-level block of the primary files.
var overridesIn = view.Cached(func(v *view.View) map[*source.Block][]check.Override { return check.OverridesByBlock(v.Merged) })

// changedBy returns, for each block of an override file, the blocks of primary files that it
// changes or adds to.
var changedBy = view.Cached(func(v *view.View) map[*source.Block][]*source.Block {
	changed := map[*source.Block][]*source.Block{}
	known := map[[2]*source.Block]bool{}
	for b, list := range overridesIn(v) {
		for _, o := range list {
			if by := source.Top(o.By); !known[[2]*source.Block{by, b}] {
				known[[2]*source.Block{by, b}] = true
				changed[by] = append(changed[by], b)
			}
		}
	}
	return changed
})

// eachHistory visits the histories of the items in a block. Where the items of a nested block have histories of
// their own, it visits those instead of the block's.
func (x *index) eachHistory(b *source.Block, visit func(*merge.MergedItem)) {
	for _, it := range b.Items() {
		e := x.entries[it].merged
		inner, isBlock := it.(*source.Block)
		if isBlock && (e == nil || e.Inner() != nil) { // its items may have histories of their own
			x.eachHistory(inner, visit)
		} else if e != nil {
			visit(e)
		}
	}
}

// An index finds the history of an item: all items that set the same name. It has entries for the items of
// override files and for those items of primary files that an override touches. The items inside a nested
// block that is replaced or added as a whole have no entries, only the block has one.
type index struct {
	wording.Redactor
	view    *view.View
	module  *merge.Module
	entries map[source.Item]entry
	items   map[*source.File][]source.Item // with entries, in the order of the text
	effects func() *effectsIn
}

// effectsIn holds the effects of the overrides in a module.
type effectsIn struct {
	of map[source.Item]*report.Effect
	// removals are the effects of omissions in an override block, by the range of the block.
	removals map[report.RangeRecord][]*report.Effect
}

// An entry is the name that an item sets, with its history.
type entry struct {
	address address.Address
	merged  *merge.MergedItem
}

// indexOf returns the index of a view; nil if the view has no module.
var indexOf = view.Cached(newIndex)

// newIndex makes an entry for each item of every name that an override touches; nil without a module. If an
// item is in several histories, the one that address.Walk visits last counts.
func newIndex(v *view.View) *index {
	if v.Merged == nil {
		return nil
	}
	x := &index{
		Redactor: redactorOf(v),
		view:     v,
		module:   v.Merged,
		entries:  map[source.Item]entry{},
		items:    map[*source.File][]source.Item{},
		effects:  sync.OnceValue(func() *effectsIn { return effectsOf(v) }),
	}
	address.Walk(v.Merged, func(own address.Address, e *merge.MergedItem) {
		if !e.IsOverridden() {
			return
		}
		for _, s := range e.Steps {
			if s.Item == nil {
				continue // a step caused by the lack, or the presence, of something else
			}
			if _, known := x.entries[s.Item]; !known {
				x.items[s.Item.Source()] = append(x.items[s.Item.Source()], s.Item)
			}
			x.entries[s.Item] = entry{own, e}
		}
	})
	for _, list := range x.items {
		slices.SortFunc(list, func(a, b source.Item) int { return a.Header().Start.Byte - b.Header().Start.Byte })
	}
	return x
}

// redactorOf returns the Redactor that words the values of a view.
func redactorOf(v *view.View) wording.Redactor {
	return wording.Redactor{Module: v.Merged.Source, Redact: v.Redact, All: v.Redact}
}

// effectsOf indexes the effects of overrides, in the words of the command list. Of several effects of one item, the
// first counts.
func effectsOf(v *view.View) *effectsIn {
	in := &effectsIn{of: map[source.Item]*report.Effect{}, removals: map[report.RangeRecord][]*report.Effect{}}
	for _, list := range report.Effects(v.Merged, v.Diags) {
		for _, e := range list {
			switch {
			case e.Item != nil && in.of[e.Item] == nil: // the first effect of an item is the one to show
				in.of[e.Item] = e
			case e.Item == nil && e.Verb == effect.Removes:
				in.removals[e.Range] = append(in.removals[e.Range], e)
			}
		}
	}
	return in
}

// entryFor returns the entry of an item or, if it has none, of the innermost block around it that has one. owner is
// that item or block. entryFor reports false if there is none. The item may be nil.
func (x *index) entryFor(it source.Item) (e entry, owner source.Item, ok bool) {
	for it != nil {
		if e, ok := x.entries[it]; ok {
			return e, it, true
		}
		b := it.Within()
		if b == nil {
			break
		}
		it = b
	}
	return entry{}, nil, false
}

// itemsOf lists the items of a file that have entries, in the order of the text.
func (x *index) itemsOf(name string) []source.Item { return x.items[x.module.Source.File(name)] }

// effect returns the effect of an item of an override file, as the command list shows it; nil for blocks
// whose items have separate effects, and for items of primary files.
func (x *index) effect(it source.Item) *report.Effect { return x.effects().of[it] }

// An outcome is the merge's result for an item that has a history.
type outcome struct {
	entry
	merge.Outcome
	at int // its index in merged.Outcomes()
}

// outcomeIndex holds the outcomes of all items of a module.
type outcomeIndex struct {
	of map[source.Item]outcome
	// hidden lists, for each item, those that are not in effect because it takes precedence.
	hidden map[source.Item][]source.Item
}

// outcomesOf returns the outcomes of a view.
var outcomesOf = view.Cached(newOutcomes)

// newOutcomes collects the outcomes of all items that have a history. It goes from name to name, not from item
// to item: very many items may share a history, and each would compute all of its outcomes.
func newOutcomes(v *view.View) *outcomeIndex {
	all := &outcomeIndex{of: map[source.Item]outcome{}, hidden: map[source.Item][]source.Item{}}
	x := indexOf(v)
	if x == nil {
		return all
	}
	// The first item of a history that has no outcome yet brings those of all items in it.
	for _, f := range v.Merged.Source.Files {
		for _, it := range x.itemsOf(f.Name) {
			e := x.entries[it]
			if _, known := all.of[it]; known {
				continue
			}
			for i, o := range e.merged.Outcomes() {
				if _, known := all.of[o.Item]; !known {
					all.of[o.Item] = outcome{entry: e, Outcome: o, at: i}
				}
			}
		}
	}
	// List the outranked items for each that takes precedence, in the order of the files.
	for _, f := range v.Merged.Source.Files {
		for _, it := range x.itemsOf(f.Name) {
			if o := all.of[it]; o.Status == effect.StatusHidden && o.merged.Inner() == nil && o.By != nil {
				all.hidden[o.By] = append(all.hidden[o.By], it)
			}
		}
	}
	return all
}

// A blockCount is how many nested blocks of a name primary files have, if overrides replace them by more or fewer.
// A hint at the first one shows it: 3 → 1 ingress.
type blockCount struct {
	before int
	first  source.Item // nil if the number stays the same, or if a dynamic block leaves it open
}

type countKey struct{ of *merge.MergedItem }

// countOf returns the blockCount of a name. It is computed once for each name, because the hint of each of its
// blocks needs it.
func countOf(v *view.View, e *merge.MergedItem) blockCount {
	return view.Once(v, countKey{e}, func(*view.View) blockCount { return newBlockCount(e) })
}

// newBlockCount counts the blocks of primary files in a history. It returns zero if the same number is in effect.
// It also does if any block, before or after, isn't a nested static one: nobody knows how many blocks a dynamic one
// makes.
func newBlockCount(e *merge.MergedItem) blockCount {
	isStatic := func(it source.Item) bool {
		b, isBlock := it.(*source.Block)
		return isBlock && b.Within() != nil && b.Type != source.DynamicBlock
	}
	var before []source.Item // the blocks of primary files; e.Live are those in effect
	for _, o := range e.Outcomes() {
		if !source.IsOverride(o.Item) {
			before = append(before, o.Item)
		}
	}
	for _, it := range slices.Concat(before, e.Live) {
		if !isStatic(it) {
			return blockCount{}
		}
	}
	// Without blocks before, or with as many now, there is no change to count.
	if len(before) == 0 || len(before) == len(e.Live) {
		return blockCount{}
	}
	return blockCount{before: len(before), first: before[0]}
}
