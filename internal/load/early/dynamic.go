package early

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// isUsed reports whether an argument is computed at all.
func (f *flow) isUsed(u use) bool {
	if f.named == nil {
		f.named = map[string]bool{"": true}
		inside := map[string][]*source.Attr{}
		for _, u := range f.uses {
			inside[f.row.nameAround(u)] = append(inside[f.row.nameAround(u)], u.attr)
		}
		delete(inside, idle)
		for found := []string{""}; len(found) > 0 && len(inside) > 1; found = found[1:] {
			for _, a := range inside[found[0]] {
				for _, ref := range a.Expr().Variables() {
					if name := strings.Join(namesIn(ref), "."); inside[name] != nil && !f.named[name] {
						f.named[name] = true
						found = append(found, name)
					}
				}
			}
		}
	}
	return f.named[f.row.nameAround(u)]
}

// idle stands for the names of blocks that aren't computed.
const idle = "-"

// nameAround is what arguments call the block around another one, or "" if that is always computed.
func (r *row) nameAround(u use) string {
	for b := u.attr.Within(); b != nil; b = b.Within() {
		switch {
		case slices.Contains(r.idle, b.Type):
			return idle
		case slices.Contains(r.own, b.Type):
			return strings.Join(append([]string{b.Type}, b.Labels...), ".")
		}
	}
	return ""
}

// dynamic judges the value of an argument itself. One that constants decide is kept, to be judged as
// if it were written there.
func (f *flow) dynamic(u use) *hcl.Diagnostic {
	if !f.isUsed(u) {
		return nil
	}
	v := f.statics.of(u.attr, f.row.own)
	title, name, when := u.attr.File.Engine.Product.Title(), u.attr.Name, f.row.when()
	switch {
	case v.refusal != nil:
		d := diag.New(u.attr.Value(), v.refusal.summary, "%s computes %s %s, and %s %s. Use another value.", title, name, when, v.refusal.who(u), v.refusal.does)
		return atInit(f.row, related(v.refusal.in, u, d))
	case v.doubt != nil && v.changed != nil:
		d := diag.Warning(u.attr.Value(), "Value not computed", "%s computes %s %s, and refuses the module if that fails. tofumerge doesn't compute it, because %s %s.", title, name, when, v.doubt.who(u), v.doubt.does)
		return related(v.changed, u, d)
	case v.value.IsKnown() && len(u.attr.Expr().Variables()) > 0 && f.statics.budget.Covers(v.value, u.attr.Expr()):
		f.computed[u.attr] = computed{u.attr.With(&hclsyntax.LiteralValueExpr{Val: v.value, SrcRange: u.attr.Value()}), v.changed}
	}
	return nil
}

// who names the argument or the local value that does something.
func (o *obstacle) who(u use) string {
	if o.in == u.attr {
		return "this value"
	}
	return "local." + diag.Escape(o.in.Name) + " at " + diag.Place(source.Where(o.in))
}

// related adds where a local value is set to a diagnostic about an argument that reaches it.
func related(to *source.Attr, u use, d *hcl.Diagnostic) *hcl.Diagnostic {
	if to == nil || to == u.attr {
		return d
	}
	return diag.WithRelated(diag.Related{Note: "local." + diag.Escape(to.Name) + " set here", Range: source.Where(to)}, d)
}

// judgeComputed judges values that local values make as the language judges those that are written
// where they are used.
func (m *Module) judgeComputed() hcl.Diagnostics {
	given, isJudged := map[string]*source.Attr{}, map[string]bool{}
	for _, u := range m.uses {
		given[u.name+"/"+u.path] = u.attr
	}
	var diags hcl.Diagnostics
	for _, u := range m.uses {
		c, isComputed := m.computed[u.attr]
		top, arg, _ := strings.Cut(u.path, "/")
		shape, _ := language.Of(m.engine).Block(top)
		if !isComputed || strings.Contains(arg, "/") {
			continue
		}
		var found hcl.Diagnostics
		if own, _ := shape.Body.Arg(arg); own.Also != nil {
			found = own.Also(c.attr)
		}
		written := func(name string) *source.Attr { return given[u.name+"/"+top+"/"+name] }
		joint := shape.Body.Judged()
		if joint != nil && !isJudged[u.name+"/"+top] && !joint(written).HasErrors() { // else they are reported already
			found = append(found, joint(func(name string) *source.Attr {
				return cmp.Or(m.computed[written(name)].attr, written(name))
			})...)
		}
		isJudged[u.name+"/"+top] = true
		for _, d := range found {
			if _, has := diag.RelatedOf(d); !has {
				related(c.changed, u, d)
			}
		}
		diags = append(diags, found...)
	}
	return diags
}
