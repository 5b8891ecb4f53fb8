// Package limits refuses text that would cost a parser or an evaluation disproportionate time or
// memory: brackets and operators that nest too deep, numbers of too many digits, constants and
// conversions whose work multiplies.
//
// It checks text before any parser sees it, and expressions and values before they are evaluated
// or converted. It returns diagnostics, or the result of the work if that is in proportion. A
// parser that gets 2,001 brackets recurses as often; an expression such as
//
//	[for a in range(1000) : [for b in range(1000) : range(1000)]]
//
// is a line of text that takes endless work. The package doesn't know the configuration language.
package limits

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// MaxDepth is how deep brackets, template directives and operators may nest in
// a file. The parser recurses once for each and dies of a stack overflow, which
// no program survives, so deeper files are refused before it sees them.
const MaxDepth = 2000

// CheckText refuses native text, a file or an expression, that can't be parsed safely.
func CheckText(src []byte, name string) hcl.Diagnostics { return check(src, name, false) }

// CheckTemplate refuses a template that can't be parsed safely.
func CheckTemplate(src []byte) hcl.Diagnostics { return check(src, "", true) }

// check refuses a text that isn't safe to parse: too deep, or with too long a number. It looks at the tokens only if
// the bytes leave a doubt, because finding tokens takes nearly as long as parsing.
func check(src []byte, name string, isTemplate bool) hcl.Diagnostics {
	s := newScan()
	if len(src) > MaxDepth && nestingBytes(src) > MaxDepth || hasLongRun(src) {
		parse.FindToken(src, name, isTemplate, s.add)
	}
	return s.refused
}

// nestingBytes counts the brackets, quotes and operators in a text, wherever they are. Each level of nesting needs at
// least one, so it returns an upper bound on the depth.
func nestingBytes(src []byte) (n int) {
	for _, token := range [...]string{"{", "[", "(", "\"", "<", "]", "-", "!", "?", "+", "*", "/", "%", "&&", "||", "==", ">", "::"} {
		n += bytes.Count(src, []byte(token))
	}
	return n
}

// A scan follows, token by token, how deep a parser would recurse. Each open bracket is a level; the operators and
// directives that are open in it count, too.
type scan struct {
	levels  []level
	total   int             // open levels, operators and directives
	deepest int             // the greatest total so far
	opener  hclsyntax.Token // the { or %{ before the next token, which tells what that opens; otherwise zero

	refused hcl.Diagnostics // the first number of too many digits, or the level that is too deep
}

// A level is an open bracket, quote or sequence, or the text outside of all.
type level struct {
	newlinesEndItems bool // newlines end items inside, as in a block or an object
	openCount        int  // operators and directives in it that still nest what follows
}

// newScan returns a scan of a text that starts outside of all brackets.
func newScan() *scan { return &scan{levels: []level{{newlinesEndItems: true}}} }

// add adds the next token, and reports whether the text is too deep, so that the scan can end. It also refuses the
// first number that is too long, which doesn't end the scan.
func (s *scan) add(t hclsyntax.Token) (isTooDeep bool) {
	switch {
	case t.Type == hclsyntax.TokenNewline, t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n")):
		if s.top().newlinesEndItems {
			s.endItem()
		}
		return false
	case t.Type == hclsyntax.TokenComment:
		return false
	case t.Type == hclsyntax.TokenNumberLit && s.refused == nil && hasLongRun(t.Bytes):
		s.refused = hcl.Diagnostics{LongNumber(t.Range)}
	}
	if opener := s.opener; opener.Type != 0 { // t is the first word behind { or %{
		s.opener = hclsyntax.Token{}
		s.handleFirstWord(opener, string(t.Bytes))
		if s.refuseIfTooDeep(opener) {
			return true
		}
	}
	s.updateNesting(t)
	// Of a directive, only the first word, the next token, tells whether it nests anything.
	return t.Type != hclsyntax.TokenTemplateControl && s.refuseIfTooDeep(t)
}

// handleFirstWord looks at the first word behind an opener, which is { or %{. Behind a brace, for starts a for
// expression, in which newlines don't end items. In a directive, if and for nest the text behind them, until endif or
// endfor. The directive's own level ends at its }, so this nesting counts in the template around it.
func (s *scan) handleFirstWord(opener hclsyntax.Token, word string) {
	inner := len(s.levels) - 1
	switch outer := &s.levels[inner-1]; {
	case opener.Type == hclsyntax.TokenOBrace:
		s.levels[inner].newlinesEndItems = word != "for"
	case word == "if" || word == "for":
		s.addOpen(outer, 1)
	case (word == "endif" || word == "endfor") && outer.openCount > 0:
		s.addOpen(outer, -1)
	}
}

// refuseIfTooDeep refuses the text if the parser would recurse deeper than MaxDepth at token t, and reports that.
func (s *scan) refuseIfTooDeep(t hclsyntax.Token) bool {
	s.deepest = max(s.deepest, s.total)
	if s.total <= MaxDepth {
		return false
	}
	s.refused = hcl.Diagnostics{diag.New(t.Range, "Nesting too deep", "Brackets, template directives and operators nest "+
		"more than %d levels deep here, which can't be parsed safely. Split the expression, for example with local values.", MaxDepth)}
	return true
}

