package limits

import (
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// Parse parses a native file that isn't part of a module, such as the lock file. Text that would
// overflow the parser's stack is refused as in a file of a module.
func Parse(src []byte, name string) (*hclsyntax.Body, hcl.Diagnostics) {
	if diags := CheckText(src, name); diags.HasErrors() {
		return nil, diags
	}
	parsed, diags := parse.Config(src, name, hcl.InitialPos)
	return parsed.Body.(*hclsyntax.Body), diags
}

// CheckConstants judges whether the values of a body can be computed, in the order in
// in which they are written.
func CheckConstants(b *hclsyntax.Body) hcl.Diagnostics {
	attrs := slices.SortedFunc(maps.Values(b.Attributes), func(a, b *hclsyntax.Attribute) int {
		return a.NameRange.Start.Byte - b.NameRange.Start.Byte
	})
	for _, a := range attrs {
		if v, diags := Evaluate(a.Expr); diags.HasErrors() {
			return diags
		} else if IsVast(v) {
			return hcl.Diagnostics{CostlyAt(a.Expr.Range())}
		}
	}
	return nil
}

// ErrTooDeep explains in one line why Parse refuses a text.
var ErrTooDeep = errors.New("its brackets nest too deep, or a number has too many digits")
