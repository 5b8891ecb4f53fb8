package rewrite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// wanted is a module with two blocks, of which parts are to be overrides.
const wanted = `-- main.tf --
resource "shop_till" "day" {
  size = 2
  zone = "b"
  disk {
    size = 9
  }
}
locals {
  a = 2
}
`

// Parts go into the block that the file has, and behind it if it has none; all else keeps its bytes.
func TestInto(t *testing.T) {
	m := mergetest.Archive(t, wanted)
	day, locals := m.Source.Files[0].Block(0), m.Source.Files[0].Block(1)
	of := func(b *source.Block, items ...source.Item) *merge.Part {
		p := &merge.Part{Item: b, IsPartial: true}
		for _, it := range items {
			p.Held = append(p.Held, &merge.Part{Item: it})
		}
		return p
	}
	size, zone := day.Attr("size"), day.Attr("zone")
	for _, c := range []struct {
		about, name, before, after string
		parts                      []*merge.Part
	}{
		{
			"a block that is there", "override.tf", "# head\nresource \"shop_till\" \"day\" {\n  size  =  1 # why\n  other = 1\n}\n# tail\n",
			"# head\nresource \"shop_till\" \"day\" {\n  size  =  2\n  other = 1\n  zone = \"b\"\n}\n# tail\n", []*merge.Part{of(day, size, zone)},
		},
		{
			"one that is not", "a_override.tf", "locals {\n  b = 1\n}\n",
			"locals {\n  b = 1\n}\n\nresource \"shop_till\" \"day\" {\n  zone = \"b\"\n}\n", []*merge.Part{of(day, zone)},
		},
		{
			"both", "a_override.tf", "locals {\n  a = 1\n}\n",
			"locals {\n  a = 2\n}\n\nresource \"shop_till\" \"day\" {\n  zone = \"b\"\n}\n", []*merge.Part{of(day, zone), of(locals, locals.Attr("a"))},
		},
		{"an empty file", "a_override.tf", " \n", "locals {\n  a = 2\n}\n", []*merge.Part{of(locals, locals.Attr("a"))}},
		{
			"without a line end", "a_override.tf", "variable \"v\" {}",
			"variable \"v\" {}\n\nlocals {\n  a = 2\n}\n", []*merge.Part{of(locals, locals.Attr("a"))},
		},
		{
			"JSON", "a_override.tf.json", "{\n  \"locals\":  {\"b\": 1}\n}\n",
			"{\n  \"locals\":  {\"b\": 1},\n  \"resource\": {\n    \"shop_till\": {\n      \"day\": {\n        \"zone\": \"b\"\n      }\n    }\n  }\n}\n", []*merge.Part{of(day, zone)},
		},
		{"nothing", "a_override.tf", "locals {}  \n", "locals {}  \n", nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			base, _ := loadtest.Files(t, map[string][]byte{c.name: []byte(c.before)}, load.Options{})
			got, diags := rewrite.Into(base.File(c.name), m.Source, c.parts, func(files map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
				src, diags := loadtest.Files(t, files, load.Options{})
				return src, diags, nil
			})
			if diags.HasErrors() {
				t.Fatal(loadtest.Messages(diags))
			}
			if diff := cmp.Diff(c.after, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
