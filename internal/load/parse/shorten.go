package parse

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A shortener copies a text and leaves stretches of its templates out.
type shortener struct {
	name    string
	src     []byte
	offset  int    // of the text's first byte in the file
	out     []byte // the text for the parser
	copied  int    // how much of src has been copied or left out
	open    []*frame
	all     []*stretch // by number
	places  []*stretch // those with a stand-in in out, in order
	previ   hclsyntax.Token
	stars   map[int]bool // the positions behind stars that the parser gets replaced
	keyword bool         // the next token may be the keyword of a directive
	spare   *frame       // of code, to be used again
	// behindDirective reports whether the last sequence is a directive, and no literal is behind it.
	behindDirective bool
	isWord          bool // quoted templates may be words: sequences in them errors
}

// A frame is an open construct: code, a template, or the text between two directives.
type frame struct {
	kind  frameKind
	root  *frame // the template; the frame itself but for a body
	flush bool   // the heredoc's indentation is taken away
	// opener brings the parser to the start of a line of the template, closer ends that.
	opener, closer []byte
	isDirective    bool
	directive      string // the keyword, of the code in a directive
	isWord         bool   // a sequence may be an error, as in a label
	lines          row
	inLine         row
	lineStarted    int  // tokens that start the line, up to two: see partStarts
	lineEnded      bool // the last token is the end of a line
	end            hcl.Pos
	braces         int // that are open, in code
	// indent is how far the least indented line so far is indented, and atStart whether a line
	// starts here.
	indent     int
	atStart    bool
	isFirst    bool // no token so far
	isOver     bool // there is a token that no template can have
	stripsNext bool // the last sequence takes away the blanks behind it
	invalid    int  // units of the template that the parser refuses
	// all is the number of tokens in the frame, and anyBrace reports whether one of them opens a
	// brace.
	all      int
	anyBrace bool
}

type frameKind byte

const (
	code frameKind = iota
	quoted
	text // a heredoc, or a text that is a template
	body // of a directive, in a text
)

// noIndent is the indent where no line has been seen.
const noIndent = int(^uint(0) >> 1)

// shorten returns nil if nothing can be left out.
func shorten(src []byte, name string, start hcl.Pos, kind textKind) *shortener {
	if !mayBeLong(src, kind) {
		return nil
	}
	s := &shortener{name: name, src: src, offset: start.Byte, isWord: kind == isTraversal}
	lex := lexing(hclsyntax.LexConfig)
	base := &frame{}
	if kind == isTemplate {
		lex = hclsyntax.LexTemplate
		base = newText()
		base.opener = []byte("\n")
	}
	base.root = base
	s.open = []*frame{base}
	l := newLexer(src, name, start, lex)
	l.each(s.token)
	if len(s.all) == 0 && bytes.Equal(s.out, src) {
		return nil
	}
	return s
}

func newText() *frame {
	f := &frame{kind: text, indent: noIndent, atStart: true, isFirst: true, inLine: row{inLine: true}}
	f.root = f
	return f
}

// newQuoted is a quoted template. One behind a name or another one may be a label.
func (s *shortener) newQuoted() *frame {
	f := &frame{kind: quoted, opener: []byte(`"`), closer: []byte(`"`), inLine: row{inLine: true}}
	behindName := s.previ.Type == hclsyntax.TokenIdent || s.previ.Type == hclsyntax.TokenCQuote
	f.isWord = s.isWord || len(s.open) == 1 && behindName
	return f
}

func (s *shortener) top() *frame { return s.open[len(s.open)-1] }

func (s *shortener) push(f *frame) {
	if f.root == nil {
		f.root = f
	}
	s.open = append(s.open, f)
}

// newCode is code in a sequence. There are many, most of them one after the other.
func (s *shortener) newCode() *frame {
	f := s.spare
	if f == nil {
		return &frame{}
	}
	s.spare = nil
	*f = frame{}
	return f
}

// pop closes the innermost frame. Its tokens are added to the frame around it.
func (s *shortener) pop() {
	inner := s.top()
	s.open = s.open[:len(s.open)-1]
	outer := s.top()
	outer.all += inner.all
	outer.anyBrace = outer.anyBrace || inner.anyBrace
	outer.lines.note(inner.all, traits{brace: inner.anyBrace})
	outer.inLine.note(inner.all, traits{brace: inner.anyBrace})
	if inner.kind == code {
		s.spare = inner
	}
}

