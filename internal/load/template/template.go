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

// Text returns the source text of a template with the given pieces, in the form that JSON strings contain: only ${
// and %{ are special. The engine's parser (hcl 2.25) misreads some escapes, near a carriage return without a line
// feed and next to several $ or %. So Text parses what it writes, and tries other spellings until one has the right
// meaning.
func Text(pieces []Piece) string {
	pieces = separateBOM(pieces)
	text := Join(pieces, Escape)
	mayBeMisread := func(p Piece) bool {
		return strings.Contains(p.Text, "\r") || p.Literal && strings.ContainsAny(p.Text, "$%")
	}
	if !slices.ContainsFunc(pieces, mayBeMisread) {
		return text
	}
	want := canonical(pieces)
	for _, spelling := range []func([]Piece) []Piece{keepBareReturns, splitReturns} {
		if text = Join(spelling(pieces), Escape); canonical(Split([]byte(text), parse.EachTemplateToken, false)) == want {
			return text
		}
	}
	return Join(quoteLiterals(pieces), Escape) // leaves no literal text that could be misread
}

// separateBOM moves a byte order mark at the start of the first literal piece into a sequence of its own,
// ${"\ufeff"}. As literal text, the engine would skip it.
func separateBOM(pieces []Piece) []Piece {
	if len(pieces) == 0 || !pieces[0].Literal {
		return pieces
	}
	rest, hasMark := strings.CutPrefix(pieces[0].Text, "\ufeff")
	if !hasMark {
		return pieces
	}
	separated := []Piece{{Text: `${"\ufeff"}`}}
	if rest != "" || len(pieces) == 1 { // without other pieces, keep a literal one
		separated = append(separated, Piece{Text: rest, Literal: true})
	}
	return append(separated, pieces[1:]...)
}

// canonical returns a text that is the same for two lists of pieces with the same meaning, however their literal text
// is split or written as constants in sequences.
func canonical(pieces []Piece) string {
	var out strings.Builder
	for _, p := range pieces {
		text, isConstant := constantText(p)
		switch {
		case p.Literal:
			// NUL marks sequences, so it is doubled in literal text.
			out.WriteString(strings.ReplaceAll(p.Text, "\x00", "\x00\x00"))
		case isConstant: // without NUL: it is one that this package writes
			out.WriteString(text)
		default:
			out.WriteString("\x00<" + p.Text + "\x00>")
		}
	}
	return out.String()
}

// constantText returns the text that a sequence stands for if it is one that this package writes, such as ${"\r"}; ok
// is false for any other.
func constantText(p Piece) (text string, ok bool) {
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
	// ${"$"} or ${"%"}, as Join writes, or ${""}
	isSigns := strings.Trim(inside, "$") == "" || strings.Trim(inside, "%") == ""
	return inside, isSigns
}

// keepBareReturns leaves carriage returns without a line feed as they are if the template has no sequence, so that
// there is only one piece. Otherwise it puts each into a sequence, as splitReturns does: after such a return, the
// engine's parser can miss the start of a sequence. Text tries this spelling first because it changes the least.
func keepBareReturns(pieces []Piece) []Piece {
	if len(pieces) == 1 {
		return pieces
	}
	return splitReturns(pieces)
}

// quoteLiterals turns each literal piece that the parser may misread into a sequence with a quoted string.
func quoteLiterals(pieces []Piece) []Piece {
	out := slices.Clone(pieces)
	for i, p := range out {
		if p.Literal && strings.ContainsAny(p.Text, "$%\r") {
			out[i] = Piece{Text: "${" + Quote(p.Text) + "}"}
		}
	}
	return out
}

// splitReturns puts each carriage return without a line feed into a sequence of its own, ${"\r"}. In literal text,
// the engine's parser (hcl 2.25) would read the rest of the line after it as literal, sequences included.
func splitReturns(pieces []Piece) (out []Piece) {
	for _, p := range pieces {
		if !p.Literal {
			out = append(out, p)
			continue
		}
		start := 0 // of the text that isn't in out yet
		for i := range len(p.Text) {
			if p.Text[i] == '\r' && !strings.HasPrefix(p.Text[i+1:], "\n") {
				out = append(out, Piece{Text: p.Text[start:i], Literal: true}, Piece{Text: `${"\r"}`})
				start = i + 1
			}
		}
		out = append(out, Piece{Text: p.Text[start:], Literal: true})
	}
	return out
}

