package annotate_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Each case is a module, its effective configuration with marks, and the diagnostics. The marks are
// the only addition to the output without them.
func TestMarked(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatal(diags)
		}
		marks := &annotate.Annotator{Words: wordsFor(m), Screen: screen.Plain(), Lines: map[string]bool{}}
		marked, doubts := text(t, m, marks)
		plain, _ := text(t, m, nil)
		if diff := cmp.Diff(parts(plain), parts(marked)); diff != "" {
			t.Errorf("without the marks (-plain +marked):\n%s", diff)
		}
		colored := painted(marked, marks)
		if diff := cmp.Diff(marked, colors.ReplaceAllString(colored, "")); diff != "" || marked != plain && marked == colored {
			t.Errorf("in colour (-plain +coloured):\n%s", diff)
		}
		return map[string]string{"tf": marked, "names": named(m), "messages": loadtest.Messages(append(diags, doubts...))}
	})
}

// painted is a text in which marks are coloured.
func painted(text string, marks *annotate.Annotator) string {
	return string(screen.Painter{Palette: screen.NewPalette(true), Marks: marks.Lines, OnlyMarks: true}.Paint([]byte(text)))
}

// named are the marks by their names, as formats without comments have them: a line for each block
// that has some, and one for each mark.
func named(m *merge.Module) string {
	words := wordsFor(m)
	var out strings.Builder
	for _, f := range plan.Arrange(m) {
		for _, b := range f.All() {
			if b.Item != nil {
				for _, mark := range words.Addition(b.Entry, b.Item.(*source.Attr)) {
					fmt.Fprintf(&out, "%s: %s\n", mark.Name, mark.Text)
				}
				continue
			}
			marks, added := words.Block(b.Content, b.Source, nil)
			for _, mark := range marks {
				fmt.Fprintf(&out, "%s %s: %s\n", strings.Join(append([]string{b.Source.Type}, b.Source.Labels...), "."), mark.Name, mark.Text)
			}
			if (added != nil) != slices.ContainsFunc(marks, func(n annotate.NamedMark) bool { return n.Name == annotate.Self }) {
				out.WriteString("  the block itself is added without a mark\n")
			}
		}
	}
	return out.String()
}

func wordsFor(m *merge.Module) annotate.Words {
	return annotate.Words{Redactor: wording.NewRedactor(m.Source, false), Merged: m}
}

func text(t *testing.T, m *merge.Module, marks *annotate.Annotator) (string, hcl.Diagnostics) {
	t.Helper()
	printed, diags := native.New(m, plan.Selection{}, marks)
	var out strings.Builder
	if err := printed.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String(), diags
}

// isMark matches comments that are marks, or the second line of one.
var isMark = regexp.MustCompile(`^# (override|added|replaced|merged|no effect): |^#   dropped: `)

// colors are the sequences that colour text.
var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// parts are the tokens of a text, but for line ends and marks.
func parts(text string) []string {
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
	var list []string
	for _, token := range tokens {
		word := strings.TrimRight(string(token.Bytes), "\r\n")
		isComment := token.Type == hclsyntax.TokenComment
		if word != "" && !(isComment && isMark.MatchString(word)) {
			list = append(list, word)
		}
	}
	return list
}

// On a terminal, marks that don't fit stand above their line and continue on further lines, so
// nothing of the earlier value is cut off.
func TestMarkedOnTerminal(t *testing.T) {
	src, diags := loadtest.Files(t, map[string][]byte{
		"main.tf": []byte(`resource "shop_till" "day" {
  colour = "a bright red that everybody sees"
  size   = 1
}
`),
		"override.tf": []byte(`resource "shop_till" "day" {
  colour = "blue"
  size   = 2
}
`),
	}, load.Options{})
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(diags)
	}
	marks := &annotate.Annotator{Words: wordsFor(m), Screen: screen.Screen{Width: 64, IsTerminal: true}, Lines: map[string]bool{}}
	marked, _ := text(t, m, marks)
	got := painted(marked, marks)
	want := strings.NewReplacer("<", "\x1b[2m", ">", "\x1b[22m", "{o", "\x1b[33mo", "e}", "e\x1b[0m").Replace(`resource "shop_till" "day" {
  <# >{override}<: override.tf:2 (was>
  <#   "a bright red that everybody sees" at main.tf:2)>
  colour = "blue"
  size   = 2 <# >{override}<: override.tf:3 (was 1 at main.tf:3)>
}
`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
