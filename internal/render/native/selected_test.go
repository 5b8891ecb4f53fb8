package native_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// tills is a module with blocks next to each other and apart, of two files in another order than by address.
const tills = `-- b.tf --
# about night
resource "shop_till" "night" {
  size = 1
}
resource "shop_till" "day" { size = 1 } # behind day

locals {
  z = 1
  a = 1
}
-- a.tf --
locals {
  b = 1
}
variable "size" {
  default = 1
}
-- override.tf --
resource "shop_till" "day" {
  size = 2
}
locals {
  a = 2
}
`

func selection(t *testing.T, s plan.Selection, patterns ...string) plan.Selection {
	t.Helper()
	for _, text := range patterns {
		p, err := address.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Filter = append(s.Filter, p)
	}
	return s
}

// Selected blocks are printed one blank line apart with their comments; a filter selects its
// matches and the blocks around them.
func TestSelected(t *testing.T) {
	for _, c := range []struct {
		selection plan.Selection
		want      string
	}{
		{selection(t, plan.Selection{OnlyChanged: true}), `resource "shop_till" "day" { size = 2 } # behind day

locals {
  z = 1
  a = 2
}
`},
		{selection(t, plan.Selection{}, "shop_till.night"), `# about night
resource "shop_till" "night" {
  size = 1
}
`},
		{selection(t, plan.Selection{}, "local.z", "var.*"), `variable "size" {
  default = 1
}

locals {
  z = 1
  a = 2
}
`},
		{selection(t, plan.Selection{}, "*.*.size"), `# about night
resource "shop_till" "night" {
  size = 1
}

resource "shop_till" "day" { size = 2 } # behind day
`},
		{selection(t, plan.Selection{OnlyChanged: true, Sort: true}, "shop_till.*"), `resource "shop_till" "day" { size = 2 } # behind day
`},
		{selection(t, plan.Selection{Sort: true}), `locals {
  b = 1
}

locals {
  z = 1
  a = 2
}

resource "shop_till" "day" { size = 2 } # behind day

# about night
resource "shop_till" "night" {
  size = 1
}

variable "size" {
  default = 1
}
`},
	} {
		text, diags := native.New(mergetest.Archive(t, tills), c.selection, nil)
		var out strings.Builder
		if err := text.Write(&out); err != nil || len(diags) > 0 {
			t.Fatal(err, diags)
		}
		if diff := cmp.Diff(c.want, out.String()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.selection, diff)
		}
	}
}

// A filter that matches nothing is a separate error, and nothing is written.
func TestNoneSelected(t *testing.T) {
	text, _ := native.New(mergetest.Archive(t, tills), selection(t, plan.Selection{}, "shop_till.noon"), nil)
	var out strings.Builder
	if err := text.Write(&out); !errors.Is(err, plan.ErrNoneSelected) || out.Len() > 0 {
		t.Errorf("%v, wrote %q", err, out.String())
	}
}

// A sorted text does not depend on how the files are called.
func TestSorted(t *testing.T) {
	sorted := func(archive string) string {
		text, _ := native.NewSorted(mergetest.Archive(t, archive))
		var out strings.Builder
		if err := text.Write(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	const one, other = "-- a.tf --\nlocals {\n  b = 1\n}\n-- b.tf --\nlocals {\n  a = 1\n}\n", "-- a.tf --\nlocals {\n  a = 1\n}\n-- b.tf --\nlocals {\n  b = 1\n}\n"
	if diff := cmp.Diff(sorted(one), sorted(other)); diff != "" {
		t.Errorf("two names (-one +other):\n%s", diff)
	}
}

// A file that is made of parts has the text of their items, those comments that come along, and
// values that are computed.
func TestMade(t *testing.T) {
	m := mergetest.Archive(t, `-- main.tf --
# about day
resource "shop_till" "day" { # opens
    # about size
    size = 1 # behind size
    zone = "a"
  disk {
    size = 1
  }
}
locals {
  a = 1
}
`)
	day, locals := m.Source.Files[0].Block(0), m.Source.Files[0].Block(1)
	part := func(it source.Item, hasLead, hasTail bool) *merge.Part {
		return &merge.Part{Item: it, HasLead: hasLead, HasTail: hasTail}
	}
	partial := part(day, true, false)
	partial.IsPartial = true
	partial.Held = []*merge.Part{part(day.Attr("size"), true, true), part(day.Attr("zone"), false, false), part(day.Blocks("disk")[0], false, false)}
	empty := part(locals, false, false)
	empty.IsPartial = true
	got := string(native.Made([]*merge.Part{partial, empty, part(locals, false, false)}))
	want := `# about day
resource "shop_till" "day" {
  # about size
  size = 1 # behind size
  zone = "a"

  disk {
    size = 1
  }
}

locals {}

locals {
  a = 1
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := native.Made(nil); got != nil {
		t.Errorf("of nothing: %q", got)
	}
}
