package plan

import (
	"slices"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// A block that is written in part has only the items of the part, and of these all contents.
func TestPrintedOf(t *testing.T) {
	m := mergetest.Archive(t, `-- main.tf --
resource "shop_till" "day" {
  size = 1
  zone = 2
  disk {
    size = 3
  }
}
`)
	day := m.Source.Files[0].Block(0)
	disk := day.Blocks("disk")[0]
	printed := PrintedOf([]*merge.Part{{Item: day, IsPartial: true, Held: []*merge.Part{{Item: day.Attr("zone")}, {Item: disk}}}})
	for it, want := range map[source.Item]bool{day: true, day.Attr("size"): false, day.Attr("zone"): true, disk: true, disk.Attr("size"): true} {
		if printed.has(it) != want {
			t.Errorf("%s is printed: %t", it.Called(), !want)
		}
	}
}

// A block that an override addresses without any effect gets its contents, another one does not.
func TestAddMarked(t *testing.T) {
	m := mergetest.Archive(t, `-- main.tf --
variable "a" {
  default = 1
}
variable "b" {
  default = 1
}
-- override.tf --
variable "b" {
  default = 1
}
`)
	files := Arrange(m)
	AddMarked(m, files)
	if got := files[0].Indexes(); !slices.Equal(got, []int{1}) || files[0].Blocks[1].Content == nil {
		t.Errorf("blocks with contents: %v", got)
	}
}
