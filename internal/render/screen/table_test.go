package screen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func table() *Table {
	return &Table{
		Indent:  "  ",
		Columns: []Column{{Width: 8, Min: 8}, {Width: 26, Min: 18, Middle: true}, {Width: 12, Min: 5}},
		Rows: [][]Cell{
			{{Text: "replaces"}, {Text: "aws_instance.web.user_data"}, {Text: "\"a long one\""}, {Text: "by a file that sets it again"}},
			{{Text: "adds"}, {Text: "local.漢字"}, {Text: "true"}, {}},
			{{Text: "adds"}, {Text: "local.b"}, {}, {}},
		},
	}
}

// Rows are lines in a pipe. On a terminal the text continues below itself; values are shortened
// first, then names; and if that is not enough, cells get separate lines.
func TestWriteTable(t *testing.T) {
	for _, test := range []struct {
		width      int
		isTerminal bool
		want       string
	}{
		{20, false, `
  replaces  aws_instance.web.user_data  "a long one"  by a file that sets it again
  adds      local.漢字                    true
  adds      local.b
`},
		{90, true, `
  replaces  aws_instance.web.user_data  "a long one"  by a file that sets it again
  adds      local.漢字                  true
  adds      local.b
`},
		{75, true, `
  replaces  aws_instance.web.user_data  "a l…  by a file that sets it again
  adds      local.漢字                  true
  adds      local.b
`},
		{65, true, `
  replaces  aws_instance.web.user_data  "a l…  by a file that
                                               sets it again
  adds      local.漢字                  true
  adds      local.b
`},
		{60, true, `
  replaces  aws_ins…e.web.user_data  "a l…  by a file that
                                            sets it again
  adds      local.漢字               true
  adds      local.b
`},
		{38, true, `
  replaces  aws_instance.web.user_data
      "a long one"
      by a file that sets it again
  adds      local.漢字          true
  adds      local.b
`},
		{30, true, `
  replaces
      aws_ins…ce.web.user_data
      "a long one"
      by a file that sets it
      again
  adds      local.漢字
      true
  adds      local.b
`},
	} {
		var out strings.Builder
		Screen{Width: test.width, IsTerminal: test.isTerminal}.WriteTable(&out, table())
		if diff := cmp.Diff(test.want, "\n"+out.String()); diff != "" {
			t.Errorf("%d columns, terminal %v (-want +got):\n%s", test.width, test.isTerminal, diff)
		}
	}
}

// A text to be kept is on a separate line if it would break.
func TestTableKeepsText(t *testing.T) {
	kept := table()
	kept.KeepsText = true
	for width, want := range map[int]string{
		75: `
  replaces  aws_instance.web.user_data  "a l…  by a file that sets it again
  adds      local.漢字                  true
  adds      local.b
`,
		65: `
  replaces  aws_instance.web.user_data  "a long one"
      by a file that sets it again
  adds      local.漢字                  true
  adds      local.b
`,
	} {
		var out strings.Builder
		Screen{Width: width, IsTerminal: true}.WriteTable(&out, kept)
		if diff := cmp.Diff(want, "\n"+out.String()); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, diff)
		}
	}
}

func TestCutMiddle(t *testing.T) {
	for text, want := range map[string]string{"abcdefghij": "abcdefghij", "abcdefghijk": "abc…fghijk", "漢字漢字漢字": "漢…字漢字"} {
		if got := cutMiddle(text, 10); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}

// A cell that is whole is never shortened. The text is written below it if it is too long.
func TestTableKeepsCellsWhole(t *testing.T) {
	whole := &Table{
		Indent:  "  ",
		Columns: []Column{{Width: 1, Min: 1}, {Width: 47, IsWhole: true}},
		Rows: [][]Cell{
			{{Text: "~"}, {Text: "local.漢字"}, {Text: "replaces one that was there before it"}},
			{{Text: "~"}, {Text: "aws_autoscaling_group.workers.name"}, {}},
			{{Text: "~"}, {Text: "aws_autoscaling_group.workers.launch_template.id"}, {Text: "replaces one that was there before it"}},
		},
	}
	var out strings.Builder
	Screen{Width: 50, IsTerminal: true}.WriteTable(&out, whole)
	want := `
  ~  local.漢字  replaces one that was there
                 before it
  ~  aws_autoscaling_group.workers.name
  ~  aws_autoscaling_group.workers.launch_template.id
       replaces one that was there before it
`
	if diff := cmp.Diff(want, "\n"+out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
