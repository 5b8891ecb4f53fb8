package fix

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"golang.org/x/tools/txtar"
)

// fixed makes the fixes of a module for findings of some rules. It returns them, the texts of the
// files that change, and why others are not fixed.
func fixed(t *testing.T, archive string, rules ...string) (fixes []*Fix, texts, whys []string, before, after *merge.Module) {
	t.Helper()
	before, diags := mergetest.ArchiveAs(t, archive, engine.Default())
	found := check.Findings(before, diags, func(id string) bool { return slices.Contains(rules, id) })
	x := New(before, found)
	for _, f := range found {
		if !slices.Contains(rules, f.Rule.ID) {
			continue
		}
		made, why := x.Of(f)
		if made != nil {
			fixes = append(fixes, made)
		} else {
			whys = append(whys, why)
		}
	}
	edits := x.Edits(fixes)
	files := txtar.Parse([]byte(archive))
	for i, f := range files.Files {
		if list := edits[f.Name]; len(list) > 0 {
			files.Files[i].Data = textedit.Apply(f.Data, 0, len(f.Data), list)
			texts = append(texts, string(files.Files[i].Data))
		}
	}
	return fixes, texts, whys, before, mergetest.Archive(t, string(txtar.Format(files)))
}

const primary = `-- main.tf --
resource "a_b" "x" {
  size = 1
  tags = {
    Name  = "n"
    Owner = { "a.b" = 1, team = "t" }
  }
  disk {
    size = 1
    zone = "a"
    note {
      text = "t"
    }
  }
}
resource "a_b" "y" {
  rule {
    port = 1
  }
  rule {
    port = 2
  }
  rule {
    port = 3
  }
}
locals {
  a = 1
}
`

// Items without effect go with their comments, with one of two blank lines, and with the block
// around them if that holds nothing else. The module means the same.
func TestRemoved(t *testing.T) {
	for _, test := range []struct{ name, rule, override, want string }{
		{"an argument with its comments", "equivalent-override",
			"resource \"a_b\" \"x\" {\n  # the same\n  size = 1 # again\n\n  zone = 2\n}\n",
			"resource \"a_b\" \"x\" {\n  zone = 2\n}\n"},
		{"the last argument of a block, and the block", "equivalent-override",
			"locals {\n  a = 1\n}\n\nresource \"a_b\" \"x\" {\n  size = 2\n}\n",
			"resource \"a_b\" \"x\" {\n  size = 2\n}\n"},
		{"one between others", "equivalent-override",
			"resource \"a_b\" \"x\" {\n  zone = 1\n\n  size = 1\n\n  area = 1\n}\n",
			"resource \"a_b\" \"x\" {\n  zone = 1\n\n  area = 1\n}\n"},
		{"a block of one line", "equivalent-override",
			"locals { a = 1 }\nresource \"a_b\" \"x\" {\n  zone = 1\n}\n",
			"resource \"a_b\" \"x\" {\n  zone = 1\n}\n"},
		{"a comment that belongs to no item keeps its block", "equivalent-override",
			"locals {\n  # on its own\n\n  a = 1\n}\n",
			"locals {\n  # on its own\n}\n"},
		{"line ends stay", "equivalent-override",
			"resource \"a_b\" \"x\" {\r\n  size = 1\r\n  zone = 2\r\n}\r\n",
			"resource \"a_b\" \"x\" {\r\n  zone = 2\r\n}\r\n"},
		{"blocks that come together", "equivalent-override",
			"resource \"a_b\" \"y\" {\n  zone = 1\n  rule {\n    port = 1\n  }\n  rule {\n    port = 2\n  }\n  rule {\n    port = 3\n  }\n}\n",
			"resource \"a_b\" \"y\" {\n  zone = 1\n}\n"},
		{"what has no effect", "no-effect",
			"resource \"a_b\" \"x\" {\n  lifecycle {\n    ignore_changes = []\n  }\n}\nlocals {\n  a = 2\n}\n",
			"locals {\n  a = 2\n}\n"},
		{"what a later file replaces", "superseded-override",
			"locals {\n  a = 2\n}\nresource \"a_b\" \"x\" {\n  zone = 1\n}\n-- z_override.tf --\nlocals {\n  a = 3\n}\n",
			"resource \"a_b\" \"x\" {\n  zone = 1\n}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fixes, texts, whys, before, after := fixed(t, primary+"-- override.tf --\n"+test.override, test.rule)
			if diff := cmp.Diff([]string{test.want}, texts); diff != "" || len(whys) > 0 {
				t.Errorf("not fixed: %v, -want +got:\n%s", whys, diff)
			}
			if !Same(before, after) {
				t.Error("the module means something else")
			}
			for _, f := range fixes {
				if f.Repeats() {
					t.Error("it repeats something")
				}
			}
		})
	}
}

