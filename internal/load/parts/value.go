// Package parts reads the keys of objects and the elements of lists without evaluating anything but
// constants.
//
// Given an argument, it returns its parts as arguments at their positions, and whether these are
// all (Of). A key is a word, a constant or a reference that stands for itself (Key). The results of
// merge and tomap for objects in braces are treated as objects (KnownOf, WholeOf). Everything else
// that only the engine can compute stays unknown, and no key is evaluated that takes more work than
// reading it.
package parts

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/zclconf/go-cty/cty"
)

// A Value holds those parts of a value that are known: the keys of an object, or the elements of a list.
type Value struct {
	Parts []part // in source order; of several with the same key only the last
	// IsAll is set if there are no other parts: a number or a text has none at all.
	IsAll bool
	// IsList is set if the parts are elements.
	IsList bool
	index  map[spelling.Segment]int // of each part in Parts; nil until needed
}

// A part is a key of an object, or an element of a list.
type part struct {
	spelling.Segment
	Value *source.Attr // at the position of the key or the element
	// IsSure is set if no other key, known only to the engine, can supersede this one.
	IsSure bool
}

// Of returns the parts of an argument's value, as far as they are known without evaluating it.
func Of(a *source.Attr) *Value {
	v := &Value{}
	if _, isText := a.PlainText(); isText {
		v.IsAll = true // a text has no parts
		return v
	}
	if text := a.File.Text(a.Value()); bytes.HasPrefix(text, []byte("<<")) {
		v.IsAll = true // a heredoc, behind which no operator or index can follow: the whole value is a text
		return v
	} else if HasLongHeredoc(text) { // parsing takes too long, so no part is known
		return v
	}
	// A list has its elements as parts, an object or merge() its keys.
	e := unwrap(a.Expr())
	if list, ok := e.(*hclsyntax.TupleConsExpr); ok {
		v.IsAll, v.IsList = true, true
		for i, elem := range list.Exprs {
			v.Parts = append(v.Parts, part{Segment: spelling.At(i), Value: a.Part(elem.Range(), elem), IsSure: true})
		}
		return v
	}
	if !isObject(e) { // no part is known, and a value such as a number has none
		v.IsAll = IsSingle(e, nil)
		return v
	}
	items, isAll := knownItems(e)
	v.IsAll = isAll
	for _, item := range items {
		value := a.Part(item.KeyExpr.Range(), item.ValueExpr)
		v.Parts = append(v.Parts, part{Segment: spelling.Named(item.name), Value: value, IsSure: item.isSure})
	}
	return v
}

// HasLongHeredoc reports whether a text may hold a heredoc with so many lines that parsing it takes too long.
func HasLongHeredoc(text []byte) bool {
	const maxLines = 2000
	return bytes.Contains(text, []byte("<<")) && bytes.Count(text, []byte("\n")) > maxLines
}

// Part returns the part with a key or an index, or nil.
func (v *Value) Part(s spelling.Segment) *part {
	if v.index == nil {
		v.index = make(map[spelling.Segment]int, len(v.Parts))
		for i, p := range v.Parts {
			v.index[p.Segment] = i
		}
	}
	s.Name = spelling.Normal(s.Name)
	if i, ok := v.index[s]; ok {
		return &v.Parts[i]
	}
	return nil
}

// IsSingle reports whether a value surely has no parts: a constant, a text, the result of an operator, or of a
// function that returns no collection. refers reports the same about the value that a reference leads to; if it is
// nil, only references such as path.module have no parts.
func IsSingle(e hcl.Expression, refers func(hcl.Traversal) bool) bool {
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return IsSingle(e.Expression, refers)
	case *hclsyntax.LiteralValueExpr, *hclsyntax.TemplateExpr, *hclsyntax.BinaryOpExpr, *hclsyntax.UnaryOpExpr:
		return true
	case *hclsyntax.TemplateWrapExpr:
		return IsSingle(e.Wrapped, refers)
	case *hclsyntax.ConditionalExpr:
		return IsSingle(e.TrueResult, refers) && IsSingle(e.FalseResult, refers)
	case *hclsyntax.FunctionCallExpr:
		return singleFunctions[e.Name]
	case *hclsyntax.ScopeTraversalExpr:
		return isSingleReference(e) || refers != nil && refers(e.Traversal)
	}
	return false
}

