package marker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/winners"
	"github.com/tofumerge/tofumerge/internal/render/marker"
)

// overrides are two files, which change one block together, and one of them another block.
const overrides = `-- a_override.tf --
resource "shop_till" "day" {
  colour = "red"
  size   = 2
}
-- b_override.tf --
resource "shop_till" "day" {
  size = 3
}
resource "shop_till" "night" {
  zone = 1
}
`

// cases are primary files, the mistakes in their notices, and the corrected files.
var cases = []struct {
	name, before, after string
	findings            string
}{
	{
		"missing, beside a comment of the author",
		"resource \"shop_till\" \"day\" {\n}\n\n  # the author's\n  resource \"shop_till\" \"night\" {\n  }\n",
		"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {\n}\n\n  # the author's\n" +
			"  # overridden: b_override.tf (zone)\n  resource \"shop_till\" \"night\" {\n  }\n",
		"1 the comment is missing: # overridden: a_override.tf (colour), b_override.tf (size)\n" +
			"5 the comment is missing: # overridden: b_override.tf (zone)\n",
	},
	{
		"as they should be",
		"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"", "",
	},
	{
		"wrong names, and not the last line",
		"# overridden: a_override.tf (size)\nresource \"shop_till\" \"day\" {}\n\n" +
			"# overridden: b_override.tf (zone)\n# the author's\nresource \"shop_till\" \"night\" {}\n",
		"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n\n" +
			"# the author's\n# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"1 the comment is wrong; it should be: # overridden: a_override.tf (colour), b_override.tf (size)\n" +
			"4 the comment is not the last line above the block\n",
	},
	{
		"stale, beside one that only looks like it",
		"# overridden: a_override.tf (size)\nlocals {}\n\n# overridden: by hand\noutput \"o\" {\n  value = 1\n}\n\n" +
			"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"locals {}\n\n# overridden: by hand\noutput \"o\" {\n  value = 1\n}\n\n" +
			"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"1 the comment is stale: no override file changes the block any more\n",
	},
	{
		"twice",
		"# overridden: a_override.tf (colour)\n# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"1 the comment is not the last line above the block\n",
	},
	{
		"line ends of Windows",
		"resource \"shop_till\" \"day\" {\r\n}\r\n# overridden: b_override.tf (zone)\r\nresource \"shop_till\" \"night\" {\r\n}\r\n",
		"# overridden: a_override.tf (colour), b_override.tf (size)\r\nresource \"shop_till\" \"day\" {\r\n}\r\n" +
			"# overridden: b_override.tf (zone)\r\nresource \"shop_till\" \"night\" {\r\n}\r\n",
		"1 the comment is missing: # overridden: a_override.tf (colour), b_override.tf (size)\n",
	},
}

func merged(t *testing.T, primary string) *merge.Module {
	t.Helper()
	return mergetest.Archive(t, "-- main.tf --\n"+primary+overrides)
}

// Check names the line of each mistake, and its difference corrects them for good.
func TestCheck(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := c.after
			if want == "" {
				want = c.before
			}
			files := marker.Check(merged(t, c.before))
			if len(files) != 1 || files[0].Name != "main.tf" || files[0].Path == "" {
				t.Fatalf("%d files", len(files))
			}
			findings := ""
			for _, f := range files[0].Findings {
				findings += fmt.Sprintf("%d %s\n", f.Line, f.Text)
			}
			if diff := cmp.Diff(c.findings, findings); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			got := string(files[0].Diff.New())
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if again := marker.Check(merged(t, got))[0]; len(again.Findings) > 0 || string(again.Diff.New()) != got {
				t.Errorf("a second run finds %v", again.Findings)
			}
		})
	}
}

// An editor gets the edits of Check, for a file and for a block.
func TestEdits(t *testing.T) {
	for _, c := range cases {
		m := merged(t, c.before)
		f := m.Source.Files[0]
		of := map[*source.Block][]winners.Override{}
		for _, o := range winners.Overrides(m) {
			of[o.Block] = append(of[o.Block], o)
		}
		want := string(marker.Check(m)[0].Diff.New())
		all := marker.Edits(m.Source, f, func(b *source.Block) []winners.Override { return of[b] })
		if got := string(textedit.Apply(f.Native, 0, len(f.Native), all)); got != want {
			t.Errorf("%s: the edits make %q, want %q", c.name, got, want)
		}
		var single []textedit.Edit
		for i := range f.Len() {
			single = append(single, marker.EditsAt(f.Block(i), of[f.Block(i)])...)
		}
		if diff := cmp.Diff(all, single); diff != "" {
			t.Errorf("%s: block by block (-all +single):\n%s", c.name, diff)
		}
	}
}

// Files in JSON have no comments. They are named only if an override changes one of their blocks.
func TestCheckJSON(t *testing.T) {
	m := mergetest.Archive(t, `-- a.tf.json --
{"locals": {"a": 1}}
-- b.tf.json --
{"locals": {"b": 1}}
-- override.tf --
locals {
  b = 2
}
`)
	files := marker.Check(m)
	if len(files) != 1 || files[0].Name != "b.tf.json" || files[0].Diff != nil || files[0].Findings != nil {
		t.Errorf("%+v", files)
	}
}

// A file or a name that isn't plain is quoted, so that the notice is known for one again.
func TestOddNames(t *testing.T) {
	const override = `-- an odd (one)_override.tf --
resource "shop_till" "day" {
  tags = 1
}
`
	m := mergetest.Archive(t, "-- main.tf --\nresource \"shop_till\" \"day\" {}\n"+override)
	text := string(marker.Check(m)[0].Diff.New())
	const want = `# overridden: "an odd (one)_override.tf" (tags)`
	if !strings.Contains(text, want) {
		t.Fatalf("no %s in\n%s", want, text)
	}
	if again := marker.Check(mergetest.Archive(t, "-- main.tf --\n"+text+override))[0].Findings; len(again) > 0 {
		t.Errorf("the notice has findings: %v", again)
	}
}

// Without takes away notices above blocks, wherever else such a line is, and no other comment.
func TestWithout(t *testing.T) {
	m := merged(t, "resource \"shop_till\" \"day\" {\n  # overridden: a.tf (b)\n}\n# own\nresource \"shop_till\" \"night\" {}\n")
	d := marker.Check(m)[0].Diff
	want := "resource \"shop_till\" \"day\" {\n  # overridden: a.tf (b)\n}\n# own\nresource \"shop_till\" \"night\" {}\n"
	if got := string(marker.Without(d).New()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	plain := marker.Check(merged(t, "resource \"shop_till\" \"day\" {}\nresource \"shop_till\" \"night\" {}\n"))[0].Diff
	plain.Name = "main.tf.json"
	if marker.Without(plain) != plain {
		t.Error("a file in JSON is changed")
	}
}