// Dropped parts are repeated verbatim, and nothing else changes.
func TestRepeated(t *testing.T) {
	for _, test := range []struct{ name, rule, override, want string }{
		{"keys, each on a line", "map-replace-drops-keys",
			"resource \"a_b\" \"x\" {\n  tags = {\n    Name = \"m\" # mine\n  }\n}\n",
			"resource \"a_b\" \"x\" {\n  tags = {\n    Name = \"m\" # mine\n    Owner = { \"a.b\" = 1, team = \"t\" }\n  }\n}\n"},
		{"keys in one line", "map-replace-drops-keys",
			"resource \"a_b\" \"x\" {\n  tags = { Name = \"m\" }\n}\n",
			"resource \"a_b\" \"x\" {\n  tags = { Name = \"m\", Owner = { \"a.b\" = 1, team = \"t\" } }\n}\n"},
		{"all keys", "map-replace-drops-keys",
			"resource \"a_b\" \"x\" {\n  tags = {}\n}\n",
			"resource \"a_b\" \"x\" {\n  tags = { Name = \"n\", Owner = { \"a.b\" = 1, team = \"t\" } }\n}\n"},
		{"keys further inside", "map-replace-drops-keys",
			"resource \"a_b\" \"x\" {\n  tags = { Name = \"n\", Owner = { team = \"u\" } }\n}\n",
			"resource \"a_b\" \"x\" {\n  tags = { Name = \"n\", Owner = { team = \"u\", \"a.b\" = 1 } }\n}\n"},
		{"arguments before blocks", "block-replace-drops-arguments",
			"resource \"a_b\" \"x\" {\n  disk {\n    size = 2\n  }\n}\n",
			"resource \"a_b\" \"x\" {\n  disk {\n    size = 2\n    zone = \"a\"\n    note {\n      text = \"t\"\n    }\n  }\n}\n"},
		{"into a block of one line", "block-replace-drops-arguments",
			"resource \"a_b\" \"x\" {\n  disk { size = 2 }\n}\n",
			"resource \"a_b\" \"x\" {\n  disk {\n    size = 2\n    zone = \"a\"\n    note {\n      text = \"t\"\n    }\n  }\n}\n"},
		{"blocks around one that stays", "block-replace-drops-blocks",
			"resource \"a_b\" \"y\" {\n  rule {\n    port = 2\n  }\n}\n",
			"resource \"a_b\" \"y\" {\n  rule {\n    port = 1\n  }\n  rule {\n    port = 2\n  }\n  rule {\n    port = 3\n  }\n}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fixes, texts, whys, before, after := fixed(t, primary+"-- override.tf --\n"+test.override, test.rule)
			if diff := cmp.Diff([]string{test.want}, texts); diff != "" || len(whys) > 0 {
				t.Errorf("not fixed: %v, -want +got:\n%s", whys, diff)
			}
			if !Repeated(before, after, fixes) {
				t.Error("something else is not what it was")
			}
			for _, f := range fixes {
				if !f.Repeats() || f.IsSecret {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// A module in which anything else changed is not one in which something was repeated.
func TestNotRepeated(t *testing.T) {
	const override = "-- override.tf --\nresource \"a_b\" \"x\" {\n  tags = { Name = \"m\" }\n}\n"
	fixes, _, _, before, after := fixed(t, primary+override, "map-replace-drops-keys")
	if !Repeated(before, after, fixes) || Same(before, after) {
		t.Error("what was repeated is not what it was")
	}
	for name, text := range map[string]string{
		"another value":    "tags = { Name = \"m\", Owner = { \"a.b\" = 2, team = \"t\" } }",
		"one key too many": "tags = { Name = \"m\", Owner = { \"a.b\" = 1, team = \"t\" }, more = 1 }",
		"elsewhere":        "tags = { Name = \"m\", Owner = { \"a.b\" = 1, team = \"t\" } }\n  size = 2",
	} {
		other := mergetest.Archive(t, primary+strings.ReplaceAll(override, "tags = { Name = \"m\" }", text))
		if Repeated(before, other, fixes) {
			t.Errorf("%s is taken for what was repeated", name)
		}
	}
}

// In JSON, too, the file keeps its layout.
func TestJSON(t *testing.T) {
	const main = `-- main.tf.json --
{"resource": {"a_b": {"x": {
  "size": 1,
  "tags": {"Name": "n", "Owner": {"a.b": 1}},
  "disk": {"size": 1, "zone": "a"},
  "rule": [{"port": 1}, {"port": 2}]
}}}, "locals": {"a": 1}}
-- override.tf.json --
`
	for _, test := range []struct{ name, rule, override, want string }{
		{"an item is removed", "equivalent-override",
			"{\n  \"locals\": {\"a\": 1},\n  \"resource\": {\"a_b\": {\"x\": {\"size\": 2}}}\n}\n",
			"{\n  \"resource\": {\"a_b\": {\"x\": {\"size\": 2}}}\n}\n"},
		{"the last of several", "equivalent-override",
			"{\"resource\": {\"a_b\": {\"x\": {\"zone\": 2, \"size\": 1}}}}\n",
			"{\"resource\": {\"a_b\": {\"x\": {\"zone\": 2}}}}\n"},
		{"a key is repeated", "map-replace-drops-keys",
			"{\"resource\": {\"a_b\": {\"x\": {\n  \"tags\": {\n    \"Name\": \"m\"\n  }\n}}}}\n",
			"{\"resource\": {\"a_b\": {\"x\": {\n  \"tags\": {\n    \"Name\": \"m\",\n    \"Owner\": {\"a.b\": 1}\n  }\n}}}}\n"},
		{"all keys are repeated", "map-replace-drops-keys",
			"{\"resource\": {\"a_b\": {\"x\": {\"tags\": {}}}}}\n",
			"{\"resource\": {\"a_b\": {\"x\": {\"tags\": {\"Name\": \"n\", \"Owner\": {\"a.b\": 1}}}}}}\n"},
		{"an argument is repeated", "block-replace-drops-arguments",
			"{\"resource\": {\"a_b\": {\"x\": {\"disk\": [{\"size\": 2}]}}}}\n",
			"{\"resource\": {\"a_b\": {\"x\": {\"disk\": [{\"size\": 2, \"zone\": \"a\"}]}}}}\n"},
		{"a block is repeated", "block-replace-drops-blocks",
			"{\"resource\": {\"a_b\": {\"x\": {\"rule\": {\"port\": 2}}}}}\n",
			"{\"resource\": {\"a_b\": {\"x\": {\"rule\": [{\"port\": 1}, {\"port\": 2}]}}}}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fixes, texts, whys, before, after := fixed(t, main+test.override, test.rule)
			if diff := cmp.Diff([]string{test.want}, texts); diff != "" || len(whys) > 0 {
				t.Errorf("not fixed: %v, -want +got:\n%s", whys, diff)
			}
			if repeats := len(fixes) > 0 && fixes[0].Repeats(); repeats && !Repeated(before, after, fixes) || !repeats && !Same(before, after) {
				t.Error("something else is not what it was")
			}
		})
	}
}

// Comments about overrides are corrected once for each block, however many findings it has.
func TestMarked(t *testing.T) {
	fixes, texts, whys, before, after := fixed(t, `-- main.tf --
locals {
  a = 1
  b = 1
}
# overridden: gone_override.tf (a)
output "o" {
  value = 1
}
-- a_override.tf --
locals {
  a = 2
}
-- b_override.tf --
locals {
  b = 2
}
`, "unmarked-override")
	const want = "# overridden: a_override.tf (a), b_override.tf (b)\nlocals {\n  a = 1\n  b = 1\n}\noutput \"o\" {\n  value = 1\n}\n"
	if diff := cmp.Diff([]string{want}, texts); diff != "" || len(whys) > 0 {
		t.Errorf("not fixed: %v, -want +got:\n%s", whys, diff)
	}
	if len(fixes) != 3 || !fixes[0].Marks() || fixes[0].Repeats() || !Same(before, after) {
		t.Errorf("%d fixes", len(fixes))
	}
}

// The reason why a finding is not fixed takes a few words.
func TestUnfixed(t *testing.T) {
	for _, test := range []struct{ name, rule, files, want string }{
		{"one file is JSON", "map-replace-drops-keys",
			primary + "-- override.tf.json --\n{\"resource\": {\"a_b\": {\"x\": {\"tags\": {\"Name\": \"m\"}}}}}\n", "one of the two files is JSON"},
		{"another engine heeds it", "no-effect",
			"-- main.tf --\nterraform {\n}\n-- override.tf --\nterraform {\n  required_version = \">= 1.0\"\n}\n", "other engines and releases heed it"},
		{"a heredoc", "map-replace-drops-keys",
			"-- main.tf --\nlocals {\n  a = {\n    b = <<E\nx\nE\n    c = 1\n  }\n}\n-- override.tf --\nlocals {\n  a = { c = 2 }\n}\n", "a dropped value has a heredoc"},
		{"several blocks", "block-replace-drops-arguments",
			primary + "-- override.tf --\nresource \"a_b\" \"x\" {\n  disk {\n    size = 2\n  }\n  disk {\n    size = 3\n  }\n}\n",
			"it replaces several blocks, or is one of several"},
		{"other blocks", "block-replace-drops-blocks",
			primary + "-- override.tf --\nresource \"a_b\" \"y\" {\n  rule {\n    port = 9\n  }\n}\n", "this block equals none of those it replaces, so choose what to restore yourself"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fixes, texts, whys, _, _ := fixed(t, test.files, test.rule)
			if len(fixes)+len(texts) > 0 || !slices.Equal(whys, []string{test.want}) {
				t.Errorf("%d fixes, %q", len(fixes), whys)
			}
		})
	}
}

// Dropped parts of a sensitive value are repeated, and known to be secret.
func TestSecret(t *testing.T) {
	fixes, _, _, _, _ := fixed(t, "-- main.tf --\nvariable \"v\" {\n  default   = { a = 1, b = 2 }\n  sensitive = true\n}\n"+
		"-- override.tf --\nvariable \"v\" {\n  default = { a = 1 }\n}\n", "map-replace-drops-keys")
	if len(fixes) != 1 || !fixes[0].IsSecret {
		t.Errorf("%+v", fixes)
	}
}

// An item of whose keys a later file drops some must be repeated there before it can go.
func TestNeeded(t *testing.T) {
	const files = "-- main.tf --\nlocals {\n  a = {}\n}\n-- a_override.tf --\nlocals {\n  a = { b = 1, c = 2 }\n}\n-- b_override.tf --\nlocals {\n  a = { b = 3 }\n}\n"
	_, _, whys, _, _ := fixed(t, files, "superseded-override", "map-replace-drops-keys")
	if !slices.Equal(whys, []string{"repeat first what b_override.tf:2 drops of it"}) {
		t.Errorf("%q", whys)
	}
}

// Each rule with a remedy is one of the rules of check.
func TestRemedies(t *testing.T) {
	want := map[string][3]bool{
		"no-effect": {true}, "equivalent-override": {true}, "superseded-override": {true}, "unmarked-override": {true},
		"map-replace-drops-keys": {true, true}, "block-replace-drops-arguments": {true, true}, "block-replace-drops-blocks": {true, true, true},
	}
	got := map[string][3]bool{}
	for _, r := range check.Rules {
		if is := [3]bool{IsFixable(r), IsRepeated(r), IsOffered(r)}; is != [3]bool{} {
			got[r.ID] = is
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Fixes are made in time in proportion to the module, however many findings are about one item.
func TestManyFindings(t *testing.T) {
	const block, end = "resource \"a_b\" \"x\" {\n", "}\n"
	many := func(n int, text string) string { // with numbers for #
		var all strings.Builder
		for i := range n {
			all.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(i)))
		}
		return all.String()
	}
	for _, test := range []struct {
		about             string
		rules             []string
		primary, override func(n int) string
	}{
		{
			"keys of a map", []string{"map-replace-drops-keys"},
			func(n int) string { return "tags = {\n" + many(n, "a# = 1\n") + "}\n" },
			func(n int) string { return block + "tags = {}\n" + end },
		},
		{
			"replaced maps", []string{"map-replace-drops-keys"},
			func(int) string { return "tags = {}\n" },
			func(n int) string {
				return many(n, block+"tags = { a# = 1 }\n"+end) + block + "tags = {\n" + many(n, "b# = 1\n") + "}\n" + end
			},
		},
		{
			"replaced blocks", []string{"superseded-override", "block-replace-drops-arguments"},
			func(int) string { return "disk {\n}\n" },
			func(n int) string {
				return many(n, block+"disk {\na# = 1\n}\n"+end) + block + "disk {\n" + many(n, "b# = 1\n") + "}\n" + end
			},
		},
		{
			"replaced maps in blocks", []string{"superseded-override", "block-replace-drops-arguments"},
			func(int) string { return "disk {\n}\n" },
			func(n int) string {
				return many(n, block+"disk {\ntags = { a# = 1 }\n}\n"+end) + block + "disk {\ntags = {\n" + many(n, "b# = 1\n") + "}\n}\n" + end
			},
		},
		{
			"replaced lists", []string{"superseded-override", "list-replace-drops-elements"},
			func(int) string { return "disks = []\n" },
			func(n int) string {
				return many(n, block+"disks = [#]\n"+end) + block + "disks = [\n" + many(n, "\"#\",\n") + "]\n" + end
			},
		},
		{
			"equal overrides", []string{"equivalent-override"},
			func(int) string { return "size = 1\n" },
			func(n int) string { return many(n, block+"size = 1\n"+end) },
		},
		{
			"replaced blocks with labels", []string{"superseded-override", "block-replace-drops-blocks"},
			func(int) string { return "disk \"a\" {\n}\n" },
			func(n int) string {
				return many(n, block+"disk \"a#\" {\n}\n"+end) + block + many(n, "disk \"b#\" {\n}\n") + end
			},
		},
	} {
		loadtest.Linear(t, test.about, 100, func(size int) {
			archive := "-- main.tf --\n" + block + test.primary(size) + end + "-- override.tf --\n" + test.override(size)
			fixes, _, whys, before, after := fixed(t, archive, test.rules...)
			if len(fixes)+len(whys) == 0 || len(fixes) > 0 && fixes[0].Repeats() && !Repeated(before, after, fixes) {
				t.Errorf("%s: %d fixes, not made %q", test.about, len(fixes), whys)
			}
		})
	}
}
