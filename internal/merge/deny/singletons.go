package deny

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// Most arguments that are expressions are a number or a text. The module's variables and local
// values often suffice to know that, so a pattern such as aws_*.**.Name denies only values that may
// have such a key.

// maxDepth is how many local values are followed, one after the other.
const maxDepth = 16

// declarations are the effective types of variables and the values of local values.
type declarations struct {
	types, locals map[string]*source.Attr
}

// declarations returns those of the module.
func (d *denial) declarations() *declarations {
	if d.declared != nil {
		return d.declared
	}
	d.declared = &declarations{map[string]*source.Attr{}, map[string]*source.Attr{}}
	isWanted := func(f *source.File, i int) bool {
		start := address.Start(string(f.TypeOf(i)))
		return start == "var" || start == "local"
	}
	address.WalkSome(d.module, isWanted, func(own address.Address, e *merge.MergedItem) {
		a := e.Attr()
		switch list := own.Segments(); {
		case a == nil:
		case len(list) == 3 && list[0].Name == "var" && list[2].Name == "type":
			d.declared.types[list[1].Name] = a
		case len(list) == 2 && list[0].Name == "local":
			d.declared.locals[list[1].Name] = a
		}
	})
	return d.declared
}

// isSingle reports whether a value that is an expression surely has no parts.
func (d *denial) isSingle(a *source.Attr) bool {
	return takesSingle(a) || d.isSingleExpr(a.Expr(), 0)
}

// takesSingle reports whether the language knows an argument as a single value.
func takesSingle(a *source.Attr) bool {
	shape, ok := language.ArgOf(a)
	return ok && !shape.Kind.HasParts()
}

func (d *denial) isSingleExpr(e hcl.Expression, depth int) bool {
	return parts.IsSingle(e, func(ref hcl.Traversal) bool {
		if len(ref) != 2 || depth == maxDepth {
			return false
		}
		step, _ := ref[1].(hcl.TraverseAttr)
		switch ref.RootName() {
		case "var":
			a := d.declarations().types[step.Name]
			if a == nil {
				return false
			}
			switch hcl.ExprAsKeyword(a.Expr()) {
			case "string", "number", "bool":
				return true
			}
		case "local":
			a := d.declarations().locals[step.Name]
			return a != nil && d.isSingleExpr(a.Expr(), depth+1)
		}
		return false
	})
}
