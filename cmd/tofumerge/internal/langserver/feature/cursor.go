package feature

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
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

// key identifies a block in a file.
func (b *writtenBlock) key() string {
	return strings.Join(append([]string{b.typ}, b.labels...), "\x00")
}

func (b *writtenBlock) add(name string) {
	if b.has == nil {
		b.has = map[string]bool{}
	}
	b.has[name] = true
}

// cursorAt finds out which text belongs at an offset of a native text.
func cursorAt(src []byte, offset int) cursor {
	whole := &writtenBlock{}
	r := &textReader{frames: []*writtenBlock{whole}}
	r.read(src[:offset], whole.passOver(src, 0, offset))
	c := cursor{around: r.frames, header: r.header, from: offset, to: offset}
	for c.to < len(src) && isNamePart(src[c.to]) {
		c.to++
	}
	c.rest = string(src[c.to:lineEnd(src, c.to)])
	isInWord := r.wordEnd == offset
	switch {
	case r.state == inHeader && r.isQuoted:
		c.at, c.isQuoted, c.from, c.to = atLabel, true, r.quoteAt, offset
		c.dropLabel()
		if rest := string(src[offset:lineEnd(src, offset)]); strings.Count(rest, `"`)%2 == 1 { // the first quote ends the label
			c.isClosed, c.to = true, offset+strings.IndexByte(rest, '"')
			c.rest = rest[c.to-offset+1:]
		}
	case r.state == inHeader && isInWord && len(r.header.labels) == 0:
		c.at, c.from = atName, r.wordAt
	case r.state == inHeader && isInWord:
		c.at, c.from = atLabel, r.wordAt
		c.dropLabel()
	case r.state == inHeader:
		c.at = atLabel
	case r.state == atStart && !r.isInComment:
		c.at = atName
	}
	if c.at == atName {
		c.look(src)
	}
	return c
}

// dropLabel removes the label at the cursor from the header's labels.
func (c *cursor) dropLabel() { c.header.labels = c.header.labels[:len(c.header.labels)-1] }

// passOver adds the complete blocks from an offset on. It stops before the first text that isn't
// a block, and before a block that reaches beyond end, and returns where. That skips most of a
// text quickly.
func (b *writtenBlock) passOver(src []byte, from, end int) int {
	scan := outline.NewScanner(src)
	scan.Resume(outline.Place{Line: 1, Column: 1, Byte: uint32(from)})
	for scan.Next() == outline.Found {
		at := int(scan.At().Byte)
		if at > end || src[at-1] != '\n' {
			break
		}
		header := headerOf(src, scan)
		made := writtenBlock{typ: header[0], labels: header[1:]}
		b.add(made.key())
		from = at
	}
	return from
}

// maxTries is how often look skips text that it can't read.
const maxTries = 20

// nextLine finds a line that may be the first of a block.
var nextLine = lazyregexp.New(`\n[a-z]`)

// look adds the contents of the innermost block after the cursor, as far as they can be read.
func (c *cursor) look(src []byte) {
	inner := c.around[len(c.around)-1]
	if len(c.around) == 1 {
		for from, tries := textedit.AfterLine(src, c.to), 0; tries < maxTries; tries++ {
			from = inner.passOver(src, from, len(src))
			at := nextLine().FindIndex(src[from:])
			if at == nil {
				break
			}
			from += at[1] - 1 // after text that can't be read
		}
		return
	}
	for braces := 1; ; braces *= 2 {
		end := afterBraces(src, c.to, braces)
		r := &textReader{frames: []*writtenBlock{{}, inner}, least: 2}
		r.read(src[:end], c.to)
		if len(r.frames) < r.least || end == len(src) {
			return
		}
	}
}

// afterBraces returns the offset after the n-th line that starts with a closing brace.
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

// A textReader follows the blocks of a text.
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
	restarts        int
	slashEnd        int  // end of the last slash
	isOver          bool // in a comment that never ends
}

// maxRestarts is how many quotes without an end are tolerated.
const maxRestarts = 4

// read reads a text from an offset to its end, or until there are fewer frames than least.
func (r *textReader) read(src []byte, base int) {
	for {
		tokens := parse.Tokens(src[base:], "", hcl.InitialPos)
		again := -1
		for _, t := range tokens {
			if len(r.frames) < r.least {
				return
			}
			if again = r.token(t, base); again >= 0 {
				break
			}
		}
		if again < 0 {
			return
		}
		if r.restarts == maxRestarts {
			r.state = inOther
			return
		}
		r.restarts++
		base = again
	}
}

// token reads a token. If that shows that a quote has no end on its line, it returns where
// reading must start again, or else -1.
func (r *textReader) token(t hclsyntax.Token, base int) int {
	from, to := base+t.Range.Start.Byte, base+t.Range.End.Byte
	if t.Type == hclsyntax.TokenEOF {
		return -1
	}
	r.isInComment = false
	if t.Type == hclsyntax.TokenStar && r.slashEnd == from && from > 0 || r.isOver {
		r.state, r.isOver = inOther, true // a comment without an end
		return -1
	}
	switch t.Type {
	case hclsyntax.TokenQuotedNewline:
		*r = textReader{frames: r.frames, least: r.least, restarts: r.restarts}
		return to
	case hclsyntax.TokenComment:
		isLine := bytes.HasPrefix(t.Bytes, []byte("#")) || bytes.HasPrefix(t.Bytes, []byte("//"))
		isEnded := bytes.HasSuffix(t.Bytes, []byte("\n"))
		r.isInComment = isLine && !isEnded
		if isLine && isEnded {
			r.newline()
		}
		return -1
	case hclsyntax.TokenNewline:
		r.newline()
		return -1
	case hclsyntax.TokenSlash:
		r.slashEnd = to
	}
	switch r.state {
	case atStart:
		r.start(t, from, to)
	case inHeader:
		r.inHeader(t, from, to)
	default:
		r.inValue(t)
	}
	return -1
}

func (r *textReader) newline() {
	if r.state == inHeader || r.depth == 0 {
		r.state, r.isQuoted = atStart, false
	}
}

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

func (r *textReader) inHeader(t hclsyntax.Token, from, to int) {
	inner := r.frames[len(r.frames)-1]
	switch t.Type {
	case hclsyntax.TokenOQuote:
		r.isQuoted, r.quoteAt = true, to
		r.header.labels = append(r.header.labels, "")
	case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit:
		if r.isQuoted {
			r.header.labels[len(r.header.labels)-1] += string(t.Bytes)
		}
	case hclsyntax.TokenCQuote:
		r.isQuoted = false
	case hclsyntax.TokenIdent:
		r.header.labels = append(r.header.labels, string(t.Bytes))
		r.wordAt, r.wordEnd = from, to
	case hclsyntax.TokenEqual:
		inner.add(r.header.typ)
		r.state, r.depth = inValue, 0
	case hclsyntax.TokenOBrace:
		made := r.header
		if name := made.typ; len(r.frames) == 1 {
			inner.add(made.key())
		} else {
			inner.add(name)
		}
		r.frames = append(r.frames, &made)
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
		r.state = inOther
		if len(r.frames) > 1 {
			r.frames = r.frames[:len(r.frames)-1]
		}
	}
}
