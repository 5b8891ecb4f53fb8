// Package early judges arguments that releases compute before all others, such as the source of a
// module: they refuse secrets there, variables whose values are not known yet, and whatever can't be
// computed from constants, variables and local values.
//
// The rows of the table are data. NewModule takes the rows that matter for some files; package
// merge adds the variables, local values and arguments in effect, and Judge follows the values and
// applies the rows. If it is not certain that a variable decides on a value, nothing is refused.
package early

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Judge reports the values that the engine refuses to compute early.
func (m *Module) Judge() hcl.Diagnostics {
	flows, statics := map[*row]*flow{}, newStatics(m)
	for _, r := range m.rows {
		flows[r] = &flow{Module: m, row: r, known: map[string]localUse{}, statics: statics}
	}
	var diags hcl.Diagnostics
	for _, u := range m.uses {
		if _, isPlain := u.attr.PlainText(); isPlain {
			continue
		}
		isJudged, isCut := false, false
		for _, r := range m.rows {
			if !r.has(u.path) {
				continue
			}
			if d := flows[r].judge(u); d != nil {
				diags = append(diags, d)
				isJudged = true
				break
			}
			isCut = isCut || flows[r].isCut
		}
		if isCut && !isJudged {
			diags = append(diags, notFollowed(u))
		}
	}
	return append(diags, m.judgeComputed()...)
}

// judge reports the row's refusal of an argument; nil if there is none.
func (f *flow) judge(u use) *hcl.Diagnostic {
	var found *refusal
	f.isCut = false
	switch f.row.how {
	case ifDynamic:
		return f.dynamic(u)
	case ifVarying:
		return varying(u, f.row)
	case ifReferenced:
		found = f.referenced(u.attr.Expr())
	default:
		found = f.derived(u.attr.Expr(), f.row.isDeep())
	}
	if found == nil {
		return nil
	}
	return diagnostic(u, f.row, found)
}

// varying reports a value that is no constant; nil for a constant.
func varying(u use, r *row) *hcl.Diagnostic {
	title, typ := u.attr.File.Engine.Product.Title(), strings.Split(u.path, "/")[1]
	for _, ref := range u.attr.Expr().Variables() {
		d := diag.New(ref.SourceRange(), r.summary, "%s refuses references in %s blocks on init. Write a constant, or leave out the argument and pass it with -backend-config.", title, typ)
		return atInit(r, d)
	}
	node, ok := u.attr.Expr().(hclsyntax.Node)
	if !ok {
		return nil
	}
	var found *hcl.Diagnostic
	hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, isCall := n.(*hclsyntax.FunctionCallExpr); isCall && found == nil {
			found = atInit(r, diag.New(call.NameRange, "Function calls not allowed", "%s refuses function calls in %s blocks on init. Write a constant.", title, typ))
		}
		return nil
	})
	return found
}

// diagnostic words a refusal. If only init refuses the value, it is a warning: other commands
// accept the module.
func diagnostic(u use, r *row, found *refusal) *hcl.Diagnostic {
	title, name, when := u.attr.File.Engine.Product.Title(), diag.Escape(found.name), r.when()
	at, note := u.attr.Value(), r.flag+" set here"
	if found.at == nil {
		d := diag.New(at, r.summary, "%s computes %s %s and refuses values that depend on %s. Use another value.", title, u.attr.Name, when, name)
		return atInit(r, d)
	}
	place := diag.Place(source.Where(found.at))
	var d *hcl.Diagnostic
	switch r.how {
	case ifDerived:
		d = diag.New(at, r.summary, "%s computes %s %s and refuses values that depend on var.%s, which is %s. Use another value, or remove %s at %s.",
			title, u.attr.Name, when, name, r.flag, r.flag, place)
	case ifReferenced:
		d = diag.New(at, r.summary, "%s computes %s %s and refuses var.%s there, which has %s = false. Use another value, or remove %s at %s.",
			title, u.attr.Name, when, name, r.flag, r.flag, place)
	case ifUnflagged:
		note = "declared here"
		d = diag.New(at, r.summary, "%s computes %s %s from constant variables only. Set %s = true in var.%s at %s.",
			title, u.attr.Name, when, r.flag, name, place)
	}
	return atInit(r, diag.WithRelated(diag.Related{Note: note, Range: source.Where(found.at)}, d))
}

// notFollowed warns that nobody looked at all that a value is made of.
func notFollowed(u use) *hcl.Diagnostic {
	d := diag.New(u.attr.Value(), "Too many local values", "%s computes %s early and refuses some variables there. This value depends on a chain of more than %d local values, which tofumerge doesn't follow to its end, so it may contain a refused variable. Shorten the chain.",
		u.attr.File.Engine.Product.Title(), u.attr.Name, maxDepth)
	d.Severity = hcl.DiagWarning
	return d
}
