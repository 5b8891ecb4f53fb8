package deny_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// denied are the findings in a module by patterns that hold for each of its override files.
func denied(t *testing.T, files string, patterns ...string) []check.Finding {
	t.Helper()
	var list []address.Pattern
	for _, text := range patterns {
		p, err := address.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	m := mergetest.Archive(t, files)
	all := address.NewPatterns(list...)
	return deny.Items(m, func(name string) *address.Patterns {
		if strings.HasPrefix(name, "free_") {
			return nil
		}
		return all
	}, deny.FactsOf(m))
}

const primary = `
-- main.tf --
variable "text" {
  type = string
}
variable "any" {
}
locals {
  plain = upper("a")
}
resource "a_b" "x" {
  size = 1
  tags = {
    Name  = "n"
    Owner = "o"
  }
  disk {
    size = 1
  }
  disk {
    size = 2
  }
  lifecycle {
    prevent_destroy = true
  }
}
`

// inResource is the module with an override of its resource.
func inResource(body string) string {
	return primary + "-- override.tf --\nresource \"a_b\" \"x\" {\n" + body + "}\n"
}

// moved is a module in which blocks of an override correspond to some of other numbers.
const moved = `
-- main.tf --
resource "a_b" "x" {
  eg {
    id   = 1
    size = 1
  }
  eg {
    id   = 2
    size = 2
  }
  three {
    id   = 1
    size = 1
  }
  three {
    id   = 2
    size = 1
  }
  three {
    id   = 3
    size = 1
  }
}
-- override.tf --
resource "a_b" "x" {
  eg {
    id   = 2
    size = 9
  }
  eg {
    id   = 1
    size = 2
  }
  three {
    id   = 1
    size = 1
  }
  three {
    id   = 3
    size = 1
  }
}
`

// long is a name that makes an address too long to be searched.
var long = strings.Repeat("k", 5000)

// locals is a file of local values that refer to each other, and the last one to a text.
func locals(n int) string {
	text := "-- locals.tf --\nlocals {\n"
	for i := range n {
		text += fmt.Sprintf("  l%d = local.l%d\n", i, i+1)
	}
	return text + fmt.Sprintf("  l%d = \"a\"\n}\n", n)
}

func TestItems(t *testing.T) {
	const change = "The policy denies overrides of "
	for _, test := range []struct {
		name, files string
		patterns    []string
		want        string
	}{
		{"an argument", inResource("  size = 2\n"), []string{"a_b.*.size"},
			"override.tf:2 " + change + "a_b.x.size. Change it at main.tf:10 instead.\n"},
		{"one that is added", inResource("  zone = 2\n"), []string{"**.zone"},
			"override.tf:2 " + change + "a_b.x.zone. Set it in a primary file instead.\n"},
		{"a block stands for what it holds", inResource("  lifecycle {\n    prevent_destroy = false\n  }\n"),
			[]string{"a_b.x.lifecycle", "**.prevent_destroy"},
			"override.tf:2 " + change + "a_b.x.lifecycle. Change it at main.tf:21 instead.\n"},
		{"an argument in a block that is merged", inResource("  lifecycle {\n    prevent_destroy = false\n  }\n"),
			[]string{"**.prevent_destroy"},
			"override.tf:3 " + change + "a_b.x.lifecycle.prevent_destroy. Change it at main.tf:22 instead.\n"},
		{"a whole block", inResource("  size = 2\n"), []string{"a_b.x"},
			"override.tf:1 " + change + "a_b.x. Change it at main.tf:9 instead.\n"},
		{"another address", inResource("  size = 2\n"), []string{"a_b.y.size", "a_b.x.zone"}, ""},
		{"a key that changes, and one that is repeated", inResource("  tags = {\n    Name  = \"m\"\n    Owner = \"o\"\n  }\n"),
			[]string{"**.Name", "**.Owner"},
			"override.tf:3 " + change + "a_b.x.tags.Name. Change it at main.tf:12 instead.\n"},
		{"a key that is dropped", inResource("  tags = {\n    Name = \"n\"\n  }\n"), []string{"**.Owner"},
			"override.tf:2 " + change + "a_b.x.tags.Owner, which this value drops. Repeat it here as it is at main.tf:13.\n"},
		{"a key that only the plan shows", inResource("  tags = merge(var.any, { Name = \"n\" })\n"), []string{"**.tags.Owner"},
			"override.tf:2 " + change + "**.tags.Owner. Only the plan shows which keys this value has, so it may set or drop one. " +
				"Write it in braces with every key spelled out.\n"},
		{"a text has no keys", inResource("  size = var.text\n  zone = local.plain\n  area = \"${var.any}-a\"\n"), []string{"**.Owner"}, ""},
		{"a variable of any type may have keys", inResource("  size = var.any\n"), []string{"**.size.Owner"},
			"override.tf:2 " + change + "**.size.Owner. Only the plan shows which keys this value has, so it may set or drop one. " +
				"Write it in braces with every key spelled out.\n"},
		{"a nested block that is replaced", inResource("  disk {\n    size = 1\n  }\n  disk {\n    size = 3\n  }\n"), []string{"**.disk[*].size"},
			"override.tf:3 " + change + "a_b.x.disk.size. Change it at main.tf:15 instead.\n" +
				"override.tf:6 " + change + "a_b.x.disk.size. Change it at main.tf:15 instead.\n"},
		{"one that gives way", inResource("  disk {\n    zone = 1\n  }\n"), []string{"a_b.x.disk[1].size"},
			"override.tf:2 " + change + "a_b.x.disk.size, which this block drops. Change it at main.tf:19 instead.\n"},
		{"one that gives way as a whole", inResource("  disk {\n    size = 1\n  }\n"), []string{"a_b.x.disk[1]"},
			"override.tf:2 " + change + "a_b.x.disk[1], which this block drops. Change it at main.tf:18 instead.\n"},
		{"one that a dynamic block may make", inResource("  dynamic \"disk\" {\n    for_each = var.any\n    content {\n    }\n  }\n"), []string{"a_b.x.disk[1]"},
			"override.tf:2 " + change + "a_b.x.disk. Change it at main.tf:15 instead.\n"},
		{"an argument that another one outranks", strings.Replace(inResource("  count = 1\n"), "size = 1", "for_each = { a = 1 }", 1), []string{"**.for_each.a"},
			"override.tf:2 " + change + "a_b.x.for_each.a, which this value drops. Change it at main.tf:10 instead.\n"},
		{"a key in one that gives way", strings.Replace(inResource("  disk {\n    meta = {}\n  }\n"), "size = 2", "meta = { a = 1 }", 1), []string{"**.meta.a"},
			"override.tf:2 " + change + "a_b.x.disk.meta.a, which this block drops. Repeat it here as it is at main.tf:19.\n"},
		{"what only a later file replaces is denied, too", inResource("  size = 2\n") + "-- z_override.tf --\nresource \"a_b\" \"x\" {\n  size = 3\n}\n",
			[]string{"a_b.x.size"},
			"override.tf:2 " + change + "a_b.x.size. Change it at main.tf:10 instead.\nz_override.tf:2 " + change + "a_b.x.size. Change it at main.tf:10 instead.\n"},
		{"one that only an override declares", primary + "-- override.tf --\nprovider \"a\" {\n  size = 2\n}\n", []string{"provider.a"},
			"override.tf:1 " + change + "provider.a. Declare it in a primary file instead.\n"},
		{"a value that is denied as a whole", inResource("  tags = {}\n"), []string{"a_b.x.tags", "**.Name"},
			"override.tf:2 " + change + "a_b.x.tags. Change it at main.tf:11 instead.\n"},
		{"a value in a block that is denied", inResource("  tags = {}\n"), []string{"a_b.x", "**.Name"},
			"override.tf:1 " + change + "a_b.x. Change it at main.tf:9 instead.\n"},
		{"a repeated value", inResource("  size = var.any\n") + "-- z_override.tf --\nresource \"a_b\" \"x\" {\n  size = var.any\n}\n", []string{"**.size.Owner"},
			"override.tf:2 " + change + "**.size.Owner. Only the plan shows which keys this value has, so it may set or drop one. " +
				"Write it in braces with every key spelled out.\n"},
		{"a key that only an override has", inResource("  tags = {\n    Name  = \"n\"\n    Owner = \"o\"\n    Zone  = 1\n  }\n") +
			"-- z_override.tf --\nresource \"a_b\" \"x\" {\n  tags = {\n    Name  = \"n\"\n    Owner = \"o\"\n  }\n}\n", []string{"**.Zone"},
			"override.tf:5 " + change + "a_b.x.tags.Zone. Set it in a primary file instead.\n" +
				"z_override.tf:2 " + change + "a_b.x.tags.Zone, which this value drops. Repeat it here as it is at override.tf:5.\n"},
		{"a block in one that gives way", strings.Replace(inResource("  disk {\n  }\n"), "    size = 2\n", "    meta {\n      a = 1\n    }\n", 1), []string{"**.meta.a"},
			"override.tf:2 " + change + "a_b.x.disk.meta.a, which this block drops. Change it at main.tf:20 instead.\n"},
		{"blocks that have other numbers", moved, []string{"a_b.x.eg[1].size"},
			"override.tf:8 " + change + "a_b.x.eg.size. Change it at main.tf:2 instead.\n" +
				"override.tf:4 " + change + "a_b.x.eg[1].size. Change it at main.tf:8 instead.\n"},
		{"a block that another type removes", "-- main.tf --\nterraform {\n  backend \"s3\" {\n  }\n}\n-- override.tf --\nterraform {\n  cloud {\n  }\n}\n",
			[]string{"terraform.backend.s3"},
			"override.tf:2 " + change + "terraform.backend, which this block drops. Change it at main.tf:2 instead.\n"},
		{"a block that has none any more", moved, []string{"a_b.x.three[1].size"},
			"override.tf:16 " + change + "a_b.x.three.size. Change it at main.tf:10 instead.\n" +
				"override.tf:10 " + change + "a_b.x.three[1].size, which this block drops. Change it at main.tf:16 instead.\n"},
		{"a part of a text", inResource("  size = local.plain.part\n"), []string{"**.size.Owner"},
			"override.tf:2 " + change + "**.size.Owner. Only the plan shows which keys this value has, so it may set or drop one. " +
				"Write it in braces with every key spelled out.\n"},
		{"local values that lead far", inResource("  size = local.l0\n") + locals(15), []string{"**.size.Owner"}, ""},
		{"and too far", inResource("  size = local.l0\n") + locals(16), []string{"**.size.Owner"},
			"override.tf:2 " + change + "**.size.Owner. Only the plan shows which keys this value has, so it may set or drop one. " +
				"Write it in braces with every key spelled out.\n"},
		{"a key that is too long", inResource("  tags = {\n    " + long + " = {\n      Deep = 1\n    }\n  }\n"), []string{"**.Deep"},
			"override.tf:3 " + change + "**.Deep. The keys of this value are too long or nest too deep to look for it. Shorten them.\n"},
		{"a block whose type is too long", inResource("  disk {\n    " + long + " {\n      meta = {}\n    }\n  }\n"), []string{"**.meta.a"},
			"override.tf:3 " + change + "**.meta.a. The keys of this value are too long or nest too deep to look for it. Shorten them.\n"},
		{"a file that is allowed", primary + "-- free_override.tf --\nresource \"a_b\" \"x\" {\n  size = 3\n}\n", []string{"**"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got strings.Builder
			for _, f := range denied(t, test.files, test.patterns...) {
				got.WriteString(diag.Place(f.Range) + " " + f.Message + "\n")
				if f.Rule != check.DeniedOverride || f.Address.IsEmpty() || f.Fact == nil {
					t.Errorf("the finding is %+v", f)
				}
			}
			if diff := cmp.Diff(test.want, got.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A dynamic block may have any number. If patterns have very many, it is taken for a match.
func TestManyNumbers(t *testing.T) {
	files := inResource("  dynamic \"disk\" {\n    for_each = []\n    content {\n      a = 1\n    }\n  }\n")
	for n, want := range map[int]int{250: 0, 251: 1} {
		var patterns []string
		for i := range n {
			patterns = append(patterns, fmt.Sprintf("**.disk[%d].b", i))
		}
		if list := denied(t, files, patterns...); len(list) != want {
			t.Errorf("%d patterns: %v", n, list)
		}
	}
}

// A value that replaced one with computed keys may drop a key.
func TestUnknownBefore(t *testing.T) {
	list := denied(t, "-- main.tf --\nvariable \"any\" {\n}\nresource \"a_b\" \"x\" {\n  tags = var.any\n}\n"+
		"-- override.tf --\nresource \"a_b\" \"x\" {\n  tags = {\n    a = 1\n  }\n}\n", "**.tags.Owner")
	want := "The policy denies overrides of **.tags.Owner. Only the plan shows which keys the value at main.tf:4 has, so this one may drop one. Change that value instead."
	if len(list) != 1 || list[0].Message != want {
		t.Errorf("%+v", list)
	}
}

// A finding is known as long as the same is denied and the same wins.
func TestKnown(t *testing.T) {
	const other = "-- z_override.tf --\nresource \"a_b\" \"x\" {\n  size = 9\n}\n"
	const disks = "-- z_override.tf --\nresource \"a_b\" \"x\" {\n  disk {\n    zone = 9\n  }\n}\n"
	before := inResource("  size = 2\n  tags = { Name = \"m\" }\n") + `
resource "a_b" "z" {
  count = 1
  eg {
    id = 2
  }
}
-- b.tf --
resource "a_b" "z" {
  for_each = {}
  eg {
  }
  eg {
    id = 1
  }
}
`
	blocks := inResource("  disk {\n    size = 3\n  }\n  disk {\n    size = 4\n  }\n")
	within := inResource("  disk {\n    meta {\n      size = 3\n    }\n    meta {\n      size = 4\n    }\n  }\n")
	digits := strings.NewReplacer("= 3", "= 4", "= 4", "= 3")
	for _, test := range []struct {
		name, before, after string
		unknown             int
	}{
		{"the same", before, before, 0},
		{"other lines and comments", before, "-- a.tf --\n# more\n" + strings.ReplaceAll(before, "size = 2", "size = 2 # two"), 0},
		{"another value", before, strings.ReplaceAll(before, "size = 2", "size = 3"), 1},
		{"another key", before, strings.ReplaceAll(before, `"m"`, `"k"`), 1},
		{"another file wins", before, before + other, 2},
		{"another argument removes", before, strings.ReplaceAll(before, "count = 1", "count = 2"), 1},
		{"another block replaces", before, strings.ReplaceAll(before, "id = 2", "id = 3"), 1},
		{"the same blocks", blocks, blocks, 0},
		{"blocks that changed places", blocks, digits.Replace(blocks), 1},
		{"other blocks win", blocks, blocks + disks, 3},
		{"the same inner blocks", within, within, 0},
		{"inner blocks that changed places", within, digits.Replace(within), 3},
	} {
		patterns := []string{"**.size", "**.Name", "**.for_each", "a_b.z.eg[1].id"}
		known := denied(t, test.before, patterns...)
		found := deny.Unknown(denied(t, test.after, patterns...), known)
		if len(known) < 2 || len(found) != test.unknown {
			t.Errorf("%s: %d of %d are unknown, want %d", test.name, len(found), len(known), test.unknown)
		}
	}
}

// A file that may not be there is known as long as its text is the same.
func TestFile(t *testing.T) {
	file := func(text string) []check.Finding {
		f := deny.File("x_override.tf")
		f.Fact = deny.FactOfFile([]byte(text))
		return []check.Finding{f}
	}
	if got := file("")[0]; got.Range.Filename != "x_override.tf" || !strings.Contains(got.Message, "--allow-file") {
		t.Errorf("%+v", got)
	}
	if n := len(deny.Unknown(file("a"), file("a"))); n != 0 {
		t.Errorf("the same text is unknown")
	}
	if n := len(deny.Unknown(file("b"), file("a"))); n != 1 {
		t.Errorf("another text is known")
	}
}
