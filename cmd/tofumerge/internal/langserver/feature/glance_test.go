package feature

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// dropping is a module in which a replacement drops an argument, and overrides add others.
var dropping = map[string][]byte{
	"main.tf": []byte(`resource "a_b" "c" {
  size = 1
  disk {
    name      = "a"
    encrypted = true
  }
  disk {
    name = "z"
  }
  tags = { Owner = "ops", Cost = 1 }
}
provider "p" {
}
`),
	"override.tf": []byte(`resource "a_b" "c" {
  size = 2
  disk {
    name = "b"
  }
  tags = { Owner = "ops" }
}
provider "p" {
  endpoints {
    s3 = "localhost"
  }
  access_key = "x"
}
`),
	"override.tf.json": []byte(`{"resource": {"a_b": {"c": {"size": 3}}}}`),
}

// Each part that people see at a glance has a switch.
func TestGlance(t *testing.T) {
	for _, c := range []struct {
		detail view.Detail
		want   string
	}{
		{view.Detail{}, `» override.tf: 1 changed, 4 dropped · override.tf.json: 1 changed
resource "a_b" "c" {
  size = 1 ⟦← 3  <override.tf.json:1>⟧
  disk { ⟦2 → 1 disk, <override.tf:3>⟧
    name      = "a" ⟦← "b"  <override.tf:4>⟧
    encrypted = true ⟦dropped by <override.tf:3>⟧
  }
  disk { ⟦← replaced by <override.tf:3>⟧
    name = "z" ⟦dropped by <override.tf:3>⟧
  }
  tags = { Owner = "ops", Cost = 1 } ⟦← { Owner = "ops" }  <override.tf:6>⟧ ⟦Cost dropped by <override.tf:6>⟧
}
» override.tf: 3 added
provider "p" {
} ⟦+ <endpoints>, <access_key>⟧
`},
		{view.Detail{HidesDropped: true, HidesAdded: true, HidesCounts: true}, `» 3 overrides
resource "a_b" "c" {
  size = 1 ⟦← 3  <override.tf.json:1>⟧
  disk { ⟦← replaced by <override.tf:3>⟧
    name      = "a"
    encrypted = true
  }
  disk { ⟦← replaced by <override.tf:3>⟧
    name = "z"
  }
  tags = { Owner = "ops", Cost = 1 } ⟦← { Owner = "ops" }  <override.tf:6>⟧
}
» 2 overrides
provider "p" {
}
`},
	} {
		v := viewOf(t, dropping, engine.Default(), protocol.UTF16)
		v.Detail = c.detail
		if diff := cmp.Diff(c.want, picture(v, "main.tf")); diff != "" {
			t.Errorf("%+v, -want +got:\n%s", c.detail, diff)
		}
	}
}

// Replaced items are faded out, and dropped ones are struck through, by diagnostics that aren't
// problems.
func TestFades(t *testing.T) {
	v := viewOf(t, dropping, engine.Default(), protocol.UTF16)
	var got []string
	for _, d := range Diagnostics(v)["main.tf"] {
		if d.Severity != protocol.SeverityHint {
			t.Errorf("%+v is a problem", d)
		}
		got = append(got, fmt.Sprintf("%d-%d %v %s", d.Range.Start.Line+1, d.Range.End.Line+1, d.Tags, d.Message))
	}
	want := []string{
		"2-2 [1] Replaced by override.tf.json:1",
		"3-6 [1] Replaced by override.tf:3",
		"7-9 [1] Replaced by override.tf:3",
		"10-10 [1] Replaced by override.tf:6",
		"5-5 [1 2] Dropped by override.tf:3",
		"8-8 [1 2] Dropped by override.tf:3",
		"10-10 [1 2] Dropped by override.tf:6",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	byLine := viewOf(t, dropping, engine.Default(), protocol.UTF16)
	byLine.Detail.FadesLines = true
	got = nil
	for _, d := range Diagnostics(byLine)["main.tf"][1:5] {
		got = append(got, fmt.Sprintf("%d:%d-%d:%d", d.Range.Start.Line+1, d.Range.Start.Character, d.Range.End.Line+1, d.Range.End.Character))
	}
	if want := []string{"3:2-3:8", "4:4-4:19", "5:4-5:20", "6:2-6:3"}; !slices.Equal(got, want) {
		t.Errorf("line by line: %q, want %q", got, want)
	}
	hidden := viewOf(t, dropping, engine.Default(), protocol.UTF16)
	hidden.Detail.HidesFades = true
	if list := Diagnostics(hidden)["main.tf"]; len(list) > 0 {
		t.Errorf("hidden: %+v", list)
	}
}