// Join returns the source text of a template with the given pieces, of which no two literal ones follow each other.
// escape writes literal text for that kind of template: quoted string, heredoc or JSON.
func Join(pieces []Piece, escape func(string) string) string {
	var out strings.Builder
	for i, p := range pieces {
		switch {
		case !p.Literal:
			out.WriteString(p.Text)
		// The next piece is a sequence. A $ before ${ would be taken for an escape, and a % before %{. So write it as
		// a sequence of its own: ${"$"}.
		case i+1 < len(pieces) && p.Text != "" && p.Text[len(p.Text)-1] == pieces[i+1].Text[0]:
			front := strings.TrimRight(p.Text, "$%")
			signs := p.Text[len(front):]
			out.WriteString(escape(front) + `${"` + signs + `"}`)
		default:
			out.WriteString(escape(p.Text))
		}
	}
	return out.String()
}

// Escape writes literal text for a heredoc or for JSON, where only ${ and %{ are special: it doubles their first
// character.
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

// A Lexing calls yield with each token of a text. parse.EachToken and parse.EachTemplateToken are such functions. A
// list of all tokens would take a hundred times the memory of the text.
type Lexing func(src []byte, name string, start hcl.Pos, yield func(hclsyntax.Token))

// Split splits the text of a template into pieces. each finds its tokens: parse.EachToken for a quoted string or a
// heredoc. If the text has several lines, Split applies strip markers (~) and removes them, since their effect there
// depends on the kind of template. On a single line it keeps them, since they have the same effect in every kind.
// flush is set for a <<- heredoc, which has lines in any case: Split removes the indentation.
func Split(src []byte, each Lexing, flush bool) []Piece {
	s := splitter{src: string(src), hasLines: flush}
	each(src, "", hcl.InitialPos, s.addToken)
	if s.hasMarkers && s.hasLines {
		s.applyStripMarkers()
	}
	if flush {
		s.removeIndent()
	}
	return s.pieces()
}

// A part is a piece, and whether its strip markers (~) remove the blanks before and after it.
type part struct {
	Piece
	stripBefore, stripAfter bool // strip blanks there
}

// A splitter makes pieces of the tokens of a template.
type splitter struct {
	src                  string // the whole template
	parts                []part
	hasMarkers, hasLines bool // there are strip markers; there is more than one line

	depth       int  // of open sequences
	start       int  // where the outermost one starts
	startStrips bool // the outermost sequence starts with a strip marker
}

// addToken adds a part for each token of literal text, and one for each outermost sequence, when that ends.
func (s *splitter) addToken(t hclsyntax.Token) {
	switch t.Type {
	case hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit:
		if s.depth == 0 {
			text, _ := hclsyntax.ParseStringLiteralToken(t)
			s.parts = append(s.parts, part{Piece: Piece{Text: text, Literal: true}})
			s.hasLines = s.hasLines || strings.ContainsAny(text, "\n\r")
		}
	case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		if s.depth == 0 {
			// A start of three bytes is ${~ or %{~.
			s.start, s.startStrips = t.Range.Start.Byte, len(t.Bytes) == 3
		}
		s.depth++
	case hclsyntax.TokenTemplateSeqEnd:
		if s.depth = max(0, s.depth-1); s.depth == 0 {
			sequence := Piece{Text: s.src[s.start:t.Range.End.Byte]}
			p := part{sequence, s.startStrips, t.Bytes[0] == '~'} // it ends with ~}
			s.hasMarkers = s.hasMarkers || p.stripBefore || p.stripAfter
			s.parts = append(s.parts, p)
		}
	}
}

