package jsonout

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// null is the value of an argument that is to count as not set.
var null = jsonvalue.Raw("null")

// Made returns the document of a file that holds some blocks. Diagnostics are warnings of anything
// that JSON can't express.
func Made(parts []*extract.Part) (*Document, hcl.Diagnostics) {
	root, w := &jsonvalue.Object{}, &Writer{}
	for _, m := range plan.MadeOf(parts) {
		b := m.Item.(*source.Block)
		shape, _ := language.Of(b.File.Engine).Inner(b)
		body := &bodyJSON{Writer: w}
		PutBlock(root, b, body.bodyOf(m, b, shape.Body))
	}
	return &Document{root}, w.Diags
}

// bodyOf returns the contents of a block, or the parts of it that are written.
func (w *bodyJSON) bodyOf(m plan.BodyItem, b *source.Block, shape *language.BodyShape) *jsonvalue.Object {
	if !m.IsPartial() {
		return w.body(m.Content, b, w.added, shape)
	}
	inner := &bodyJSON{Writer: w.Writer, shape: shape, out: &jsonvalue.Object{}}
	for _, held := range plan.MadeOf(m.Part.Held) {
		inner.member(held)
	}
	inner.arrange()
	return inner.out
}
