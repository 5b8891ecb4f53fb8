package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
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

// cases are primary files, the corrected files, and what is wrong with the notices in them.
var cases = []struct{ name, before, after, stale string }{
	{
		"missing, beside a comment of the author",
		"resource \"shop_till\" \"day\" {\n}\n\n  # the author's\n  resource \"shop_till\" \"night\" {\n  }\n",
		"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {\n}\n\n  # the author's\n" +
			"  # overridden: b_override.tf (zone)\n  resource \"shop_till\" \"night\" {\n  }\n",
		"",
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
		"1 it doesn't name the effective overrides\n4 it isn't the last line above the block\n",
	},
	{
		"stale, beside one that only looks like it",
		"# overridden: a_override.tf (size)\nlocals {}\n\n# overridden: by hand\noutput \"o\" {\n  value = 1\n}\n\n" +
			"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"locals {}\n\n# overridden: by hand\noutput \"o\" {\n  value = 1\n}\n\n" +
			"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"1 no override file touches the block\n",
	},
	{
		"twice",
		"# overridden: a_override.tf (colour)\n# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"# overridden: a_override.tf (colour), b_override.tf (size)\nresource \"shop_till\" \"day\" {}\n" +
			"# overridden: b_override.tf (zone)\nresource \"shop_till\" \"night\" {}\n",
		"1 it isn't the last line above the block\n",
	},
	{
		"line ends of Windows",
		"resource \"shop_till\" \"day\" {\r\n}\r\n# overridden: b_override.tf (zone)\r\nresource \"shop_till\" \"night\" {\r\n}\r\n",
		"# overridden: a_override.tf (colour), b_override.tf (size)\r\nresource \"shop_till\" \"day\" {\r\n}\r\n" +
			"# overridden: b_override.tf (zone)\r\nresource \"shop_till\" \"night\" {\r\n}\r\n",
		"",
	},
}

func merged(t *testing.T, primary string) *merge.Module {
	t.Helper()
	return mergetest.Archive(t, "-- main.tf --\n"+primary+overrides)
}

// corrected corrects the notices of a module's first file. It returns the text and, with its line,
// what is wrong with each stale notice.
func corrected(m *merge.Module) (text, stale string) {
	f, overrides := m.Source.Files[0], OverridesByBlock(m)
	var edits []textedit.Edit
	for i := range f.Len() {
		c := CorrectNotice(f.Block(i), overrides[f.Block(i)])
		if edits = append(edits, c.Edits...); c.Stale != "" {
			stale += fmt.Sprintf("%d %s\n", c.At.Start.Line, c.Stale)
		}
	}
	return string(textedit.Apply(f.Native, 0, len(f.Native), edits)), stale
}

// Correct names the line of each stale notice, and its edits correct them for good.
func TestCorrect(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := c.after
			if want == "" {
				want = c.before
			}
			got, stale := corrected(merged(t, c.before))
			if diff := cmp.Diff(c.stale, stale); diff != "" {
				t.Errorf("stale notices (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if again, stale := corrected(merged(t, got)); stale != "" || again != got {
				t.Errorf("a second run finds %s and makes\n%s", stale, again)
			}
		})
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
	text, _ := corrected(m)
	const want = `# overridden: "an odd (one)_override.tf" (tags)`
	if !strings.Contains(text, want) {
		t.Fatalf("no %s in\n%s", want, text)
	}
	if again, stale := corrected(mergetest.Archive(t, "-- main.tf --\n"+text+override)); again != text || stale != "" {
		t.Errorf("the notice is not known again: %s\n%s", stale, again)
	}
}

// Without takes away the notices above blocks, but no such line elsewhere, and no other comment.
func TestWithout(t *testing.T) {
	const bare = "resource \"shop_till\" \"day\" {\n  # overridden: a.tf (b)\n}\n# own\nresource \"shop_till\" \"night\" {}\n"
	text, _ := corrected(merged(t, bare))
	if got := string(WithoutNotice([]byte(text))); got != bare || text == bare {
		t.Errorf("%q, want %q", got, bare)
	}
}
