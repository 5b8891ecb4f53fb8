// Package template splits templates into literal text and sequences, and writes literal text so
// that it contains no sequences.
//
// Split returns the Pieces of a template, from which Join makes a template again, with another
// escaping: together they turn a heredoc into a quoted string, and that into JSON. Templates with
// errors are not for this package.
package template

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// A Piece is a part of a template: literal text, decoded, or a sequence such as
// ${...} or %{...} as it is written.
type Piece struct {
	Text    string
	Literal bool
}

// Text writes pieces as a template in which only the starts of sequences have a meaning, as in JSON. It
// reads each spelling back before it returns it: near a bare carriage return, or beside several $ or %, the
// engine's parser (hcl 2.25) doesn't read what its escapes promise.
func Text(pieces []Piece) string {
	pieces = markApart(pieces)
	text := Join(pieces, Escape)
	mayBeMisread := func(p Piece) bool {
		return strings.Contains(p.Text, "\r") || p.Literal && strings.ContainsAny(p.Text, "$%")
	}
	if !slices.ContainsFunc(pieces, mayBeMisread) {
		return text
	}
	want := meaning(pieces)
	for _, spelling := range []func([]Piece) []Piece{keepBareReturns, splitReturns} {
		if text = Join(spelling(pieces), Escape); meaning(Split([]byte(text), parse.EachTemplateToken, false)) == want {
			return text
		}
	}
	return Join(quoteLiterals(pieces), Escape)
}

// markApart puts a byte order mark at the start into a sequence: as text the engine would skip it.
func markApart(pieces []Piece) []Piece {
	if len(pieces) == 0 || !pieces[0].Literal {
		return pieces
	}
	rest, hasMark := strings.CutPrefix(pieces[0].Text, "\ufeff")
	if !hasMark {
		return pieces
	}
	apart := []Piece{{`${"\ufeff"}`, false}}
	if rest != "" || len(pieces) == 1 {
		apart = append(apart, Piece{rest, true})
	}
	return append(apart, pieces[1:]...)
}

// meaning writes pieces so that two lists with one meaning have the same text, wherever literal text is
// split or written as a constant in a sequence.
func meaning(pieces []Piece) string {
	var out strings.Builder
	for _, p := range pieces {
		text, isConstant := constant(p)
		switch {
		case p.Literal:
			out.WriteString(strings.ReplaceAll(p.Text, "\x00", "\x00\x00"))
		case isConstant:
			out.WriteString(text)
		default:
			out.WriteString("\x00<" + p.Text + "\x00>")
		}
	}
	return out.String()
}

// constant returns the text of a sequence that this package writes, such as ${"\r"}; ok is false for any
// other.
func constant(p Piece) (text string, ok bool) {
	inside, ok := strings.CutPrefix(p.Text, `${"`)
	inside, isClosed := strings.CutSuffix(inside, `"}`)
	switch {
	case !ok || !isClosed:
		return "", false
	case inside == `\r`:
		return "\r", true
	case inside == `\ufeff`:
		return "\ufeff", true
	}
	return inside, strings.Trim(inside, "$") == "" || strings.Trim(inside, "%") == ""
}

// keepBareReturns leaves bare carriage returns (CR without LF) in a template that is one piece of text: no
// sequence follows in which the engine's parser could miss the start. It splits others as splitReturns
// does. Text tries this spelling first because it changes the least.
func keepBareReturns(pieces []Piece) []Piece {
	if len(pieces) == 1 {
		return pieces
	}
	return splitReturns(pieces)
}

// quoteLiterals puts each literal piece that may be misread into a sequence, as a quoted string.
func quoteLiterals(pieces []Piece) []Piece {
	out := slices.Clone(pieces)
	for i, p := range out {
		if p.Literal && strings.ContainsAny(p.Text, "$%\r") {
			out[i] = Piece{"${" + Quote(p.Text) + "}", false}
		}
	}
	return out
}