// token takes the next token.
func (s *shortener) token(t hclsyntax.Token) {
	top := s.top()
	if top.lineEnded {
		s.lineEnded(top, t)
	}
	s.partStarts(top, t)
	s.noteKeyword(t)
	switch t.Type {
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenEOF:
		s.endTemplate()
	}
	s.copy(t)
	top = s.top()
	s.behindDirective = s.behindDirective && !isLiteral(t)
	top.note(t)
	switch t.Type {
	case hclsyntax.TokenOQuote:
		s.push(s.newQuoted())
	case hclsyntax.TokenOHeredoc:
		s.push(newHeredoc(t))
	case hclsyntax.TokenTemplateInterp:
		s.push(s.newCode())
	case hclsyntax.TokenTemplateControl:
		s.push(s.newCode())
		s.top().isDirective = true
		s.keyword = true
	case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		s.pop()
	case hclsyntax.TokenOBrace:
		top.braces++
	case hclsyntax.TokenCBrace:
		top.braces--
	case hclsyntax.TokenTemplateSeqEnd:
		s.endSequence(top, t)
	}
	s.previ = t
}

func isLiteral(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenStringLit || t.Type == hclsyntax.TokenQuotedLit
}

// copy copies a token and the blanks before it. The parser is not to look for the end of a comment
// that has none: see lexer.closed. It gets another operator that binds as tightly as a star.
func (s *shortener) copy(t hclsyntax.Token) {
	end := t.Range.End.Byte - s.offset
	s.out = append(s.out, s.src[s.copied:end]...)
	s.copied = end
	if t.Type == hclsyntax.TokenStar && s.previ.Type == hclsyntax.TokenSlash && s.previ.Range.End == t.Range.Start {
		s.out[len(s.out)-1] = '%'
		if s.stars == nil {
			s.stars = map[int]bool{}
		}
		s.stars[t.Range.End.Byte] = true
	}
}

func newHeredoc(t hclsyntax.Token) *frame {
	f := newText()
	opener := t.Bytes
	marker := bytes.TrimSuffix(bytes.TrimSuffix(opener[2:], []byte("\n")), []byte("\r"))
	if marker[0] == '-' {
		f.flush = true
		marker = marker[1:]
		opener = bytes.Join([][]byte{[]byte("<<"), opener[3:]}, nil)
	}
	f.opener = opener
	f.closer = bytes.Join([][]byte{marker, []byte("\n")}, nil)
	return f
}

// noteKeyword finds the keyword of a directive.
func (s *shortener) noteKeyword(t hclsyntax.Token) {
	if !s.keyword || t.Type == hclsyntax.TokenComment || t.Type == hclsyntax.TokenNewline {
		return
	}
	s.keyword = false
	if t.Type == hclsyntax.TokenIdent {
		s.top().directive = string(t.Bytes)
	}
}

// endTemplate ends what directives have left open in a template.
func (s *shortener) endTemplate() {
	for s.top().kind == body {
		s.endLines(s.top())
		s.pop()
	}
	if s.top().kind != code {
		s.endLines(s.top())
	}
}

// endSequence ends a sequence, or what looks like its end.
func (s *shortener) endSequence(f *frame, t hclsyntax.Token) {
	if len(s.open) == 1 || f.kind != code || f.braces > 0 {
		f.braces--
		return
	}
	s.pop()
	s.behindDirective = f.isDirective
	in := s.top()
	if in.kind == code {
		return
	}
	in.root.stripsNext = t.Bytes[0] == '~'
	switch f.directive {
	case "if", "for":
		s.push(&frame{kind: body, root: in.root, flush: in.flush, opener: in.opener, closer: in.closer,
			lines: row{traits: traits{sequence: true}}, inLine: row{inLine: true}})
	case "else":
		if in.kind == body {
			s.endLines(in)
		}
	case "endif", "endfor":
		if in.kind == body {
			s.endLines(in)
			s.pop()
		}
	}
}
