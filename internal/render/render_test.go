package render_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

const shop = `-- main.tf --
resource "shop_till" "day" {
  size = 1
}
-- override.tf --
resource "shop_till" "day" {
  size = 2
}
`

// Marks and colours appear on request, and nowhere else.
func TestNativeOptions(t *testing.T) {
	const (
		bare   = "resource \"shop_till\" \"day\" {\n  size = 2\n}\n"
		marked = "resource \"shop_till\" \"day\" {\n  size = 2 # override: override.tf:2 (was 1 at main.tf:2)\n}\n"
	)
	colored := screen.Screen{Palette: screen.NewPalette(true)}
	for _, c := range []struct {
		name      string
		options   render.Options
		want      string
		isColored bool
	}{
		{"plain", render.Options{Screen: screen.Plain()}, bare, false},
		{"marked", render.Options{Screen: screen.Plain(), Annotate: true}, marked, false},
		{"redacted", render.Options{Screen: screen.Plain(), Annotate: true, Redact: true}, strings.Replace(marked, "was 1", "was (redacted)", 1), false},
		{"coloured marks", render.Options{Screen: colored, Annotate: true}, marked, true},
		{"highlighted", render.Options{Screen: colored, Annotate: true, Highlight: true}, marked, true},
		{"coloured without marks", render.Options{Screen: colored}, bare, false},
	} {
		text, diags := render.Native(mergetest.Archive(t, shop), c.options)
		var out strings.Builder
		if err := text.Write(&out); err != nil || len(diags) > 0 {
			t.Fatal(err, diags)
		}
		got := out.String()
		if hasColors := strings.Contains(got, "\x1b["); hasColors != c.isColored {
			t.Errorf("%s: coloured is %v", c.name, hasColors)
		}
		if diff := cmp.Diff(c.want, withoutColors(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// withoutColors is a text without what colours it.
func withoutColors(text string) string {
	for {
		before, rest, ok := strings.Cut(text, "\x1b[")
		if !ok {
			return text
		}
		_, rest, _ = strings.Cut(rest, "m")
		text = before + rest
	}
}

// In JSON, marks are members of their own.
func TestJSONOptions(t *testing.T) {
	for name, c := range map[string]struct {
		options render.Options
		want    []string
		not     []string
	}{
		"plain":    {render.Options{}, []string{`"size": 2`}, []string{"//", "main.tf", "history"}},
		"marked":   {render.Options{Annotate: true}, []string{`"//"`, "override.tf:2", "was 1"}, nil},
		"redacted": {render.Options{Annotate: true, Redact: true}, []string{"(redacted)"}, []string{"was 1"}},
	} {
		document, diags, err := render.JSON(mergetest.Archive(t, shop), c.options)
		if err != nil || len(diags) > 0 {
			t.Fatal(err, diags)
		}
		var out strings.Builder
		if err := document.Write(&out); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %s in\n%s", name, want, &out)
			}
		}
		for _, not := range c.not {
			if strings.Contains(out.String(), not) {
				t.Errorf("%s: %s is in\n%s", name, not, &out)
			}
		}
	}
}
