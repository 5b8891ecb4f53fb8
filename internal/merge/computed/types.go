package computed

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/load/vartype"
	"github.com/zclconf/go-cty/cty"
)

// A typeText is a type expression with the defaults of another one.
type typeText struct {
	Type     cty.Type
	Defaults *typeexpr.Defaults
	// Text is how the type is written; nil if it is as it was given.
	Text *Literal
	// IsInexact is set if a default of the other type has no counterpart in this one.
	IsInexact bool
	// DropsDefaults is set if a default of this type has no effect.
	DropsDefaults bool
}

// Compose gives the optional attributes of a type the defaults that they have in another type,
// which may be nil. If one of those does not fit, the type is left without defaults.
func Compose(to, from *source.Attr) typeText {
	c := composer{to: to, from: from}
	c.compose()
	t, d, diags := c.decode()
	if diags.HasErrors() {
		c = composer{to: to, unsayable: true}
		c.compose()
		t, d, _ = c.decode()
	}
	composed := typeText{Type: t, Defaults: d, IsInexact: c.unsayable, DropsDefaults: c.drops}
	if len(c.changes) > 0 {
		composed.Text = c.literal()
	}
	return composed
}

// A composer rewrites a type expression so that its optional attributes have
// the defaults of another one. It changes only the text around defaults.
type composer struct {
	to, from  *source.Attr // from may be nil
	changes   []textedit.Edit
	unsayable bool // a default of from has no counterpart in to
	drops     bool // a default of to has no effect
}

func (c *composer) compose() {
	var from hcl.Expression
	if c.from != nil {
		from = c.from.Expr()
	}
	c.walk(from, c.to.Expr())
}

func (c *composer) literal() *Literal {
	l := &Literal{Of: c.to, Changes: c.changes}
	if c.from != nil && hasDefaults(c.from.Expr()) {
		l.From = c.from
	}
	return l
}

// decode reads the composed type.
func (c *composer) decode() (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	return vartype.DecodeType(c.literal().attr())
}

// walk follows two type expressions side by side; from may be nil.
func (c *composer) walk(from, to hcl.Expression) {
	name, args := typeCall(to)
	fromName, fromArgs := typeCall(from)
	if name != fromName || len(args) != len(fromArgs) {
		c.unsayable = c.unsayable || hasDefaults(from)
		fromArgs = nil
	}
	switch {
	case len(args) != 1:
	case name == "object":
		c.object(argument(fromArgs), args[0])
	case name == "tuple":
		c.tuple(argument(fromArgs), args[0])
	default:
		c.walk(argument(fromArgs), args[0])
	}
}

func argument(args []hcl.Expression) hcl.Expression {
	if len(args) == 1 {
		return args[0]
	}
	return nil
}

func (c *composer) object(from, to hcl.Expression) {
	earlier := map[string]hcl.Expression{}
	for _, p := range pairs(from) {
		earlier[hcl.ExprAsKeyword(p.Key)] = p.Value
	}
	for _, p := range pairs(to) {
		c.attribute(earlier[hcl.ExprAsKeyword(p.Key)], p.Value)
	}
}

func (c *composer) tuple(from, to hcl.Expression) {
	elems, _ := hcl.ExprList(to)
	var earlier []hcl.Expression
	if from != nil {
		earlier, _ = hcl.ExprList(from)
	}
	for i, e := range elems {
		if i < len(earlier) {
			c.walk(earlier[i], e)
		} else {
			c.walk(nil, e)
		}
	}
}

// attribute gives one attribute of an object type the default that the earlier
// type has for it, or takes its own away.
func (c *composer) attribute(from, to hcl.Expression) {
	_, fromType, fromDefault := optional(from)
	isOptional, typ, def := optional(to)
	c.walk(fromType, typ)
	switch {
	case fromDefault == nil && def == nil:
	case fromDefault == nil:
		c.drops = true
		c.change(typ.Range().End.Byte, def.Range().End.Byte, "")
	case def != nil:
		c.drops = c.drops || c.fromText(fromDefault) != string(c.to.File.Text(def.Range()))
		c.change(def.Range().Start.Byte, def.Range().End.Byte, c.fromText(fromDefault))
	case isOptional:
		c.change(typ.Range().End.Byte, typ.Range().End.Byte, ", "+c.fromText(fromDefault))
	default:
		c.change(typ.Range().Start.Byte, typ.Range().Start.Byte, "optional(")
		c.change(typ.Range().End.Byte, typ.Range().End.Byte, ", "+c.fromText(fromDefault)+")")
	}
}

func (c *composer) fromText(e hcl.Expression) string {
	text := string(c.from.File.Text(e.Range()))
	if strings.HasPrefix(text, "<<") {
		text += "\n" // a heredoc ends with its line
	}
	return text
}

// change notes an exchange of text, unless it would change nothing.
func (c *composer) change(start, end int, text string) {
	if string(c.to.File.Native[start:end]) != text {
		c.changes = append(c.changes, textedit.Replace(start, end, text))
	}
}

// optional takes optional(TYPE, DEFAULT) apart. Any other expression is a type.
func optional(e hcl.Expression) (is bool, typ, def hcl.Expression) {
	name, args := typeCall(e)
	switch {
	case name != "optional" || len(args) == 0:
		return false, e, nil
	case len(args) == 1:
		return true, args[0], nil
	}
	return true, args[0], args[1]
}

// typeCall takes a type expression such as list(string) apart. The name of a
// bare type, and of nil, is empty.
func typeCall(e hcl.Expression) (string, []hcl.Expression) {
	if e == nil {
		return "", nil
	}
	call, diags := hcl.ExprCall(e)
	if diags.HasErrors() {
		return "", nil
	}
	return call.Name, call.Arguments
}

func pairs(e hcl.Expression) []hcl.KeyValuePair {
	if e == nil {
		return nil
	}
	found, _ := hcl.ExprMap(e)
	return found
}

// hasDefaults reports whether a type expression gives some optional attribute a default.
func hasDefaults(e hcl.Expression) bool {
	name, args := typeCall(e)
	if name == "optional" && len(args) == 2 {
		return true
	}
	for _, a := range args {
		if hasDefaults(a) {
			return true
		}
		for _, p := range pairs(a) {
			if hasDefaults(p.Value) {
				return true
			}
		}
		elems, _ := hcl.ExprList(a)
		for _, elem := range elems {
			if hasDefaults(elem) {
				return true
			}
		}
	}
	return false
}
