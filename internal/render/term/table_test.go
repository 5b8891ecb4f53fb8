package term

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

func exampleTable() *table {
	return &table{Indent: "  ", Hang: "    ", Rows: []row{
		{Cells: []cell{{Text: "replaces"}, {Text: "aws_instance.web.user_data"}}, Value: cell{Text: "\"a long one\""}, Text: cell{Text: "by a file that sets it again"}},
		{Cells: []cell{{Text: "adds"}, {Text: "local.漢字"}}, Value: cell{Text: "true"}},
		{Cells: []cell{{Text: "adds"}, {Text: "local.b"}}, Below: []string{"b"}},
		{Cells: []cell{{Text: "adds"}, {Text: "local.c"}}, Value: cell{Text: "1"}, Text: cell{Text: "again"}},
	}}
}

// Rows are lines in a pipe. On a terminal a value that leaves no room for the text stands below its row,
// and the columns of the other rows stay; then a long text continues below itself, or stands below the
// row; and names are broken last.
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
      b
  adds      local.c                     1             again
`},
		{90, true, `
  replaces  aws_instance.web.user_data  "a long one"  by a file that sets it again
  adds      local.漢字                  true
  adds      local.b
      b
  adds      local.c                     1             again
`},
		{75, true, `
  replaces  aws_instance.web.user_data  by a file that sets it again
      "a long one"
  adds      local.漢字                  true
  adds      local.b
      b
  adds      local.c                     1  again
`},
		{60, true, `
  replaces  aws_instance.web.user_data
      by a file that sets it again
      "a long one"
  adds      local.漢字  true
  adds      local.b
      b
  adds      local.c     1  again
`},
		{30, true, `
  replaces  aws_instance.web.u
              ser_data
      by a file that sets it
      again
      "a long one"
  adds  local.漢字  true
  adds  local.b
      b
  adds  local.c  1  again
`},
	} {
		var out strings.Builder
		table := exampleTable()
		table.Screen = screen.Screen{Width: test.width, IsTerminal: test.isTerminal}
		table.write(&out)
		if diff := cmp.Diff(test.want, "\n"+out.String()); diff != "" {
			t.Errorf("%d columns, terminal %v (-want +got):\n%s", test.width, test.isTerminal, diff)
		}
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
		loadtest.Linear(t, text, 8<<10, func(size int) {
			if got := fold(strings.Repeat(text, size/len(text)), screen.Screen{IsTerminal: true}, 80, "  "); len(got) < size/300 {
				t.Errorf("%d lines", len(got))
			}
		})
	}
}
