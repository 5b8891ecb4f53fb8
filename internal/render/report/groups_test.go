package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

const groups = `-- main.tf --
resource "shop_till" "day" {
  size  = 1
  tags  = { Name = "n", Owner = "o" }
  disk {
    size = 1
    zone = "a"
  }
  disk {
    size = 2
    lock {
      code = 1
    }
  }
  script = <<-EOT
    one
      two
    three
  EOT
  key = "hunter2"
}
locals {
  a = { x = 1, y = 2 }
}
-- override.tf --
resource "shop_till" "day" {
  size = 3
  tags = { Name = "m" }
  disk {
    size = 9
  }
  bell {
    rings = 1
  }
  lamp "red" { lit = true }
  script = <<-EOT
    one
      2
    three
    four
  EOT
}
locals {
  a = { x = 2 }
}
`

func drawnGroups(redact wording.Redactor, blocks []*changes.Block, isFull bool) string {
	var out strings.Builder
	for _, b := range blocks {
		fmt.Fprintln(&out, b.Address)
		for l := range (ModuleChanges{Redact: redact, Full: isFull}).GroupedLines(b) {
			fmt.Fprintf(&out, "%s%s", strings.Repeat("  ", l.Depth+1), l.Name)
			if !l.IsGroup {
				fmt.Fprintf(&out, " %d", l.Kind)
			}
			fmt.Fprintf(&out, ": %s", l.Value)
			if l.By != "" {
				fmt.Fprintf(&out, " (%s)", l.By)
			}
			out.WriteString("\n")
			for _, v := range l.Below {
				fmt.Fprintf(&out, "%s| %d %s\n", strings.Repeat("  ", l.Depth+1), v.Kind, v.Text)
			}
		}
	}
	return out.String()
}