// updateNesting opens or closes levels for a token. An operator counts until its item ends, because the parser nests
// its operands.
func (s *scan) updateNesting(t hclsyntax.Token) {
	switch t.Type {
	case hclsyntax.TokenOBrace, hclsyntax.TokenTemplateControl:
		s.openLevel( /* newlinesEndItems */ t.Type == hclsyntax.TokenOBrace)
		s.opener = t // handleFirstWord looks at the word behind it
	case hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
		hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
		s.openLevel( /* newlinesEndItems */ false)
	case hclsyntax.TokenCBrack:
		s.closeLevel()
		s.addOpen(s.top(), 1) // it may end an index, which nests what precedes it; a list counts as well, to be safe
	case hclsyntax.TokenCBrace, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd,
		hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		s.closeLevel()
	case hclsyntax.TokenComma:
		s.endItem()
	case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion, hclsyntax.TokenPlus,
		hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenAnd,
		hclsyntax.TokenOr, hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan,
		hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenDoubleColon:
		s.addOpen(s.top(), 1)
	}
}

// top returns the innermost level.
func (s *scan) top() *level { return &s.levels[len(s.levels)-1] }

// openLevel opens a level. newlinesEndItems tells whether newlines end items in it.
func (s *scan) openLevel(newlinesEndItems bool) {
	s.levels = append(s.levels, level{newlinesEndItems: newlinesEndItems})
	s.total++
}

// closeLevel closes the innermost level, unless none is open: the text may have too many closing brackets.
func (s *scan) closeLevel() {
	if len(s.levels) > 1 {
		s.endItem()
		s.levels = s.levels[:len(s.levels)-1]
		s.total--
	}
}

// addOpen adds by, which may be negative, to the operators and directives that are open in a level.
func (s *scan) addOpen(in *level, by int) {
	in.openCount += by
	s.total += by
}

// endItem closes the operators and directives that are open in the innermost level.
func (s *scan) endItem() { s.addOpen(s.top(), -s.top().openCount) }

// Reading a number takes time with the square of its digits, so that one with very
// many is refused before a parser sees it.

// hasLongRun reports whether a text has a run of more than MaxDigits digits. It looks at few bytes only:
// each run of that length covers an offset that is a multiple of MaxDigits.
func hasLongRun(src []byte) bool {
	const digits = "0123456789"
	for at := MaxDigits; at < len(src); at += MaxDigits {
		before, behind := bytes.TrimRight(src[:at], digits), bytes.TrimLeft(src[at:], digits)
		if len(src)-len(before)-len(behind) > MaxDigits {
			return true
		}
	}
	return false
}

// IsDigit reports whether a byte is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// maxErrors is the most errors of one constant that are reported, more than anybody reads. A
// reference of six bytes is an error that takes hundreds.
const maxErrors = 1000

// firstErrors returns at most maxErrors of a constant's errors, and one more that counts them all if it leaves out
// any. It removes references to the syntax tree, which would keep that in memory. at is the range of the constant.
func firstErrors(diags hcl.Diagnostics, at hcl.Range) hcl.Diagnostics {
	all := len(diags)
	if all > maxErrors {
		diags = slices.Clone(diags[:maxErrors])
	}
	for _, d := range diags {
		d.Expression, d.EvalContext = nil, nil
	}
	if all > maxErrors {
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Too many errors",
			Detail:   fmt.Sprintf("This value contains %d errors. Only the first %d are reported.", all, maxErrors),
			Subject:  at.Ptr(), // not &at, which would allocate at on every call
		})
	}
	return diags
}

// LongNumber returns the error about a number with more than MaxDigits digits.
func LongNumber(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Number too long", "A number of more than %d digits takes too long to read. Write it with "+
		"an exponent or as a string.", MaxDigits)
}

// CostlyAt returns the error about a constant that takes too much work to compute.
func CostlyAt(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Constant too large", "Computing this constant takes too many steps, too much memory or "+
		"numbers with too many digits. Write out its value, or move the expression into a local value, which is "+
		"computed only when it is used.")
}

// Parse parses a native file that isn't part of a module, such as a variables file. It refuses text that
// would overflow the parser's stack.
func Parse(src []byte, name string) (*hclsyntax.Body, hcl.Diagnostics) {
	if diags := CheckText(src, name); diags.HasErrors() {
		return nil, diags
	}
	parsed, diags := parse.Config(src, name, hcl.InitialPos)
	return parsed.Body.(*hclsyntax.Body), diags
}

// CheckConstants evaluates the arguments of a body in source order. It returns the errors of the first one that
// fails or costs too much, or nil.
func CheckConstants(b *hclsyntax.Body) hcl.Diagnostics {
	for _, a := range parse.Arguments(b) {
		if v, diags := Evaluate(a.Expr); diags.HasErrors() {
			return diags
		} else if IsVast(v) {
			return hcl.Diagnostics{CostlyAt(a.Expr.Range())}
		}
	}
	return nil
}
