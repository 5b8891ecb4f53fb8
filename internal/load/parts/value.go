package parts

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// A Value holds the known parts of a value.
type Value struct {
	Parts []part // in source order; of several with one key the last
	// IsAll is set if there are no other parts: a number or a text has none at all.
	IsAll bool
	// IsList is set if the parts are elements.
	IsList bool
	known  map[segments.Segment]int
}

// A part is a key of an object, or an element of a list.
type part struct {
	segments.Segment
	Value *source.Attr // at the position of the key or the element
	// IsSure is set if no other key, known only to the engine, can supersede this one.
	IsSure bool
}

// Of returns the parts of an argument's value.
func Of(a *source.Attr) *Value {
	v := &Value{}
	if _, isText := a.PlainText(); isText {
		v.IsAll = true
		return v
	}
	if text := a.File.Text(a.Value()); bytes.HasPrefix(text, []byte("<<")) {
		v.IsAll = true // a text, behind which nothing can stand
		return v
	} else if HasLongHeredoc(text) {
		return v
	}
	e := unwrapped(a.Expr())
	if list, ok := e.(*hclsyntax.TupleConsExpr); ok {
		v.IsAll, v.IsList = true, true
		for i, elem := range list.Exprs {
			v.Parts = append(v.Parts, part{segments.At(i), a.Part(elem.Range(), elem), true})
		}
		return v
	}
	if !isObject(e) {
		v.IsAll = IsSingle(e, nil)
		return v
	}
	items, isAll := knownItems(e)
	v.IsAll = isAll
	for _, item := range items {
		v.Parts = append(v.Parts, part{segments.Named(item.name), a.Part(item.KeyExpr.Range(), item.ValueExpr), item.isSure})
	}
	return v
}

// HasLongHeredoc reports whether a text may hold a heredoc of so many lines that parsing it
// takes the parser far too long: for each line it looks at those before it.
func HasLongHeredoc(text []byte) bool {
	const maxLines = 2000
	return bytes.Contains(text, []byte("<<")) && bytes.Count(text, []byte("\n")) > maxLines
}

// Part returns the part of a key or a number, or nil.
func (v *Value) Part(s segments.Segment) *part {
	if v.known == nil {
		v.known = make(map[segments.Segment]int, len(v.Parts))
		for i, p := range v.Parts {
			v.known[p.Segment] = i
		}
	}
	s.Name = spelling.Normal(s.Name)
	if i, ok := v.known[s]; ok {
		return &v.Parts[i]
	}
	return nil
}

// IsSingle reports whether a value surely has no parts: a constant, a text, the result of an
// operator, or of a function that doesn't return a collection. refers, which may be nil, decides
// the same for references.
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

// isSingleReference reports whether a value refers to something that is a text or a number in every
// module.
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
