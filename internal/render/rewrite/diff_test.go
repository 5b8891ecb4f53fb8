package rewrite_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// Each case is a module, and the differences of its primary files to their merged form.
func TestDiff(t *testing.T) {
	loadtest.Run(t, "testdata/diff", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatal(loadtest.Messages(diags))
		}
		diffs, doubts := rewrite.Diff(m)
		var changed []*patch.File
		for _, d := range diffs {
			if d.Changes() {
				changed = append(changed, d)
			}
		}
		var out strings.Builder
		if err := (patch.Writer{}).Write(&out, changed); err != nil {
			t.Fatal(err)
		}
		return map[string]string{"diff": out.String(), "messages": loadtest.Messages(doubts)}
	})
}

const shop = `-- main.tf --
resource "shop_till" "day" {
  size = 1
}
-- override.tf --
resource "shop_till" "day" {
  size = 2
}
`

// A file that is made of parts has the syntax of its name, and means the same in both.
func TestMade(t *testing.T) {
	m := mergetest.Archive(t, shop)
	b := m.Source.Files[1].Block(0)
	parts := []*merge.Part{{Item: b, IsPartial: true, Held: []*merge.Part{{Item: b.Attr("size")}}}}
	for name, want := range map[string]string{
		"a_override.tf":      "resource \"shop_till\" \"day\" {\n  size = 2\n}\n",
		"a_override.tf.json": "{\n  \"resource\": {\n    \"shop_till\": {\n      \"day\": {\n        \"size\": 2\n      }\n    }\n  }\n}\n",
	} {
		text, diags := rewrite.Made(m.Source, name, parts)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