// splitReturns puts each carriage return without a line feed into a separate sequence: after one in literal
// text, the engine's parser takes the rest of the line for literal text (hcl 2.25).
func splitReturns(pieces []Piece) (out []Piece) {
	for _, p := range pieces {
		if !p.Literal {
			out = append(out, p)
			continue
		}
		rest := p.Text
		for at := 0; at < len(rest); at++ {
			if rest[at] == '\r' && !strings.HasPrefix(rest[at+1:], "\n") {
				out = append(out, Piece{rest[:at], true}, Piece{`${"\r"}`, false})
				rest, at = rest[at+1:], -1
			}
		}
		out = append(out, Piece{rest, true})
	}
	return out
}

// Join joins pieces to the source text of a template. escape writes literal text for that kind of template.
func Join(pieces []Piece, escape func(string) string) string {
	var out strings.Builder
	for i, p := range pieces {
		switch {
		case !p.Literal:
			out.WriteString(p.Text)
		case i+1 < len(pieces) && p.Text != "" && p.Text[len(p.Text)-1] == pieces[i+1].Text[0]:
			// A $ before ${ would be taken for an escape.
			rest := strings.TrimRight(p.Text, "$%")
			out.WriteString(escape(rest) + `${"` + p.Text[len(rest):] + `"}`)
		default:
			out.WriteString(escape(p.Text))
		}
	}
	return out.String()
}

// Escape writes literal text for a template in which only the starts of sequences have a meaning, as in a
// heredoc or in JSON.
func Escape(s string) string {
	if !StartsSequence(s) {
		return s
	}
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(s)
}

// StartsSequence reports whether a text contains the start of a sequence, ${ or %{.
func StartsSequence(s string) bool {
	return strings.Contains(s, "${") || strings.Contains(s, "%{")
}

// A Lexing calls yield with each token of a text, as parse.EachToken and parse.EachTemplateToken do. All
// tokens together would take a hundred times the memory of the text.
type Lexing func(src []byte, name string, start hcl.Pos, yield func(hclsyntax.Token))

// Split splits the text of a template into pieces. each finds its tokens: parse.EachToken for a template in
// quotes or a heredoc. Strip markers are applied and removed, because they stop at line ends in some
// templates and not in others. With flush, so is the indentation of a <<- heredoc.
func Split(src []byte, each Lexing, flush bool) []Piece {
	s := splitter{src: string(src), lines: flush}
	each(src, "", hcl.InitialPos, s.token)
	if s.strips && s.lines {
		s.strip()
	}
	if flush {
		s.flush()
	}
	return s.pieces()
}

// A part is a piece, and whether its markers strip the blanks before and after it.
type part struct {
	Piece
	before, after bool // strip blanks there
}

type splitter struct {
	src           string // that texts of sequences are parts of
	parts         []part
	strips, lines bool

	depth int  // of open sequences
	from  int  // where the outermost one starts
	opens bool // with a strip marker
}

// token adds literal text, or a sequence when it ends.
func (s *splitter) token(t hclsyntax.Token) {
	switch t.Type {
	case hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit:
		if s.depth == 0 {
			text, _ := hclsyntax.ParseStringLiteralToken(t)
			s.parts = append(s.parts, part{Piece: Piece{text, true}})
			s.lines = s.lines || strings.ContainsAny(text, "\n\r")
		}
	case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		if s.depth == 0 {
			s.from, s.opens = t.Range.Start.Byte, len(t.Bytes) == 3
		}
		s.depth++
	case hclsyntax.TokenTemplateSeqEnd:
		if s.depth = max(0, s.depth-1); s.depth == 0 {
			p := part{Piece{s.src[s.from:t.Range.End.Byte], false}, s.opens, t.Bytes[0] == '~'}
			s.strips = s.strips || p.before || p.after
			s.parts = append(s.parts, p)
		}
	}
}

// strip applies the strip markers, each to the one literal beside it.
func (s *splitter) strip() {
	for i := range s.parts {
		p := &s.parts[i]
		if p.Literal {
			continue
		}
		if p.before {
			p.Text = strings.Replace(p.Text, "~", "", 1)
			if i > 0 && s.parts[i-1].Literal {
				s.parts[i-1].Text = strings.TrimRightFunc(s.parts[i-1].Text, unicode.IsSpace)
			}
		}
		if p.after {
			p.Text = strings.TrimSuffix(p.Text, "~}") + "}"
			if i+1 < len(s.parts) && s.parts[i+1].Literal {
				s.parts[i+1].Text = strings.TrimLeftFunc(s.parts[i+1].Text, unicode.IsSpace)
			}
		}
	}
}

