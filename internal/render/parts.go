package render

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render/jsonfile"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Made returns the text of a file that is made of parts of a module, in the syntax of its name.
// Diagnostics are about parts that the syntax can't express: with errors among them the text must
// not be used.
func Made(m *load.Module, name string, parts []*extract.Part) ([]byte, hcl.Diagnostics) {
	list := plan.MadeOf(parts)
	lost := jsonfile.CommentsLeftOut(list, name)
	m.Places(lost)
	if !strings.HasSuffix(name, ".json") {
		return native.Made(list), append(plan.Inexpressible(m, func() plan.PrintedItems { return plan.PrintedOf(list) }), lost...)
	}
	document, diags := jsonout.Made(list)
	m.Places(diags)
	diags = append(diags, lost...)
	var out bytes.Buffer
	_ = document.Write(&out) // a buffer takes all
	return out.Bytes(), diags
}
