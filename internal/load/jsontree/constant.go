package jsontree

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Constant is the value as engines read it where references aren't allowed: strings stand for
// themselves. The file must be the one that contains the value. An object with a duplicate key is
// refused.
func (v Value) Constant(f *source.File) (cty.Value, hcl.Diagnostics) {
	c := constantMaker{file: f}
	value := c.value(v)
	if c.diags.HasErrors() {
		return cty.DynamicVal, c.diags
	}
	return value, nil
}

// A constantMaker makes constants of the values of a file.
type constantMaker struct {
	file  *source.File
	diags hcl.Diagnostics
}

func (c *constantMaker) value(v Value) cty.Value {
	switch v.Kind() {
	case '{':
		return c.object(v)
	case '[':
		var elems []cty.Value
		for e := range v.Children() {
			elems = append(elems, c.value(e))
		}
		return cty.TupleVal(elems)
	case '"':
		return cty.StringVal(v.Text())
	case 't', 'f':
		return cty.BoolVal(v.Kind() == 't')
	case 'n':
		return cty.NullVal(cty.DynamicPseudoType)
	}
	number, err := cty.ParseNumberVal(string(v.Raw()))
	if err != nil {
		c.refuse(v.Span(), "Invalid JSON number", "OpenTofu and Terraform can't hold a number of this size.")
		return cty.DynamicVal
	}
	return number
}

func (c *constantMaker) object(v Value) cty.Value {
	attrs := map[string]cty.Value{}
	for p := range v.Children() {
		name := p.Name()
		if _, isSecond := attrs[name]; isSecond {
			c.refuse(p.Key(), "Duplicate object attribute", "An object can't have the same key twice. Remove one.")
			continue
		}
		attrs[name] = c.value(p)
	}
	return cty.ObjectVal(attrs)
}

func (c *constantMaker) refuse(at [2]uint32, title, detail string) {
	c.diags = append(c.diags, diag.New(c.file.RawRange(at), title, "%s", detail))
}
