package limits

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

func parsed(t *testing.T, text string) hcl.Expression {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(text, diags)
	}
	return e
}

// nested puts an expression into itself n times, at the %s of the format.
func nested(n int, format, innermost string) string {
	for i := range n {
		innermost = fmt.Sprintf(strings.ReplaceAll(format, "VAR", fmt.Sprintf("v%d", n-i)), innermost)
	}
	return innermost
}

// Each of these would take gigabytes or minutes; that they are refused at once is
// what lets this test end.
func TestCostlyConstants(t *testing.T) {
	for name, text := range map[string]string{
		"for in for":      nested(30, "[for VAR in [1, 2, 3]: %s]", "1"),
		"object for":      nested(30, "{for VAR in [\"a\", \"b\"]: VAR => %s}", "1"),
		"grouped":         nested(30, "{for VAR in [1, 2, 3]: \"a\" => %s...}", "1"),
		"texts double":    nested(60, "[for v in [\"${v}${v}\"]: %s][0]", "v") + " == [for v in [\"xx\"]: v]",
		"doubling":        "[for v in [\"xxxxxxxx\"]: " + nested(40, "[for v in [\"${v}${v}\"]: %s]", "v") + "]",
		"lists double":    "[for v in [[1]]: " + nested(40, "[for v in [[v, v]]: %s]", "v") + "]",
		"splat":           nested(30, "[for VAR in [[1, 2], [3, 4]]: %s][*]", "1"),
		"condition":       nested(30, "[for VAR in [1, 2, 3]: true ? %s : null]", "1"),
		"template for":    nested(20, "\"%%{ for VAR in [1, 2, 3, 4] }${%s}%%{ endfor }\"", "1"),
		"vast in text":    `"a${1e9999999}"`,
		"vast key":        `{(1e9999999) = 1}`,
		"vast sum":        `1e600000000 + 1`,
		"vast product":    nested(40, "%s * 1e9999", "1e9999"),
		"vast modulo":     `1e600000000 %% 3`,
		"vast from text":  `"1e600000000" + 1`,
		"built text":      `"${"1e6"}00000000" + 1`,
		"vast compared":   `"1e600000000" < 1`,
		"vast or text":    `true ? 1e9999999 : "a"`,
		"vast index":      `{}[1e9999999]`,
		"vast step":       `[for v in [{}]: v[1e9999999]]`,
		"infinite":        `1e999999999 - 1e999999999`,
		"vast negated":    `-"1e600000000"`,
		"long number":     `-"` + strings.Repeat("1", 20000) + `"`,
		"argument":        "optional(string, " + nested(30, "[for VAR in [1, 2, 3]: %s]", "1") + ")",
		"many times many": "[for a in [" + strings.Repeat("1,", 3000) + "]: [for b in [" + strings.Repeat("1,", 3000) + "]: a + b]]",
	} {
		text = strings.ReplaceAll(text, "%%", "%")
		if _, diags := Evaluate(parsed(t, text)); len(diags) != 1 || diags[0].Summary != "Constant too large" {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

// Constants that people write are computed, whatever their size.
func TestFairConstants(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`1e9999999`, `[-1e9999999, {a = 1e9999999}]`, `1e300 * 1e300`, `"${1e300}"`, `"1" + 1`, `true ? "a" : 1`,
		`[for a in ["x", "y"]: {for b in [1, 2, 3]: "${a}-${b}" => [for c in [a, b]: "${c}/${a}"]}]`,
		`{for k, v in {a = [1, 2], b = [3]}: k => v[*]...}`,
		`[for v in [{a = {b = [1, 2]}}]: v.a.b[0]]`,
		"[for s in [" + strings.Repeat(`"subnet-0123456789abcdef0", `, 2000) + `]: "${s}/24"]`,
		`"` + strings.Repeat("x", 500_000) + `${1}"`,
		"[" + strings.Repeat(`"${1}", `, 20_000) + "]",
	} {
		if _, diags := Evaluate(parsed(t, text)); diags.HasErrors() {
			t.Errorf("%.80s: %s", text, diags)
		}
	}
}

// Conversions that are quadratic in the number of elements, or in the digits of a vast number, are
// refused; others give the library's results.
func TestCostlyConversions(t *testing.T) {
	t.Parallel()
	vast, _ := cty.ParseNumberVal("1e9999999")
	mixed := make([]cty.Value, maxEntries+2)
	alike := make([]cty.Value, len(mixed))
	objects := make([]cty.Value, len(mixed))
	for i := range mixed {
		mixed[i] = []cty.Value{cty.True, cty.StringVal("a"), cty.Zero}[i%3]
		alike[i] = cty.NumberIntVal(int64(i))
		objects[i] = cty.ObjectVal(map[string]cty.Value{"a": alike[i]})
	}
	for name, c := range map[string]struct {
		v    cty.Value
		t    cty.Type
		fair bool
	}{
		"vast to string":         {vast, cty.String, false},
		"vast to set":            {cty.TupleVal([]cty.Value{vast}), cty.Set(cty.Number), false},
		"vast beside a text":     {cty.TupleVal([]cty.Value{vast, cty.StringVal("a")}), cty.List(cty.DynamicPseudoType), false},
		"vast inside":            {cty.ObjectVal(map[string]cty.Value{"a": vast}), cty.Object(map[string]cty.Type{"a": cty.String}), false},
		"vast to number":         {vast, cty.Number, true},
		"vast to list of number": {cty.TupleVal([]cty.Value{vast}), cty.List(cty.Number), true},
		"long text to number":    {cty.StringVal(strings.Repeat("1", 1_000_000)), cty.Number, false},
		"long text":              {cty.StringVal(strings.Repeat("1", 1_000_000)), cty.String, true},
		"mixed":                  {cty.TupleVal(mixed), cty.List(cty.DynamicPseudoType), false},
		"mixed to strings":       {cty.TupleVal(mixed), cty.List(cty.String), true},
		"objects":                {cty.TupleVal(objects), cty.List(cty.DynamicPseudoType), true},
		"named objects":          {cty.TupleVal(objects), cty.List(objects[0].Type()), true},
		"alike":                  {cty.TupleVal(alike), cty.List(cty.DynamicPseudoType), true},
	} {
		if _, err := Convert(c.v, c.t); (err == nil) != c.fair {
			t.Errorf("%s: %v", name, err)
		}
	}
}
