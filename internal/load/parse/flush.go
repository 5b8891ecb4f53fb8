package parse

import (
	"strings"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A flusher removes the indentation from parts of a heredoc, as the parser does with its tokens.
// Literal text has more than one line.
type flusher struct {
	s       *shortener
	atStart bool
	line    func(text string) string // called with the text of each line that starts with text
	other   func()                   // called for each line that starts with a sequence
}

// leastIndent is how far the least indented line of some parts is indented.
func (s *shortener) leastIndent(parts []hclsyntax.Expression, atStart bool) int {
	least := noIndent
	f := flusher{s, atStart, func(text string) string {
		if n, counts := indentation(text); counts {
			least = min(least, n)
		}
		return text
	}, func() { least = 0 }}
	f.parts(parts)
	return least
}

// flush takes blanks away at the start of each line.
func (s *shortener) flush(parts []hclsyntax.Expression, blanks int, atStart bool) {
	f := flusher{s, atStart, func(text string) string {
		if _, counts := indentation(text); !counts {
			return text
		}
		rest := []byte(text)
		for range blanks {
			n, _, _ := textseg.ScanGraphemeClusters(rest, true)
			rest = rest[n:]
		}
		return text[len(text)-len(rest):]
	}, func() {}}
	f.parts(parts)
}

func (f *flusher) parts(parts []hclsyntax.Expression) {
	for _, p := range parts {
		switch p := p.(type) {
		case *hclsyntax.LiteralValueExpr:
			if isText(p) {
				f.literal(p)
				continue
			}
		case *hclsyntax.ConditionalExpr:
			if f.s.src[p.SrcRange.Start.Byte-f.s.offset] == '%' {
				f.sequence()
				f.branch(p.TrueResult)
				f.branch(p.FalseResult)
				continue
			}
		case *hclsyntax.TemplateJoinExpr:
			f.sequence()
			f.branch(p.Tuple.(*hclsyntax.ForExpr).ValExpr)
			continue
		}
		f.sequence()
	}
}

// branch restores the parts between two directives, and the second directive.
func (f *flusher) branch(e hclsyntax.Expression) {
	f.parts(e.(*hclsyntax.TemplateExpr).Parts)
	f.sequence()
}

func (f *flusher) sequence() {
	if f.atStart {
		f.other()
	}
	f.atStart = false
}

func (f *flusher) literal(lit *hclsyntax.LiteralValueExpr) {
	if lit.SrcRange.Empty() {
		return // a branch of a directive may be empty
	}
	text := lit.Val.AsString()
	var out strings.Builder
	for line := range strings.Lines(text) {
		if f.atStart {
			out.WriteString(f.line(line))
		} else {
			out.WriteString(line)
		}
		f.atStart = strings.HasSuffix(line, "\n")
	}
	if text == "" && f.atStart {
		f.line("")
		f.atStart = false
	}
	if out.Len() != len(text) {
		lit.Val = cty.StringVal(out.String())
	}
}