// A block or value that an override replaces as a whole is named once, and its contents stand
// below.
func TestGroupedLines(t *testing.T) {
	m := mergetest.Archive(t, groups)
	got := drawnGroups(wording.NewRedactor(m.Source, false), changes.Of(m), false)
	want := `shop_till.day
  size 0: 1 → 3 (override.tf:2)
  tags: replaced by override.tf:3
    Name 0: "n" → "m"
    Owner 2: "o"
  disk: replaced by override.tf:4
    [0].size 0: 1 → 9
    [0].zone 2: "a"
    [1] 2: disk block
      size 2: 2
      lock 2: block
        code 2: 1
  script 0:  (override.tf:11)
  | 2   two
  | 1   2
  | 0 …
  | 1 four
  bell 1: block (override.tf:7)
    rings 1: 1
  lamp 1: "red" block (override.tf:10)
    lit 1: true
locals
  local.a: replaced by override.tf:19
    x 0: 1 → 2
    y 2: 2
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	redacted := drawnGroups(wording.NewRedactor(m.Source, true), changes.Of(m), false)
	if strings.Contains(redacted, `"n"`) || strings.Contains(redacted, "two") || !strings.Contains(redacted, "(redacted)") {
		t.Errorf("redacted:\n%s", redacted)
	}
}

// Of long values some is shown, and all under full.
func TestLongChanges(t *testing.T) {
	lines := func(word string) string {
		text := "<<-EOT\n"
		for i := range 40 {
			text += fmt.Sprintf("%s %d\n", word, i)
		}
		return text + "EOT"
	}
	m := mergetest.Archive(t, "-- main.tf --\nlocals {\n  a = "+lines("old")+"\n  b = \""+strings.Repeat("x", 700)+"\"\n}\n"+
		"-- override.tf --\nlocals {\n  a = "+lines("new")+"\n  b = \""+strings.Repeat("x", 700)+"y\"\n}\n")
	redact := wording.NewRedactor(m.Source, false)
	some, all := drawnGroups(redact, changes.Of(m), false), drawnGroups(redact, changes.Of(m), true)
	for _, want := range []string{"| 2 old 4\n  | 0 … 35 more lines; --full shows them\n  | 1 new 0\n", "xxx… → ", "xxx… (differs from column 702 on)"} {
		if !strings.Contains(some, want) {
			t.Errorf("no %q in\n%s", want, some)
		}
	}
	for _, want := range []string{"| 2 old 39\n  | 1 new 0\n", `xxxy"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if strings.Contains(some, "old 5\n") || strings.Contains(some, `xxxy"`) || strings.Contains(all, "…") {
		t.Error("some and all are the wrong way round")
	}
}

func TestDedent(t *testing.T) {
	lines := []string{"    a", "", "  b", "… 2 more", "\t c"}
	Dedent(lines)
	if diff := cmp.Diff([]string{"  a", "", "b", "… 2 more", "c"}, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A long value is shown as a whole, starting at the left margin, without hidden parts.
func TestText(t *testing.T) {
	m := mergetest.Archive(t, groups+"provider \"shop\" {\n  till {\n    coins = 4\n    password = \"hunter3\"\n  }\n}\n"+
		"-- z.tf --\nprovider \"shop\" {\n  till {\n    password = \"hunter2\"\n  }\n}\n")
	text := func(r wording.Redactor, name string) string {
		a, err := address.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for _, target := range lookup.Find(m, a) {
			for _, row := range HistoryRows(r, target, nil) {
				fmt.Fprintf(&out, "[%s]", row.Text(r))
			}
		}
		return out.String()
	}
	r := wording.NewRedactor(m.Source, false)
	for name, want := range map[string]string{
		"shop_till.day.size":   "[][]",
		"shop_till.day.script": "[<<-EOT\n    one\n      2\n    three\n    four\n  EOT][<<-EOT\n    one\n      two\n    three\n  EOT]",
		"shop_till.day.disk": "[disk {\n  size = 9\n}][disk {\n  size = 2\n  lock {\n    code = 1\n  }\n}]" +
			"[disk {\n  size = 1\n  zone = \"a\"\n}]",
		"provider.shop.till": "[till {\n  coins = 4\n  password = (sensitive value)\n}][till {\n  password = (sensitive value)\n}]",
	} {
		if diff := cmp.Diff(want, text(r, name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := text(wording.NewRedactor(m.Source, true), "shop_till.day.disk"); got != "[disk {\n  size = 9\n}][][]" {
		t.Errorf("redacted: %q", got)
	}
	if got := text(wording.Redactor{Module: m.Source, All: true}, "shop_till.day.disk"); got != "[][][]" {
		t.Errorf("all hidden: %q", got)
	}
}

// Items are totalled by their names, each with its locations.
func TestCountOf(t *testing.T) {
	m := mergetest.Archive(t, groups)
	day := m.Source.Files[0].Block(0)
	items := []source.Item{day.Blocks("disk")[0], day.Attr("size"), day.Blocks("disk")[1]}
	if got, want := wording.CountOf(items), "2 disk blocks (main.tf:4, main.tf:8), 1 size argument (main.tf:2)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	disks := day.Blocks("disk")
	replaced := []source.Item{disks[0], disks[1]}
	if got, want := wording.ReplacedBy(items[:1], replaced), "2 disk blocks (main.tf:4, main.tf:8) with 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	replaced[1] = m.Source.Files[1].Block(0).Blocks("disk")[0] // an override that another one replaced
	if got, want := wording.ReplacedBy(items[:1], replaced), "2 disk blocks (main.tf:4, override.tf:4)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := wording.PlacesOf(items); !cmp.Equal(got, []string{"main.tf:4", "main.tf:2", "main.tf:8"}) {
		t.Errorf("%q", got)
	}
	lock := day.Blocks("disk")[1].Blocks("lock")[0]
	if got := wording.Name(lock.Attr("code")); got != "disk.lock.code" {
		t.Errorf("%s", got)
	}
}
