package limits

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Of very many errors in a constant the first are reported, and how many there are. Up to that number
// each is.
func TestFirstErrors(t *testing.T) {
	for count, want := range map[int]int{2: 2, maxErrors: maxErrors, maxErrors + 1: maxErrors + 1, 3 * maxErrors: maxErrors + 1} {
		expr, _ := hclsyntax.ParseExpression([]byte(`"`+strings.Repeat("${a} ", count)+`"`), "", hcl.InitialPos)
		_, diags := Evaluate(expr)
		if len(diags) != want {
			t.Errorf("%d errors are reported of %d, want %d", len(diags), count, want)
		}
		if diags[0].Expression != nil {
			t.Error("an error keeps the expression in memory")
		}
		last := diags[len(diags)-1]
		if isSummary := last.Summary == "Too many errors"; isSummary != (count > maxErrors) {
			t.Errorf("the last of %d is %q", count, last.Summary)
		}
	}
}

// Text that can't be parsed safely is refused with the reason, and other text is parsed.
func TestRefusals(t *testing.T) {
	deep, long := strings.Repeat("[", MaxDepth+1), strings.Repeat("1", MaxDigits+1)
	for text, want := range map[string]string{deep: "Nesting too deep", long: "Number too long", "1 + 2": "", strings.Repeat("1", MaxDigits): ""} {
		body, diags := Parse([]byte("a = "+text+"\n"), "main.tf")
		if got := summaryOf(diags); got != want || (body == nil) != (want != "") {
			t.Errorf("%.9s in a file: %q, want %q", text, got, want)
		}
		for _, diags := range []hcl.Diagnostics{CheckText([]byte(text), ""), CheckTemplate([]byte("${" + text))} {
			if got := summaryOf(diags); got != want {
				t.Errorf("%.9s in an expression or a template: %q, want %q", text, got, want)
			}
		}
	}
}

func summaryOf(diags hcl.Diagnostics) string {
	if len(diags) == 0 {
		return ""
	}
	return diags[0].Summary
}

// A value gets the defaults of optional attributes, unless these multiply.
func TestConvertWithDefaults(t *testing.T) {
	typ, defaults, diags := typeexpr.TypeConstraintWithDefaults(parsed(t, `list(object({ a = optional(list(string), ["b", "c"]) }))`))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	objects := func(n int) cty.Value { return cty.TupleVal(slices.Repeat([]cty.Value{cty.EmptyObjectVal}, n)) }
	made, err := ConvertWithDefaults(objects(2), typ, defaults)
	if err != nil || made.Index(cty.NumberIntVal(1)).GetAttr("a").LengthInt() != 2 {
		t.Errorf("%#v, %v", made, err)
	}
	if made, err := ConvertWithDefaults(cty.NullVal(cty.DynamicPseudoType), typ, defaults); err != nil || !made.IsNull() {
		t.Errorf("null becomes %#v, %v", made, err)
	}
	if _, err := ConvertWithDefaults(objects(freeParts*workPer/3+1), typ, defaults); !errors.Is(err, ErrCostly) {
		t.Errorf("too many defaults: %v", err)
	}
}
