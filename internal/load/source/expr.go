package source

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// Expr is the value's expression. It is parsed on each call.
func (a *Attr) Expr() hcl.Expression {
	if expr := a.rarely().expr; expr != nil {
		return expr
	}
	at := a.Value()
	text := a.File.Text(at)
	if !a.File.Parsed {
		if expr := simpleExpr(text, at); expr != nil {
			return expr
		}
	}
	if bytes.Contains(text, []byte("<<")) {
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
