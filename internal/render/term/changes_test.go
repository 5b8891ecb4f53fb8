package term

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

func merged(t *testing.T, files map[string][]byte) *merge.Module {
	t.Helper()
	src, diags := loadtest.Files(t, files, load.Options{})
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(loadtest.Messages(diags))
	}
	return m
}

// A shop is a module whose blocks, objects and lists are replaced.
var shop = map[string][]byte{
	"main.tf": []byte(`
terraform {
  backend "s3" {
    bucket = "acme-state"
    key    = "shop.tfstate"
  }
}

resource "shop_till" "day" {
  colour = "a bright red that everybody sees"
  tags   = { Owner = "漢字", Cost = "4711" }
  drawer {
    coins = true
    lock {
      code = 1
    }
  }
}
`),
	"override.tf": []byte(`
terraform {
  backend "local" {}
}

resource "shop_till" "day" {
  colour = "a dark blue that nobody sees at all"
  tags   = { Owner = "漢", Size = 1 }
  drawer {
    coins = false
  }
  bell {
    rings = 3
  }
}
`),
}

// A block or value that is replaced as a whole is named once, and so is the override. On a narrow
// terminal values are written below.
func TestChanges(t *testing.T) {
	m := merged(t, shop)
	for width, want := range map[int]string{80: `
terraform
  ~ backend  replaced by override.tf:3
      - backend "s3" block
          - bucket  "acme-state"
          - key     "shop.tfstate"
      + backend "local" block

shop_till.day
  ~ colour  override.tf:7
      "a bright red that everybody sees" → "a dark blue that nobody sees at all"
  ~ tags  replaced by override.tf:8
      ~ Owner  "漢字" → "漢"
      - Cost   "4711"
      + Size   1
  ~ drawer  replaced by override.tf:9
      ~ coins  true → false
      - lock   block
          - code  1
  + bell    block  override.tf:12
      + rings  3

3 changed, 4 added, 6 dropped in 2 blocks
`, 34: `
terraform
  ~ backend
      replaced by override.tf:3
      - backend "s3" block
          - bucket  "acme-state"
          - key     "shop.tfstate"
      + backend "local" block

shop_till.day
  ~ colour  override.tf:7
      "a bright red that everybody
        sees"
      → "a dark blue that nobody
        sees at all"
  ~ tags
      replaced by override.tf:8
      ~ Owner  "漢字" → "漢"
      - Cost   "4711"
      + Size   1
  ~ drawer
      replaced by override.tf:9
      ~ coins  true → false
      - lock   block
          - code  1
  + bell    block  override.tf:12
      + rings  3

3 changed, 4 added, 6 dropped in 2 blocks
`} {
		list := report.ModuleChanges{Redact: wording.NewRedactor(m.Source, false), Blocks: changes.Of(m)}
		out := string(Changes(list, screen.Screen{Palette: screen.NewPalette(false), Width: width, IsTerminal: true}))
		if diff := cmp.Diff(want, "\n"+out); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, diff)
		}
		for line := range strings.Lines(out) {
			if columns := screen.Columns(strings.TrimSuffix(line, "\n")); columns > width && !strings.Contains(line, " in ") {
				t.Errorf("%d columns: %q has %d", width, line, columns)
			}
		}
	}
}
