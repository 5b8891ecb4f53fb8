package parts

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Objects that functions make of others: merge, which puts them together, and tomap, which
// has the keys of its argument.

// MadeOf is the object or the list that a value is, the object without the keys that only an
// evaluation shows; nil if nothing of it is known.
func MadeOf(e hcl.Expression) hcl.Expression {
	e = unwrapped(e)
	if !isObject(e) {
		return e
	}
	items, _ := knownItems(e)
	if len(items) == 0 {
		return nil
	}
	return &hclsyntax.ObjectConsExpr{Items: masked(items), SrcRange: e.Range(), OpenRange: e.Range()}
}

// WholeOf is a value as an object in braces, if it is made of objects whose keys are all
// known; otherwise the value as it is.
func WholeOf(e hcl.Expression) hcl.Expression {
	e = unwrapped(e)
	if _, isCall := e.(*hclsyntax.FunctionCallExpr); !isCall || !isObject(e) {
		return e
	}
	items, isAll := knownItems(e)
	if !isAll {
		return e
	}
	return &hclsyntax.ObjectConsExpr{Items: masked(items), SrcRange: e.Range(), OpenRange: e.Range()}
}

// Encoded is the argument of jsonencode or yamlencode, and the name of the function; of another value
// the value itself.
func Encoded(e hcl.Expression) (encoded hcl.Expression, function string) {
	call, ok := unwrapped(e).(*hclsyntax.FunctionCallExpr)
	if !ok || len(call.Args) != 1 || call.ExpandFinal || call.Name != "jsonencode" && call.Name != "yamlencode" {
		return e, ""
	}
	return call.Args[0], call.Name
}

// Locals names the local values that a value is, or that merge puts into it.
func Locals(e hcl.Expression) (names []string) {
	switch e := unwrapped(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if text, ok := TraversalText(e.Traversal); ok && len(e.Traversal) == 2 && e.Traversal.RootName() == "local" {
			names = append(names, strings.TrimPrefix(text, "local."))
		}
	case *hclsyntax.FunctionCallExpr:
		for i, arg := range e.Args {
			if e.Name == "merge" && (i < len(e.Args)-1 || !e.ExpandFinal) {
				names = append(names, Locals(arg)...)
			}
		}
	}
	return names
}

// masked returns the items with an unknown value wherever the value isn't sure.
func masked(items []knownItem) []hclsyntax.ObjectConsItem {
	list := make([]hclsyntax.ObjectConsItem, len(items))
	for i, item := range items {
		if list[i] = item.ObjectConsItem; !item.isSure {
			list[i].ValueExpr = &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal, SrcRange: item.ValueExpr.Range()}
		}
	}
	return list
}

// isObject reports whether a value is an object in braces or what merge makes.
func isObject(e hcl.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.ObjectConsExpr:
		return true
	case *hclsyntax.FunctionCallExpr:
		return e.Name == "merge"
	}
	return false
}

// unwrapped is what parentheses, templates of nothing else and tomap hold.
func unwrapped(e hcl.Expression) hcl.Expression {
	for {
		switch inner := e.(type) {
		case *hclsyntax.ParenthesesExpr:
			e = inner.Expression
			continue
		case *hclsyntax.TemplateWrapExpr:
			e = inner.Wrapped
			continue
		case *hclsyntax.FunctionCallExpr:
			if inner.Name == "tomap" && len(inner.Args) == 1 && !inner.ExpandFinal {
				e = inner.Args[0]
				continue
			}
		}
		return e
	}
}

// addItems adds the items that a value is made of, and one without a key for each unknown part.
func addItems(items *[]hclsyntax.ObjectConsItem, e hcl.Expression) {
	e = unwrapped(e)
	switch e := e.(type) {
	case *hclsyntax.ObjectConsExpr:
		*items = append(*items, e.Items...)
		return
	case *hclsyntax.FunctionCallExpr:
		if e.Name != "merge" {
			break
		}
		for i, arg := range e.Args {
			if i == len(e.Args)-1 && e.ExpandFinal {
				*items = append(*items, hclsyntax.ObjectConsItem{})
			} else {
				addItems(items, arg)
			}
		}
		return
	}
	*items = append(*items, hclsyntax.ObjectConsItem{})
}

// A knownItem is an item whose key is known.
type knownItem struct {
	hclsyntax.ObjectConsItem
	name   string
	isSure bool // no key behind it that is not known may be the same
}

// knownItems lists the items of an object whose keys are known, of several with one key the
// last, and reports whether these are all.
func knownItems(e hcl.Expression) (known []knownItem, isAll bool) {
	var items []hclsyntax.ObjectConsItem
	addItems(&items, e)
	seen := map[string]bool{}
	isAll = true
	for _, item := range slices.Backward(items) {
		name, ok := "", false
		if item.KeyExpr != nil {
			name, ok = Key(item.KeyExpr)
		}
		switch {
		case !ok:
			isAll = false
		case !seen[name]:
			seen[name] = true
			known = append(known, knownItem{item, name, isAll})
		}
	}
	slices.Reverse(known)
	return known, isAll
}
