package parse

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Config is hclsyntax.ParseConfig in linear time.
func Config(src []byte, name string, start hcl.Pos) (*hcl.File, hcl.Diagnostics) {
	s := shorten(src, name, start, isNative)
	if s == nil {
		return hclsyntax.ParseConfig(src, name, start)
	}
	file, diags := hclsyntax.ParseConfig(s.out, name, start)
	x := s.expander(start)
	x.diagnostics(diags)
	x.body(file.Body.(*hclsyntax.Body))
	file.Bytes = src
	return file, diags
}

// Expression is hclsyntax.ParseExpression in linear time.
func Expression(src []byte, name string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics) {
	s := shorten(src, name, start, isNative)
	if s == nil {
		return hclsyntax.ParseExpression(src, name, start)
	}
	expr, diags := hclsyntax.ParseExpression(s.out, name, start)
	x := s.expander(start)
	x.diagnostics(diags)
	x.expr(expr)
	return expr, diags
}

// Template is hclsyntax.ParseTemplate in linear time.
func Template(src []byte, name string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics) {
	s := shorten(src, name, start, isTemplate)
	if s == nil {
		return hclsyntax.ParseTemplate(src, name, start)
	}
	expr, diags := hclsyntax.ParseTemplate(s.out, name, start)
	x := s.expander(start)
	x.diagnostics(diags)
	x.expr(expr)
	return expr, diags
}

// Traversal is hclsyntax.ParseTraversalAbs in linear time.
func Traversal(src []byte, name string, start hcl.Pos) (hcl.Traversal, hcl.Diagnostics) {
	s := shorten(src, name, start, isTraversal)
	if s == nil {
		return hclsyntax.ParseTraversalAbs(src, name, start)
	}
	found, diags := hclsyntax.ParseTraversalAbs(s.out, name, start)
	x := s.expander(start)
	x.diagnostics(diags)
	x.traversal(found)
	return found, diags
}

// limits separate ordinary texts from those that need shortening; tests change them.
type limits struct {
	pieces  int // of literal text in one template, up to which the parser joins them: it takes as many steps for each as there are
	window  int // bytes that are turned into tokens at once
	lines   int // of a template that stay
	atOnce  int // tokens that are left out at a time
	invalid int // parts of one template with errors that stay; further errors are not reported
}

var limit = limits{pieces: 128, window: 32 << 10, lines: 32, atOnce: 256, invalid: 1000}

// A textKind is the kind of a text.
type textKind byte

const (
	isNative textKind = iota
	isTemplate
	isTraversal // with words in brackets
)

// mayBeLong reports whether there may be more than so many pieces of literal text in one
// template of a text, or a comment without an end. Each line is a piece, and each dollar and
// percent sign.
func mayBeLong(src []byte, kind textKind) bool {
	if len(src) < limit.pieces {
		return false
	}
	if hasOpenComment(src) {
		return true
	}
	if bytes.Count(src, []byte("$"))+bytes.Count(src, []byte("%")) >= limit.pieces {
		return true
	}
	return (kind == isTemplate || bytes.Contains(src, []byte("<<"))) && bytes.Count(src, []byte("\n")) >= limit.pieces
}

// hasOpenComment reports whether the last comment of a text may have no end.
func hasOpenComment(src []byte) bool {
	opening := bytes.LastIndex(src, []byte("/*"))
	return opening >= 0 && !bytes.Contains(src[opening+2:], []byte("*/"))
}
