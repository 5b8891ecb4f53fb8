package constant

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// attr is an argument with a value.
func attr(t *testing.T, value string) *source.Attr {
	t.Helper()
	src := []byte("b {\n  a = " + value + "\n}\n")
	parsed, diags := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	f := &source.File{Name: "main.tf", Raw: src, Native: src}
	nb := parsed.Body.(*hclsyntax.Body).Blocks[0]
	b, _ := new(source.Builder).For(f).Block(&source.Description{Tree: parse.Outline(nb)}, nil)
	return b.Attr("a")
}

func TestConvert(t *testing.T) {
	for _, test := range []struct {
		value string
		to    cty.Type
		want  cty.Value // NilVal if the value is refused
	}{
		{`"x"`, cty.String, cty.StringVal("x")},
		{`1 + 1`, cty.String, cty.StringVal("2")},
		{`"true"`, cty.Bool, cty.True},
		{`null`, cty.Bool, cty.NilVal},
		{`"yes"`, cty.Bool, cty.NilVal},
		{`[1]`, cty.String, cty.NilVal},
		{`var.x`, cty.String, cty.NilVal},
	} {
		got, diags := Convert(attr(t, test.value), test.to)
		switch {
		case test.want == cty.NilVal && !diags.HasErrors():
			t.Errorf("%s as %s is accepted", test.value, test.to.FriendlyName())
		case test.want != cty.NilVal && (diags.HasErrors() || !got.RawEquals(test.want)):
			t.Errorf("%s as %s is %#v (%s)", test.value, test.to.FriendlyName(), got, diags)
		}
	}
}

func TestString(t *testing.T) {
	for value, want := range map[string]string{`"x"`: "x", `"${"x"}y"`: "xy", "12": "12", "null": "", "var.x": "", "[]": ""} {
		got, ok := String(attr(t, value))
		if got != want || ok != (want != "") {
			t.Errorf("%s is %q, %t", value, got, ok)
		}
	}
}

func TestValue(t *testing.T) {
	for value, want := range map[string]bool{`"x"`: true, "null": true, "[1, true]": true, "var.x": false, "[var.x]": false, "f()": false} {
		if v, ok := Value(attr(t, value)); ok != want {
			t.Errorf("%s is %#v, %t", value, v, ok)
		}
	}
}

func TestKeyword(t *testing.T) {
	for value, want := range map[string]string{"all": "all", `"all"`: "all", "a.b": "", `"a b"`: "", `"${var.x}"`: "", "1": ""} {
		if got := Keyword(attr(t, value).Expr()); got != want {
			t.Errorf("%s is the keyword %q", value, got)
		}
	}
}

// Quotes are taken away only if they mean nothing.
func TestBare(t *testing.T) {
	for _, test := range []struct {
		value     string
		hasQuotes bool
		want      string // the text of the expression
	}{
		{"((a.b))", false, "a.b"},
		{`"${(a.b)}"`, false, "a.b"},
		{`"a.b"`, true, "a.b"},
		{`"a.b"`, false, `"a.b"`},
		{`"a b"`, true, `"a b"`},
		{`"x${a.b}"`, true, `"x${a.b}"`},
	} {
		a := attr(t, test.value)
		if at := Bare(a.Expr(), test.hasQuotes).Range(); string(at.SliceBytes(a.File.Native)) != test.want {
			t.Errorf("%s is %s", test.value, at.SliceBytes(a.File.Native))
		}
	}
}