// singleFunctions return a number, a text or a bool whatever their arguments.
var singleFunctions = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range []string{
		"abs", "abspath", "alltrue", "anytrue", "base64decode", "base64encode", "base64gunzip", "base64gzip", "base64sha256",
		"base64sha512", "basename", "bcrypt", "can", "ceil", "chomp", "cidrcontains", "cidrhost", "cidrnetmask", "cidrsubnet",
		"contains", "dirname", "endswith", "file", "filebase64", "filebase64sha256", "filebase64sha512", "fileexists", "filemd5",
		"filesha1", "filesha256", "filesha512", "floor", "format", "formatdate", "indent", "join", "jsonencode", "length", "log",
		"lower", "max", "md5", "min", "parseint", "pathexpand", "plantimestamp", "pow", "replace", "rsadecrypt", "sha1", "sha256", "sha512",
		"signum", "startswith", "strcontains", "strrev", "substr", "sum", "textdecodebase64",
		"textencodebase64", "timeadd", "timecmp", "timestamp", "title", "tobool", "tonumber", "tostring", "trim", "trimprefix",
		"trimspace", "trimsuffix", "upper", "urldecode", "urlencode", "uuid", "uuidv5", "yamlencode",
	} {
		names[name] = true
	}
	return names
}()

// isSingleReference reports whether a reference is to a text or number in every module, such as path.module.
func isSingleReference(ref *hclsyntax.ScopeTraversalExpr) bool {
	if len(ref.Traversal) != 2 {
		return false
	}
	step, _ := ref.Traversal[1].(hcl.TraverseAttr)
	switch ref.Traversal.RootName() + "." + step.Name {
	case "count.index", "each.key", "path.module", "path.root", "path.cwd", "terraform.workspace":
		return true
	}
	return false
}

// Keys returns the keys of an object; ok is false if some are unknown or a key comes twice.
func Keys(e *hclsyntax.ObjectConsExpr) ([]string, bool) {
	names := make([]string, len(e.Items))
	seen := make(map[string]bool, len(e.Items))
	for i, item := range e.Items {
		name, ok := Key(item.KeyExpr)
		if !ok || seen[name] {
			return nil, false
		}
		names[i], seen[name] = name, true
	}
	return names, true
}

// Key returns an object's key if it is known: a word, a constant string, a constant in parentheses, or a reference
// that means its own text, as in providers = { aws.west = aws.east }. ok is false for other keys.
func Key(e hcl.Expression) (string, bool) {
	cons, ok := e.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return "", false
	}
	if word := hcl.ExprAsKeyword(cons); word != "" {
		return spelling.Normal(word), true
	}
	if t, ok := cons.Wrapped.(*hclsyntax.ScopeTraversalExpr); ok && !cons.ForceNonLiteral {
		text, ok := TraversalText(t.Traversal)
		return spelling.Normal(text), ok
	}
	if !IsPlain(cons.Wrapped) {
		return "", false
	}
	v, diags := limits.Evaluate(cons.Wrapped)
	if diags.HasErrors() {
		return "", false
	}
	// A number or a bool is the key that its text is.
	v, err := limits.Convert(v, cty.String)
	if err != nil || v.IsNull() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// TraversalText returns the text of a reference of one or two names, such as "aws" or "aws.west"; ok is false for
// any other.
func TraversalText(t hcl.Traversal) (string, bool) {
	text := ""
	for i, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			text = s.Name
		case hcl.TraverseAttr:
			text += "." + s.Name
		default:
			return "", false
		}
		if i > 1 {
			return "", false
		}
	}
	return text, true
}

// IsPlain reports whether an expression is a constant that takes no more work to evaluate than to parse, so no limit
// is needed.
func IsPlain(e hcl.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.ParenthesesExpr:
		return IsPlain(e.Expression)
	case *hclsyntax.UnaryOpExpr:
		_, ok := e.Val.(*hclsyntax.LiteralValueExpr)
		return ok
	case *hclsyntax.TemplateExpr:
		for _, p := range e.Parts {
			if l, ok := p.(*hclsyntax.LiteralValueExpr); !ok || l.Val.Type() != cty.String {
				return false
			}
		}
		return true
	}
	return false
}

// Objects that functions make of others: merge, which puts them together, and tomap, which
// has the keys of its argument.

// KnownOf returns an expression without parentheses, templates such as "${a}" and calls of tomap around it. For an
// object or a call of merge, it returns one object of the items whose keys are known: merge({ a = 1 }, var.b) becomes
// { a = UNKNOWN }, since var.b may replace a. It returns nil if no key is known.
func KnownOf(e hcl.Expression) hcl.Expression {
	e = unwrap(e)
	if !isObject(e) {
		return e
	}
	items, _ := knownItems(e)
	if len(items) == 0 {
		return nil
	}
	return &hclsyntax.ObjectConsExpr{Items: maskUnsure(items), SrcRange: e.Range(), OpenRange: e.Range()}
}

