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

// check looks at the tokens only if the bytes leave in doubt that the text is safe: finding the tokens
// takes nearly as long as parsing.
func check(src []byte, name string, isTemplate bool) hcl.Diagnostics {
	s := newScan()
	if len(src) > MaxDepth && nestingBytes(src) > MaxDepth || hasLongRun(src) {
		parse.FindToken(src, name, isTemplate, s.token)
	}
	return s.refused
}

// nestingBytes counts bytes of which each level of nesting has at least one.
func nestingBytes(src []byte) (n int) {
	for _, token := range [...]string{"{", "[", "(", "\"", "<", "]", "-", "!", "?", "+", "*", "/", "%", "&&", "||", "==", ">", "::"} {
		n += bytes.Count(src, []byte(token))
	}
	return n
}

// A scan follows how deep a parser would recurse. Each open bracket is a level, and counts the operators
// and directives that are open in it.
type scan struct {
	levels  []level
	total   int             // open levels, operators and directives
	deepest int             // the greatest total so far
	opener  hclsyntax.Token // of the innermost level, while its first word decides what it is

	refused hcl.Diagnostics // the first number of too many digits, or the level that is too deep
}

type level struct {
	lines   bool // newlines end items inside, as in a block or an object
	waiting int  // operators and directives
}

func newScan() *scan { return &scan{levels: []level{{lines: true}}} }

// token takes the next token, and reports whether the text is too deep, so that the scan can end.
func (s *scan) token(t hclsyntax.Token) bool {
	switch {
	case t.Type == hclsyntax.TokenNewline, t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n")):
		if s.top().lines {
			s.endItem()
		}
		return false
	case t.Type == hclsyntax.TokenComment:
		return false
	case t.Type == hclsyntax.TokenNumberLit && s.refused == nil && hasLongRun(t.Bytes):
		s.refused = hcl.Diagnostics{LongNumber(t.Range)}
	}
	if s.opener.Type != 0 {
		opener := s.opener
		s.opener = hclsyntax.Token{}
		if s.firstWord(opener, string(t.Bytes)); s.tooDeep(opener) {
			return true
		}
	}
	s.nest(t)
	return t.Type != hclsyntax.TokenTemplateControl && s.tooDeep(t)
}

// firstWord handles the first word of a level. In braces it decides whether newlines end items; in a directive,
// whether the directive nests what follows it, or ends.
func (s *scan) firstWord(opener hclsyntax.Token, word string) {
	inner := len(s.levels) - 1
	switch outer := &s.levels[inner-1]; {
	case opener.Type == hclsyntax.TokenOBrace:
		s.levels[inner].lines = word != "for"
	case word == "if" || word == "for":
		s.addOpen(outer, 1)
	case (word == "endif" || word == "endfor") && outer.waiting > 0:
		s.addOpen(outer, -1)
	}
}

// tooDeep refuses the text at a token if the parser would recurse deeper than MaxDepth there.
func (s *scan) tooDeep(t hclsyntax.Token) bool {
	s.deepest = max(s.deepest, s.total)
	if s.total <= MaxDepth {
		return false
	}
	s.refused = hcl.Diagnostics{diag.New(t.Range, "Nesting too deep", "Brackets, template directives and operators nest "+
		"more than %d levels deep here, which can't be parsed safely. Split the expression, for example with local values.", MaxDepth)}
	return true
}

// nest opens or closes the levels of a token. An operator stays open until its item ends, since the parser
// nests operands.
func (s *scan) nest(t hclsyntax.Token) {
	switch t.Type {
	case hclsyntax.TokenOBrace, hclsyntax.TokenTemplateControl:
		s.open(t.Type == hclsyntax.TokenOBrace)
		s.opener = t
	case hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
		hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
		s.open(false)
	case hclsyntax.TokenCBrack:
		s.close()
		s.addOpen(s.top(), 1) // an index nests what precedes it
	case hclsyntax.TokenCBrace, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd,
		hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
		s.close()
	case hclsyntax.TokenComma:
		s.endItem()
	case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion, hclsyntax.TokenPlus,
		hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenAnd,
		hclsyntax.TokenOr, hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan,
		hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenDoubleColon:
		s.addOpen(s.top(), 1)
	}
}

func (s *scan) top() *level { return &s.levels[len(s.levels)-1] }

// open opens a level; lines says whether newlines end items in it.
func (s *scan) open(lines bool) {
	s.levels = append(s.levels, level{lines: lines})
	s.total++
}

// close closes the innermost level, if one is open: the text may have too many closing brackets.
func (s *scan) close() {
	if len(s.levels) > 1 {
		s.endItem()
		s.levels = s.levels[:len(s.levels)-1]
		s.total--
	}
}

// addOpen adds by operators or directives to those that are open in a level.
func (s *scan) addOpen(in *level, by int) {
	in.waiting += by
	s.total += by
}

func (s *scan) endItem() { s.addOpen(s.top(), -s.top().waiting) }

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

// firstErrors returns the first errors of a constant, and how many there are if it leaves out others. It
// removes the references to the syntax tree, which would keep it in memory.
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

// LongNumber words the refusal of a number with more than MaxDigits digits.
func LongNumber(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Number too long", "A number of more than %d digits takes too long to read. Write it with "+
		"an exponent or as a string.", MaxDigits)
}

// CostlyAt words the refusal of a constant that takes too much work to compute.
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

// CheckConstants evaluates the arguments of a body in source order, and returns the errors of the first
// that fails or costs too much.
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
