package feature

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// What people are in the middle of writing, in native text that need not be valid yet: which
// blocks are around the cursor, and whether it is at the name of something or at a label.

// A cursor is the place where somebody writes.
type cursor struct {
	at cursorPlace
	// around are the blocks around the cursor, the outermost first. The last one has what is
	// in it on both sides of the cursor.
	around []*written
	// header is the block whose label is written.
	header written
	// isQuoted and isClosed say whether the label has a quote in front of it, and one behind.
	isQuoted, isClosed bool
	from, to           int    // the word at the cursor, which is replaced
	rest               string // of the line, behind the word
}

// A cursorPlace is what is to be written at a cursor.
type cursorPlace int

const (
	atNothing cursorPlace = iota // that anybody could help with
	atName                       // an argument, or the type of a block
	atLabel
)

// A written block is one as far as it has been written, or the whole file.
type written struct {
	typ    string
	labels []string
	has    map[string]bool // arguments and types of blocks; in a file blocks, by key
}

// key names a block among those of a file.
func (b *written) key() string { return strings.Join(append([]string{b.typ}, b.labels...), "\x00") }

func (b *written) add(name string) {
	if b.has == nil {
		b.has = map[string]bool{}
	}
	b.has[name] = true
}

// cursorAt finds out what is written at an offset of a native text.
func cursorAt(src []byte, offset int) cursor {
	whole := &written{}
	r := &textReader{frames: []*written{whole}}
	r.read(src[:offset], whole.passOver(src, 0, offset))
	c := cursor{around: r.frames, header: r.header, from: offset, to: offset}
	for c.to < len(src) && isNamePart(src[c.to]) {
		c.to++
	}
	c.rest = lineAt(src, c.to)
	isInWord := r.wordEnd == offset
	switch {
	case r.state == inHeader && r.isQuoted:
		c.at, c.isQuoted, c.from, c.to = atLabel, true, r.quoteAt, offset
		c.dropLabel()
		if rest := lineAt(src, offset); strings.Count(rest, `"`)%2 == 1 { // the first one ends the label
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

// lineAt is what is behind an offset on its line.
func lineAt(src []byte, offset int) string {
	line := src[offset:]
	if n := bytes.IndexAny(line, "\r\n"); n >= 0 {
		line = line[:n]
	}
	return string(line)
}

// dropLabel takes the label that is written out of those that are there.
func (c *cursor) dropLabel() { c.header.labels = c.header.labels[:len(c.header.labels)-1] }

// passOver notes the finished blocks of a text, and returns where the first line is behind them
// that is not one's, or where one ends behind an offset. Most of a text is nothing else.
func (b *written) passOver(src []byte, from, end int) int {
	scan := outline.NewScanner(src)
	scan.Resume(outline.Place{Line: 1, Column: 1, Byte: uint32(from)})
	for scan.Next() == outline.Found {
		at := int(scan.At().Byte)
		if at > end || src[at-1] != '\n' {
			break
		}
		header := headerOf(src, scan)
		made := written{typ: header[0], labels: header[1:]}
		b.add(made.key())
		from = at
	}
	return from
}

// maxTries is how often the blocks behind a cursor are looked for behind what makes no sense.
const maxTries = 20

// nextLine finds a line that may be the first of a block.
var nextLine = lazyregexp.New(`\n[a-z]`)

// look notes what the innermost block has behind the cursor, as far as that is easily seen.
func (c *cursor) look(src []byte) {
	inner := c.around[len(c.around)-1]
	if len(c.around) == 1 {
		for from, tries := textedit.AfterLine(src, c.to), 0; tries < maxTries; tries++ {
			from = inner.passOver(src, from, len(src))
			at := nextLine().FindIndex(src[from:])
			if at == nil {
				break
			}
			from += at[1] - 1 // behind what makes no sense
		}
		return
	}
	for braces := 1; ; braces *= 2 {
		end := afterBraces(src, c.to, braces)
		r := &textReader{frames: []*written{{}, inner}, least: 2}
		r.read(src[:end], c.to)
		if len(r.frames) < r.least || end == len(src) {
			return
		}
	}
}

// afterBraces is where a number of lines that start with a closing brace have passed.
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

// isNamePart reports whether a byte can be a part of a name; those of characters beyond ASCII
// may be.
func isNamePart(b byte) bool {
	return b == '_' || b == '-' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// A readState is what a textReader is in the middle of.
type readState int

const (
	atStart  readState = iota // of an argument or a block
	inHeader                  // behind the name
	inValue
	inOther // behind a block, or in what makes no sense, until the line ends
)

// A textReader follows the blocks of a text.
type textReader struct {
	frames []*written
	least  int // frames; reading ends where there are fewer
	state  readState
	depth  int // of brackets in a value

	header          written
	wordAt, wordEnd int
	isQuoted        bool
	quoteAt         int // behind the quote
	isInComment     bool
	restarts        int
	slashEnd        int // where a slash ended
	isOver          bool
}

// maxRestarts is how many quotes without their ends are passed over.
const maxRestarts = 4

// read reads a text from an offset to its end, or to the end of the block that it starts in.
func (r *textReader) read(src []byte, base int) {
	for {
		tokens, _ := hclsyntax.LexConfig(src[base:], "", hcl.InitialPos)
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

// token reads one. It returns where the text has to be read anew, since a quote has no end
// on its line; else -1.
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
		r.state, r.header = inHeader, written{typ: string(t.Bytes)}
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

// inValue follows the brackets of a value. One that closes more than was opened ends the
// block around it.
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
