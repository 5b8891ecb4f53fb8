package judge

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/vartype"
	"github.com/zclconf/go-cty/cty"
)

// ConstantOf judges values that are constants of a type.
func ConstantOf(want cty.Type) func(*source.Attr) hcl.Diagnostics {
	return func(a *source.Attr) hcl.Diagnostics {
		if _, ok := a.PlainText(); ok && want == cty.String {
			return nil
		}
		_, diags := constant.Convert(a, want)
		return diags
	}
}

// Constant judges a value that contains no references. In JSON the engine takes a string
// literally, whatever it looks like.
func Constant(a *source.Attr) hcl.Diagnostics {
	if a.Origin() != nil {
		return nil
	}
	_, diags := limits.Evaluate(a.Expr())
	return diags
}

// OutputType judges the type of an output, which is of the newer form only.
func OutputType(a *source.Attr) hcl.Diagnostics {
	_, _, diags := vartype.Strict(a)
	return diags
}

// Reference judges a reference to an object.
func Reference(a *source.Attr) hcl.Diagnostics {
	_, diags := hcl.AbsTraversalForExpr(a.Expr())
	return diags
}

// Notice judges a constant text that must not be blank.
func Notice(a *source.Attr) hcl.Diagnostics {
	v, diags := constant.Convert(a, cty.String)
	if !diags.HasErrors() && strings.TrimSpace(v.AsString()) == "" {
		return hcl.Diagnostics{diag.New(a.Value(), "Invalid `deprecated` value",
			"The text can't be empty. Name the replacement.")}
	}
	return diags
}

// Word judges a constant text that must be a name.
func Word(a *source.Attr) hcl.Diagnostics {
	v, diags := constant.Convert(a, cty.String)
	if !diags.HasErrors() && !hclsyntax.ValidIdentifier(v.AsString()) {
		return hcl.Diagnostics{InvalidName(a.Name, a.Value())}
	}
	return diags
}

// Constraint judges a version constraint.
func Constraint(a *source.Attr) hcl.Diagnostics {
	if text, ok := a.PlainText(); ok && isPlainConstraint(string(text)) {
		return nil
	}
	v, diags := limits.Evaluate(a.Expr())
	if diags.HasErrors() {
		return diags
	}
	v, err := limits.Convert(v, cty.String)
	switch {
	case errors.Is(err, limits.ErrCostly):
		return hcl.Diagnostics{limits.CostlyAt(a.Value())}
	case err != nil:
		return hcl.Diagnostics{invalidConstraint(a.Value())}
	}
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	if _, err := version.NewConstraint(v.AsString()); err != nil {
		return hcl.Diagnostics{invalidConstraint(a.Value())}
	}
	return nil
}

// isPlainConstraint reports whether a text is surely a version constraint: numbers with dots,
// behind operators. It avoids the regular expressions of package version.
func isPlainConstraint(text string) bool {
	for term := range strings.SplitSeq(text, ",") {
		term = strings.Trim(term, " ")
		number := strings.TrimLeft(term, "=!<>~")
		switch term[:len(term)-len(number)] {
		case "", "=", "!=", ">", "<", ">=", "<=", "~>":
		default:
			return false
		}
		for digits := range strings.SplitSeq(strings.TrimLeft(number, " "), ".") {
			if digits == "" || len(digits) > 9 || strings.Trim(digits, "0123456789") != "" {
				return false
			}
		}
	}
	return true
}

// Condition reports a condition that refers to nothing.
func Condition(a *source.Attr) hcl.Diagnostics {
	if a.PlainlyRefers() || len(a.Expr().Variables()) > 0 {
		return nil
	}
	return hcl.Diagnostics{diag.New(a.Value(), "Invalid condition expression",
		"The condition refers to nothing, so its result never changes. Refer to the object to test.")}
}

// ImportAddress judges the address of a resource, whose keys may be expressions. Quotes around it
// are refused.
func ImportAddress(a *source.Attr) hcl.Diagnostics {
	switch a.Expr().(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.IndexExpr, *hclsyntax.RelativeTraversalExpr:
		return nil
	}
	return hcl.Diagnostics{diag.New(a.Value(), "Invalid import address expression",
		"Write the address of a resource without quotes, such as aws_instance.web or aws_instance.web[each.key].")}
}

// References judges a list of references, which may be in quotes.
func References(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		_, diags := hcl.AbsTraversalForExpr(constant.Unquote(e))
		return diags
	})
}

// OneOf judges keywords, which may be in quotes.
func OneOf(keywords ...string) func(*source.Attr) hcl.Diagnostics {
	return oneOf(constant.Keyword, keywords)
}

// BareOneOf judges keywords, which engines take without quotes only.
func BareOneOf(keywords ...string) func(*source.Attr) hcl.Diagnostics {
	return oneOf(hcl.ExprAsKeyword, keywords)
}

func oneOf(keywordOf func(hcl.Expression) string, keywords []string) func(*source.Attr) hcl.Diagnostics {
	return func(a *source.Attr) hcl.Diagnostics {
		if slices.Contains(keywords, keywordOf(a.Expr())) {
			return nil
		}
		return hcl.Diagnostics{diag.New(a.Value(), fmt.Sprintf("Invalid %q keyword", a.Name),
			"The argument %s must be %s, without quotes.", a.Name, diag.Joined(keywords, "or"))}
	}
}
