package changes

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Objects that functions make of others: merge, which puts them together, and tomap, which
// has the keys of its argument.

// madeOf is the object or the list that a value is, the object without the keys that only an
// evaluation shows; nil where nothing of it is known.
func madeOf(e hcl.Expression) hcl.Expression {
	e = unwrapped(e)
	if !isObject(e) {
		return e
	}
	items, _ := knownItems(e)
	if len(items) == 0 {
		return nil
	}
	return &hclsyntax.ObjectConsExpr{Items: items, SrcRange: e.Range(), OpenRange: e.Range()}
}

// wholeOf is a value as an object in braces, if it is made of objects whose keys are all
// known; otherwise the value as it is.
func wholeOf(e hcl.Expression) hcl.Expression {
	e = unwrapped(e)
	if _, isCall := e.(*hclsyntax.FunctionCallExpr); !isCall || !isObject(e) {
		return e
	}
	items, isAll := knownItems(e)
	if !isAll {
		return e
	}
	return &hclsyntax.ObjectConsExpr{Items: items, SrcRange: e.Range(), OpenRange: e.Range()}
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

// unwrapped is what parentheses and tomap hold.
func unwrapped(e hcl.Expression) hcl.Expression {
	for {
		switch inner := e.(type) {
		case *hclsyntax.ParenthesesExpr:
			e = inner.Expression
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

// addItems adds the items that a value is made of, one without a key for what is not known.
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

// knownItems lists the items of an object whose keys are known, of several with one key the
// last, and reports whether these are all. The value of a key that one behind it may replace
// is not known.
func knownItems(e hcl.Expression) (known []hclsyntax.ObjectConsItem, isAll bool) {
	var items []hclsyntax.ObjectConsItem
	addItems(&items, e)
	seen := map[string]bool{}
	isAll = true
	for _, item := range slices.Backward(items) {
		name, ok := "", false
		if item.KeyExpr != nil {
			name, ok = KeyOf(item.KeyExpr)
		}
		switch {
		case !ok:
			isAll = false
		case !seen[name]:
			seen[name] = true
			if !isAll {
				item.ValueExpr = &hclsyntax.LiteralValueExpr{SrcRange: item.ValueExpr.Range()}
			}
			known = append(known, item)
		}
	}
	slices.Reverse(known)
	return known, isAll
}