// applyStripMarkers removes the strip markers, and the blanks that each of them strips from the literal text beside
// it.
func (s *splitter) applyStripMarkers() {
	for i := range s.parts {
		p := &s.parts[i]
		if p.Literal {
			continue
		}
		if p.stripBefore {
			p.Text = strings.Replace(p.Text, "~", "", 1)
			if i > 0 && s.parts[i-1].Literal {
				s.parts[i-1].Text = strings.TrimRightFunc(s.parts[i-1].Text, unicode.IsSpace)
			}
		}
		if p.stripAfter {
			p.Text = strings.TrimSuffix(p.Text, "~}") + "}"
			if i+1 < len(s.parts) && s.parts[i+1].Literal {
				s.parts[i+1].Text = strings.TrimLeftFunc(s.parts[i+1].Text, unicode.IsSpace)
			}
		}
	}
}

// removeIndent removes from each line the indentation of the least indented one. Blank lines don't count, and a line
// that starts with a sequence isn't indented.
func (s *splitter) removeIndent() {
	least := -1          // the smallest number of blanks; -1 before the first line that counts
	var indented []*part // the literal texts at the start of lines that count
	isLineStart := true
	for i := range s.parts {
		p := &s.parts[i]
		if isLineStart {
			blanks, counts := leadingBlanks(p)
			if counts && (least < 0 || blanks < least) {
				least = blanks
			}
			if counts && p.Literal {
				indented = append(indented, p)
			}
		}
		isLineStart = p.Literal && strings.HasSuffix(p.Text, "\n")
	}
	for _, p := range indented {
		for range least {
			_, size := utf8.DecodeRuneInString(p.Text)
			p.Text = p.Text[size:]
		}
	}
}

// leadingBlanks returns how many blanks a line begins with, given its first part, and whether the line counts in the
// search for the least indented one. Blank lines don't.
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

// pieces returns the parts as pieces, with neighbouring literals joined. If only one sequence is left, because the
// literal text around it was stripped, it adds an empty one: "${a}" would have the type of a, while the template is a
// string.
func (s *splitter) pieces() []Piece {
	out := make([]Piece, 0, len(s.parts))
	var run strings.Builder // the text of the last piece, if that is literal and may go on
	// endRun completes the last piece, if it is literal.
	endRun := func() {
		if last := len(out) - 1; last >= 0 && out[last].Literal {
			out[last].Text = run.String()
			run.Reset()
		}
	}
	for _, p := range s.parts {
		last := len(out) - 1
		switch {
		case p.Literal && p.Text == "" && len(s.parts) > 1: // skip it
		case p.Literal && last >= 0 && out[last].Literal:
			run.WriteString(p.Text)
		default:
			endRun()
			out = append(out, p.Piece)
			if p.Literal {
				run.WriteString(p.Text)
			}
		}
	}
	endRun()
	if len(out) == 1 && !out[0].Literal && len(s.parts) > 1 {
		out = append([]Piece{{Text: `${""}`}}, out...)
	}
	return out
}

// IsVisible reports whether a character is visible in a text, and so needs no escape. A joiner (U+200D) counts, as
// emoji contain it.
func IsVisible(r rune) bool { return unicode.IsGraphic(r) || r == '\u200d' }

// IsBareKey reports whether a name can be a key in an object without quotes, in every release: the text may be
// written for another release than the module's.
func IsBareKey(name string) bool {
	return spelling.IsNativeName(name) && engine.LaterLetter([]byte(name)) < 0 && !slices.Contains([]string{"true", "false", "null", "for"}, name)
}

// Quote returns a text as a quoted string without sequences.
func Quote(s string) string { return `"` + EscapeQuoted(s) + `"` }

// EscapeQuoted writes literal text for the inside of a quoted string.
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

// isPlainText reports whether a text surely needs no escape, as is usual. Without a {, it can't contain the start of
// a sequence.
func isPlainText(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' || c == '{' })
}

// escapeRune returns a character as \uXXXX or \UXXXXXXXX.
func escapeRune(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	text := quoted[1 : len(quoted)-1]
	if hex, ok := strings.CutPrefix(text, `\x`); ok {
		return `\u00` + hex
	}
	if strings.HasPrefix(text, `\u`) || strings.HasPrefix(text, `\U`) {
		return text
	}
	hex := strconv.FormatInt(int64(r), 16) // an escape that HCL lacks, such as \a
	return `\u` + strings.Repeat("0", 4-len(hex)) + hex
}
