package render

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/zclconf/go-cty/cty"
)

func TestGlob(t *testing.T) {
	for _, test := range []struct {
		glob, address string
		want          bool
	}{
		{"aws_instance.web", "aws_instance.web", true},
		{"aws_instance.*", "aws_instance.web", true},
		{"aws_*.w?b", "aws_instance.web", true},
		{"aws_instance", "aws_instance.web", false},
		{"*", "aws_instance.web", false},
		{"**", "aws_instance.web.lifecycle", true},
		{"data.**", "data.aws_ami.x", true},
		{"**.web", "module.web", true},
		{"variable.size", "var.size", true},
		{"x.y[0]", "x.y[0]", true},
		{"x.[xy]", "x.y", false},
		{"x.é?", "x.éü", true},
	} {
		g, err := ParseGlob(test.glob)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Match(test.address); got != test.want {
			t.Errorf("%q matches %q: %v, want %v", test.glob, test.address, got, test.want)
		}
	}
	if _, err := ParseGlob("a..b"); err == nil {
		t.Error("an empty segment is accepted")
	}
}

func TestRelocate(t *testing.T) {
	for _, test := range []struct{ text, from, to, eol, want string }{
		{"a = 1", "  ", "\t", "\n", "a = 1"},
		{"a = {\n    b = 1\n  }", "  ", "\t", "\n", "a = {\n\t  b = 1\n\t}"},
		{"a = {\n}", "", "  ", "\r\n", "a = {\r\n  }"},
		{"a = {\r\n}", "", "  ", "\n", "a = {\n  }"},
		{"a = <<E\nx\nE", "", "    ", "\r\n", "a = <<E\nx\nE"},
		{"a = [<<E\n x\nE\n]", "", "  ", "\r\n", "a = [<<E\n x\nE\r\n  ]"},
	} {
		if got := relocate([]byte(test.text), test.from, test.to, test.eol); got != test.want {
			t.Errorf("relocate(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func TestSplice(t *testing.T) {
	src := []byte("0123456789")
	got := string(splice(src, 1, 9, []edit{{6, 8, ""}, {3, 3, "a"}, {3, 4, "b"}, {7, 9, ""}}))
	if want := "12ab45"; got != want {
		t.Errorf("splice = %q, want %q", got, want)
	}
}

func TestPrintable(t *testing.T) {
	if got, want := Printable("a\x1b[31m\tb\u202e\nü"), `a\x1b[31m b\u202e`+"\nü"; got != want {
		t.Errorf("Printable = %q, want %q", got, want)
	}
}

func TestMarked(t *testing.T) {
	text, mark := marked([]byte("  a = \"\x07ü\""), 6, 5)
	if want := `  a = "\aü"`; text != want {
		t.Errorf("text %q, want %q", text, want)
	}
	if want := "      ^^^^^"; mark != want {
		t.Errorf("mark %q, want %q", mark, want)
	}
}

func TestConceal(t *testing.T) {
	line := []byte(`ab"secret"cd`)
	for _, test := range []struct {
		name               string
		at, length         int
		wantText, wantMark string
	}{
		{"before", 0, 2, `ab(sensitive value)cd`, `^^`},
		{"inside", 4, 2, `ab(sensitive value)cd`, `  ^^^^^^^^^^^^^^^^^`},
		{"across", 1, 11, `ab(sensitive value)cd`, ` ^^^^^^^^^^^^^^^^^^^^`},
		{"behind", 10, 2, `ab(sensitive value)cd`, `                   ^^`},
	} {
		text, mark := marked(conceal(line, test.at, test.length, [][2]int{{102, 110}}, 100))
		if text != test.wantText || mark != test.wantMark {
			t.Errorf("%s:\n%s\n%s", test.name, text, mark)
		}
	}
}

func TestLiteralText(t *testing.T) {
	v := cty.ObjectVal(map[string]cty.Value{"b": cty.ListVal([]cty.Value{cty.True}), "a b": cty.StringVal("${x}")})
	want := "{\n  \"a b\" = \"$${x}\"\n  b     = [true]\n}"
	if got := string(literalText(&computed.Literal{Value: v})); got != want {
		t.Errorf("literal %q, want %q", got, want)
	}
}
