package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

func explainedAll(t *testing.T, files map[string][]byte, width int, o ExplainOptions) string {
	t.Helper()
	m := merged(t, files)
	var out strings.Builder
	to := screen.Screen{Palette: screen.NewPalette(false), Width: width, IsTerminal: width > 0}
	if err := Explain(m, to, o).Write(&out, lookup.Top(m)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Short values stand below their rows, secret ones hidden, and a rule that adds nothing to the row
// has no footnote.
func TestExplainShortValues(t *testing.T) {
	got := explainedAll(t, map[string][]byte{
		"main.tf": []byte(`
provider "shop" {
  name = "a name that is so long that it does not fit on the line of its row"
  till {
    coins    = 3
    password = "hunter2"
  }
}
`),
		"override.tf": []byte(`
provider "shop" {
  name = "short"
  till {
    coins    = 4
    password = "hunter3"
  }
}
`),
	}, 60, ExplainOptions{})
	want := `
provider.shop

  merged    override.tf:2
  declared  main.tf:2

  name
    effective  override.tf:3  "short"
    replaced   main.tf:3      by override.tf:3
          "a name that is so long that it does not fit on
            the line of its row"

  till
    effective  override.tf:4
          till {
            coins    = 4
            password = (sensitive value)
          }
    replaced   main.tf:4      by override.tf:4 [1]
          till {
            coins    = 3
            password = (sensitive value)
          }

[1] Replaces every nested block of its type, static and
    dynamic.
`
	if diff := cmp.Diff(want, "\n"+got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Of long values the lines that differ are shown, and under Full all.
func TestExplainLongValues(t *testing.T) {
	lines := func(from, to int) (list string) {
		for i := from; i < to; i++ {
			list += fmt.Sprintf("    echo %d\n", i)
		}
		return list
	}
	files := map[string][]byte{
		"main.tf":     []byte("locals {\n  start = <<-EOT\n" + lines(0, 20) + "  EOT\n}\n"),
		"override.tf": []byte("locals {\n  start = <<-EOT\n" + lines(0, 5) + "    echo more\n" + lines(6, 8) + lines(30, 50) + "  EOT\n}\n"),
	}
	want := `
locals

  merged    override.tf:1
  declared  main.tf:1

  local.start
    effective  override.tf:2  differs in 21 of 30 lines
          …
          echo more
          …
          echo 30
          echo 31
          echo 32
          echo 33
          … 17 more lines; --full shows them
    replaced   main.tf:2      differs in 13 of 22 lines  by override.tf:2
          …
          echo 5
          …
          echo 8
          echo 9
          echo 10
          echo 11
          … 9 more lines; --full shows them
`
	if diff := cmp.Diff(want, "\n"+explainedAll(t, files, 0, ExplainOptions{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	whole := explainedAll(t, files, 80, ExplainOptions{Full: true})
	for _, line := range []string{"echo 0\n", "echo 49\n", "echo 19\n"} {
		if !strings.Contains(whole, line) {
			t.Errorf("%q is not in\n%s", line, whole)
		}
	}
}