// flush removes the indentation of the least indented line from each line. Blank lines don't count, and a
// line that starts with a sequence has none.
func (s *splitter) flush() {
	least := -1
	var starts []*part
	atStart := true
	for i := range s.parts {
		p := &s.parts[i]
		if atStart {
			blanks, counts := leadingBlanks(p)
			if counts && (least < 0 || blanks < least) {
				least = blanks
			}
			if counts && p.Literal {
				starts = append(starts, p)
			}
		}
		atStart = p.Literal && strings.HasSuffix(p.Text, "\n")
	}
	for _, p := range starts {
		for range least {
			_, size := utf8.DecodeRuneInString(p.Text)
			p.Text = p.Text[size:]
		}
	}
}

// leadingBlanks returns the number of blanks at the start of a line's first part. Blank lines don't count
// for the least indentation.
func leadingBlanks(p *part) (int, bool) {
	if !p.Literal {
		return 0, true
	}
	rest := strings.TrimLeftFunc(p.Text, unicode.IsSpace)
	if rest == "" && strings.HasSuffix(p.Text, "\n") {
		return 0, false
	}
	return utf8.RuneCountInString(p.Text) - utf8.RuneCountInString(rest), true
}

// pieces joins neighbouring literals. If all literal text around a single sequence is gone, it puts an
// empty string before the sequence: alone, the sequence would be the value itself, not a string.
func (s *splitter) pieces() []Piece {
	out := make([]Piece, 0, len(s.parts))
	var run strings.Builder // the text of the last piece, if it is literal
	settle := func() {
		if last := len(out) - 1; last >= 0 && out[last].Literal {
			out[last].Text = run.String()
			run.Reset()
		}
	}
	for _, p := range s.parts {
		last := len(out) - 1
		switch {
		case p.Literal && p.Text == "" && len(s.parts) > 1:
		case p.Literal && last >= 0 && out[last].Literal:
			run.WriteString(p.Text)
		default:
			settle()
			out = append(out, p.Piece)
			if p.Literal {
				run.WriteString(p.Text)
			}
		}
	}
	settle()
	if len(out) == 1 && !out[0].Literal && len(s.parts) > 1 {
		out = append([]Piece{{`${""}`, false}}, out...)
	}
	return out
}

// IsVisible reports whether a character can be read in a text, so that it needs no escape.
func IsVisible(r rune) bool { return unicode.IsGraphic(r) || r == '\u200d' }

// IsBareKey reports whether a name can be a key in native text without quotes. Every release must read it
// so, since the text may be for another release than the module.
func IsBareKey(name string) bool {
	return spelling.IsNativeName(name) && engine.LaterLetter([]byte(name)) < 0 && !slices.Contains([]string{"true", "false", "null", "for"}, name)
}

// Quote writes text as a quoted string without any sequence in it.
func Quote(s string) string { return `"` + EscapeQuoted(s) + `"` }

// EscapeQuoted writes literal text for a quoted string.
func EscapeQuoted(s string) string {
	if isPlainText(s) {
		return s
	}
	var out strings.Builder
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\r':
			out.WriteString(`\r`)
		case r == '\t':
			out.WriteString(`\t`)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{"):
			out.WriteRune(r)
			out.WriteRune(r)
		case IsVisible(r):
			out.WriteRune(r)
		default:
			out.WriteString(escapeRune(r))
		}
	}
	return out.String()
}

// isPlainText reports whether a text certainly needs no escape, as most texts don't. Without a brace, it starts
// no sequence.
func isPlainText(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' || c == '{' })
}

// escapeRune writes a character as \uXXXX or \UXXXXXXXX.
func escapeRune(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	text := quoted[1 : len(quoted)-1]
	if hex, ok := strings.CutPrefix(text, `\x`); ok {
		return `\u00` + hex
	}
	if strings.HasPrefix(text, `\u`) || strings.HasPrefix(text, `\U`) {
		return text
	}
	hex := strconv.FormatInt(int64(r), 16)
	return `\u` + strings.Repeat("0", 4-len(hex)) + hex
}