// WholeOf returns an expression without parentheses, templates such as "${a}" and calls of tomap around it. For a
// call of merge, it returns the result as one object if all keys are known, otherwise the call.
func WholeOf(e hcl.Expression) hcl.Expression {
	e = unwrap(e)
	if _, isCall := e.(*hclsyntax.FunctionCallExpr); !isCall || !isObject(e) { // not a call of merge
		return e
	}
	items, isAll := knownItems(e)
	if !isAll {
		return e
	}
	// With all keys known, each item is sure, so maskUnsure masks nothing.
	return &hclsyntax.ObjectConsExpr{Items: maskUnsure(items), SrcRange: e.Range(), OpenRange: e.Range()}
}

// Encoded returns the argument of a call of jsonencode or yamlencode, and the function's name. For any other
// expression it returns the expression itself and "".
func Encoded(e hcl.Expression) (encoded hcl.Expression, function string) {
	call, ok := unwrap(e).(*hclsyntax.FunctionCallExpr)
	if !ok || len(call.Args) != 1 || call.ExpandFinal || call.Name != "jsonencode" && call.Name != "yamlencode" {
		return e, ""
	}
	return call.Args[0], call.Name
}

// Locals returns the names of the local values that an expression consists of: a for local.a, a and b for
// merge(local.a, local.b). It skips references elsewhere, such as in merge(local.a...) or local.a.x.
func Locals(e hcl.Expression) (names []string) {
	switch e := unwrap(e).(type) {
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

// maskUnsure returns the items as parts of an object. If a later, unknown key may replace an item, its value becomes
// unknown.
func maskUnsure(items []knownItem) []hclsyntax.ObjectConsItem {
	list := make([]hclsyntax.ObjectConsItem, len(items))
	for i, item := range items {
		list[i] = item.ObjectConsItem
		if !item.isSure {
			list[i].ValueExpr = &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal, SrcRange: item.ValueExpr.Range()}
		}
	}
	return list
}

// isObject reports whether an expression is an object in braces or a call of merge.
func isObject(e hcl.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.ObjectConsExpr:
		return true
	case *hclsyntax.FunctionCallExpr:
		return e.Name == "merge"
	}
	return false
}

// unwrap removes parentheses, templates of a single interpolation such as "${a}", and calls of tomap from an
// expression.
func unwrap(e hcl.Expression) hcl.Expression {
	for {
		e = constant.Bare(e, false)
		call, isCall := e.(*hclsyntax.FunctionCallExpr)
		if !isCall || call.Name != "tomap" || len(call.Args) != 1 || call.ExpandFinal {
			return e
		}
		e = call.Args[0]
	}
}

// collectItems appends the items of an object, or of all arguments of merge, to items. It adds an item without a key
// for each unknown part.
func collectItems(items *[]hclsyntax.ObjectConsItem, e hcl.Expression) {
	e = unwrap(e)
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
				*items = append(*items, hclsyntax.ObjectConsItem{}) // a list of objects, as in merge(a...)
			} else {
				collectItems(items, arg)
			}
		}
		return
	}
	*items = append(*items, hclsyntax.ObjectConsItem{}) // only evaluating it tells its keys
}

// A knownItem is an item whose key is known.
type knownItem struct {
	hclsyntax.ObjectConsItem
	name   string
	isSure bool // no unknown key behind it can be equal
}

// knownItems returns the items of an object, or of the result of merge(), whose keys are known. If several have the
// same key, it returns only the last, which replaces the others. An item is sure unless a later one, whose key isn't
// known, may replace it. isAll tells that all items have known keys.
func knownItems(e hcl.Expression) (known []knownItem, isAll bool) {
	var items []hclsyntax.ObjectConsItem
	collectItems(&items, e)
	seen := map[string]bool{}
	hasUnknown := false // an item without a known key, among those behind the current one
	for _, item := range slices.Backward(items) {
		name, ok := "", false
		if item.KeyExpr != nil { // nil stands for an object whose keys are unknown
			name, ok = Key(item.KeyExpr)
		}
		switch {
		case !ok:
			hasUnknown = true
		case !seen[name]:
			seen[name] = true
			known = append(known, knownItem{ObjectConsItem: item, name: name, isSure: !hasUnknown})
		}
	}
	slices.Reverse(known)
	return known, !hasUnknown
}
