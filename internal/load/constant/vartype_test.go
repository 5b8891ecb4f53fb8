package constant

import (
	"cmp"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func block(t *testing.T, body string, role source.Role) *source.Block {
	t.Helper()
	src := []byte("variable \"v\" {\n" + body + "\n}\n")
	parsed, diags := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	f := &source.File{Name: "main.tf", Raw: src, Native: src, Role: role}
	nb := parsed.Body.(*hclsyntax.Body).Blocks[0]
	b, _ := new(source.Builder).For(f).Block(&source.Description{Tree: parse.Outline(nb)}, nil)
	return b
}

func TestDecode(t *testing.T) {
	noType := cty.NilType
	for _, test := range []struct {
		body    string
		role    source.Role
		typ     cty.Type
		value   cty.Value
		summary string // of the error, or ""
	}{
		{"", source.Primary, cty.DynamicPseudoType, cty.NilVal, ""},
		{"", source.Override, noType, cty.NilVal, ""},
		{"type = number\ndefault = \"2\"", source.Primary, cty.Number, cty.NumberIntVal(2), ""},
		{"default = \"2\"", source.Override, noType, cty.StringVal("2"), ""},
		{"type = list", source.Primary, cty.List(cty.DynamicPseudoType), cty.NilVal, ""},
		{"type = map", source.Primary, cty.Map(cty.DynamicPseudoType), cty.NilVal, ""},
		{"type = \"string\"", source.Primary, cty.DynamicPseudoType, cty.NilVal, "Invalid quoted type constraints"},
		{"type = strin", source.Primary, cty.DynamicPseudoType, cty.NilVal, "Invalid type specification"},
		{"type = number\ndefault = \"x\"", source.Primary, cty.Number, cty.DynamicVal, "Invalid default value for variable"},
		{"type = string\ndefault = var.x", source.Primary, cty.String, cty.DynamicVal, "Variables not allowed"},
		{"nullable = false\ndefault = null", source.Primary, cty.DynamicPseudoType, cty.NullVal(cty.DynamicPseudoType), "Invalid default value for variable"},
	} {
		v, diags := DecodeVariable(block(t, test.body, test.role))
		summary := ""
		if len(diags) > 0 {
			summary = diags[0].Summary
		}
		if v.Type != test.typ || summary != test.summary || v.Default == cty.NilVal != (test.value == cty.NilVal) ||
			v.Default != cty.NilVal && !v.Default.RawEquals(test.value) {
			t.Errorf("%q: type %#v, default %#v, %q", test.body, v.Type, v.Default, summary)
		}
	}
}

func TestNullable(t *testing.T) {
	for body, want := range map[string][2]bool{"": {true, false}, "nullable = false": {false, true}, "nullable = true": {true, true}, "nullable = null": {true, false}} {
		if v, _ := DecodeVariable(block(t, body, source.Primary)); v.Nullable != want[0] || v.NullableSet != want[1] {
			t.Errorf("%q: %t, %t", body, v.Nullable, v.NullableSet)
		}
	}
}

// The defaults of optional attributes are filled in before the conversion.
func TestDefaultConverts(t *testing.T) {
	v, diags := DecodeVariable(block(t, "type = object({ a = optional(number, 1) })\ndefault = {}", source.Primary))
	if want := cty.ObjectVal(map[string]cty.Value{"a": cty.NumberIntVal(1)}); diags.HasErrors() || !v.Default.RawEquals(want) {
		t.Errorf("%#v (%s)", v.Default, diags)
	}
	if _, _, diags := StrictType(block(t, "type = list", source.Primary).Attr("type")); !diags.HasErrors() {
		t.Error("the strict form takes list without a type of elements")
	}
}

// The arguments of a variable may be of several blocks. A default that doesn't suit one of another
// block names its position.
func TestWholeVariable(t *testing.T) {
	for _, test := range []struct{ base, override, detail string }{
		{"type = string\ndefault = \"1\"", "type = number", ""},
		{"type = string\ndefault = \"a\"", "type = number", "This default doesn't fit the variable's type at main.tf:2: a number is required."},
		{"default = null", "nullable = false", "The default can't be null because nullable is false at main.tf:2. Set another default, or remove nullable."},
	} {
		base, override := block(t, test.base, source.Primary), block(t, test.override, source.Override)
		_, diags := WholeVariable(func(name string) *source.Attr { return cmp.Or(override.Attr(name), base.Attr(name)) })
		detail := ""
		if len(diags) > 0 {
			detail = diags[0].Detail
		}
		if detail != test.detail {
			t.Errorf("%q, %q: %q, want %q", test.base, test.override, detail, test.detail)
		}
	}
}

// Any default fits a type from a symbol library, whose files aren't read. The rest of the type is
// judged.
func TestSymbolTypes(t *testing.T) {
	for body, summary := range map[string]string{
		"type = symbols::tax::rate()\ndefault = 1":                                    "",
		"type = list(object({ a = optional(symbols::tax::rate(), 1) }))\ndefault = 1": "",
		"type = object({ a = symbols::tax::rate(\n), b = strin })":                    "Invalid type specification",
		"type = symbols::rate()":                                                      "Invalid type specification",
		"type = number\ndefault = \"symbols::tax::rate()\"":                           "Invalid default value for variable",
	} {
		b := block(t, body, source.Primary)
		b.File.Engine = engine.Release{Product: engine.OpenTofu, Version: "1.13.0-beta1"}
		_, diags := DecodeVariable(b)
		got := ""
		if len(diags) > 0 {
			got = diags[0].Summary
		}
		if got != summary {
			t.Errorf("%q: %q, want %q", body, got, summary)
		}
		b.File.Engine.Version = "1.12.6"
		if _, diags := DecodeVariable(b); !diags.HasErrors() {
			t.Errorf("an earlier release takes %q", body)
		}
	}
}
