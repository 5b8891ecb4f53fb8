package term

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

func exampleTable() *table {
	return &table{
		Indent:  "  ",
		Columns: []column{{Width: 8, Min: 8}, {Width: 26, Min: 18, Middle: true}, {Width: 12, Min: 5}},
		Rows: [][]cell{
			{{Text: "replaces"}, {Text: "aws_instance.web.user_data"}, {Text: "\"a long one\""}, {Text: "by a file that sets it again"}},
			{{Text: "adds"}, {Text: "local.漢字"}, {Text: "true"}, {}},
			{{Text: "adds"}, {Text: "local.b"}, {}, {}},
		},
	}
}

// Rows are lines in a pipe. On a terminal the text continues below itself; values are shortened
// first, then names; and if that is not enough, cells get separate lines.
func TestTable(t *testing.T) {
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
		exampleTable().write(&out, screen.Screen{Width: test.width, IsTerminal: test.isTerminal})
		if diff := cmp.Diff(test.want, "\n"+out.String()); diff != "" {
			t.Errorf("%d columns, terminal %v (-want +got):\n%s", test.width, test.isTerminal, diff)
		}
	}
}

// A text to be kept is on a separate line if it would break.
func TestTableKeepsText(t *testing.T) {
	kept := exampleTable()
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
		kept.write(&out, screen.Screen{Width: width, IsTerminal: true})
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
	whole := &table{
		Indent:  "  ",
		Columns: []column{{Width: 1, Min: 1}, {Width: 47, IsWhole: true}},
		Rows: [][]cell{
			{{Text: "~"}, {Text: "local.漢字"}, {Text: "replaces one that was there before it"}},
			{{Text: "~"}, {Text: "aws_autoscaling_group.workers.name"}, {}},
			{{Text: "~"}, {Text: "aws_autoscaling_group.workers.launch_template.id"}, {Text: "replaces one that was there before it"}},
		},
	}
	var out strings.Builder
	whole.write(&out, screen.Screen{Width: 50, IsTerminal: true})
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

// A value is broken on a terminal wherever it must be, and keeps its characters.
func TestFold(t *testing.T) {
	s := screen.Screen{Width: 12, IsTerminal: true}
	for _, test := range []struct{ name, text, want string }{
		{"fits", "twelve signs", "twelve signs"},
		{"blanks", `"one two three four"`, "\"one two|  three|  four\""},
		{"indented", "  a = bcd efghij", "  a = bcd|    efghij"},
		{"path", `"arn:aws:iam::12/ab"`, "\"arn:aws:|  iam::12/|  ab\""},
		{"long word", "abcdefghijklmnopqrstuvwxyz", "abcdefghijkl|  mnopqrstuv|  wxyz"},
		{"wide characters", "漢字漢字漢字漢字", "漢字漢字漢字|  漢字"},
		{"empty", "", ""},
	} {
		if got := strings.Join(fold(test.text, s, 12, "  "), "|"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if got := fold("one two three four", screen.Screen{Width: 12}, 12, "  "); len(got) != 1 {
		t.Errorf("without a terminal: %q", got)
	}
}

func TestFoldIsLinear(t *testing.T) {
	for _, text := range []string{"a ", "a", "漢"} {
		loadtest.Linear(t, text, 64<<10, func(size int) {
			if got := fold(strings.Repeat(text, size/len(text)), screen.Screen{IsTerminal: true}, 80, "  "); len(got) < size/300 {
				t.Errorf("%d lines", len(got))
			}
		})
	}
}
