package layout

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

func TestFormat(t *testing.T) {
	for text, want := range map[string]string{
		"a  =  1\nbb=2\n": "a  = 1\nbb = 2\n",
		"a   = 1 #c\n":    "a = 1 #c\n",
		"a = 0 .0\n":      "a = 0 .0\n", // hclwrite would write 0.0, a number
		"":                "",
	} {
		if got := string(Format([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Align makes the same columns as the formatter.
func TestAlign(t *testing.T) {
	lines := []struct{ name, value string }{
		{"a", "1"}, {"bbb", "2"}, {"c", "[\n    1,\n  ]"}, {"dd", "3"}, {"é", "4"}, {"eeee", "<<EOT\nx\nEOT"}, {"f", "5"},
	}
	columns := make([]Column, len(lines))
	for i, l := range lines {
		columns[i] = Column{Name: l.name, Single: IsInColumn([]byte(l.value))}
	}
	Align(len(lines), func(i int) *Column { return &columns[i] })
	plain, aligned := "x {\n", "x {\n"
	for i, l := range lines {
		plain += "  " + l.name + " = " + l.value + "\n"
		blanks := ""
		for range columns[i].Padding {
			blanks += " "
		}
		aligned += "  " + l.name + blanks + " = " + l.value + "\n"
	}
	if diff := cmp.Diff(string(hclwrite.Format([]byte(plain+"}\n"))), aligned+"}\n"); diff != "" {
		t.Errorf("(-formatter +got):\n%s", diff)
	}
}
