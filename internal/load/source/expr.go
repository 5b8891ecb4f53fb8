package source

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// Expr is the value's expression. The expressions of most arguments, on which no rule depends, are
// parsed on each call.
func (a *Attr) Expr() hcl.Expression {
	if a.HasExpr() {
		return a.rare.expr
	}
	at := a.Value()
	text := a.File.Text(at)
	if !a.File.Parsed {
		if expr := simpleExpr(text, at); expr != nil {
			return expr
		}
	}
	if bytes.HasPrefix(text, []byte("<<")) {
		text = append(text, '\n') // a heredoc ends with its line
	}
	expr, _ := parse.Expression(text, a.File.Name, at.Start)
	return expr
}

// With is the argument with another expression for its value.
func (a *Attr) With(expr hcl.Expression) *Attr {
	changed, own := *a, a.rarely()
	own.expr = expr
	changed.rare = &own
	return &changed
}

// ForgetExpr releases the value's expression, which is parsed again on demand.
func (a *Attr) ForgetExpr() {
	if !a.HasExpr() {
		return
	}
	if a.rare.expr = nil; *a.rare == (rare{}) {
		a.rare = nil
	}
}

// HasExpr reports whether the value's expression is in memory.
func (a *Attr) HasExpr() bool { return a.rare != nil && a.rare.expr != nil }
