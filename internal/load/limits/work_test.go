package limits

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The estimated cost of a constant, part by part: one step for each part of the expression, the
// cost of making a text or a key, and a loop's body as often as it may run. No input of a few bytes
// shows these separately.
func TestWork(t *testing.T) {
	for _, c := range []struct {
		text string
		work int64
		size int64 // of the value, its parts and the bytes of texts
		of   int64 // elements of the value
		wide int64 // digits of its numbers
	}{
		{`1`, 1, 1, 0, 0},
		{`true`, 1, 1, 0, 0},
		{`null`, 1, 1, 0, 0},
		{`"abcd"`, 8, 6, 0, 0},
		{`"${1}"`, 2, 1, 0, 0},
		{`(1)`, 2, 1, 0, 0},
		{`-1`, 2, 1, 0, 0},
		{`!true`, 2, 1, 0, 0},
		{`-"12345"`, 14, 7, 0, 4},
		{`1e99`, 1, 1, 0, 98},
		{`-1e-99`, 2, 1, 0, 98},
		{`1 + 1`, 5, 1, 0, 0},
		{`1e99 * 1e99`, 201, 1, 0, 196},
		{`"12345" + 1`, 23, 1, 0, 4},
		{`"1e99" + 1`, 115, 1, 0, 98},
		{`"abcde" == "abcde"`, 33, 1, 0, 0},
		{`true && false`, 5, 1, 0, 0},
		{`1 < 2`, 5, 1, 0, 0},
		{`["a"] == [1, 2]`, 20, 1, 0, 0},
		{`true ? 1 : "abc"`, 25, 5, 0, 0},
		{`true ? [1] : [1, 2, 3]`, 29, 7, 3, 0},
		{`true ? {a = 1e99} : null`, 215, 4, 1, 98},
		{`[1, "ab", [2, 3]]`, 11, 14, 3, 0},
		{`[1e20, 1e30]`, 3, 5, 2, 30},
		{`{a = 1, "bc" = "de"}`, 17, 13, 2, 0},
		{`{(1e99) = 1}`, 103, 102, 1, 0},
		{`{a = {b = 1}}`, 7, 7, 1, 0},
		{`"a${"bc"}d${1e30}"`, 80, 40, 0, 0},
		{`[for v in [1, 2, 3] : v]`, 98, 7, 3, 0},
		{`[for k, v in {a = "xy", b = "z"} : k]`, 79, 29, 2, 0},
		{`[for k, v in ["xy", "z"] : "${k}"]`, 77, 19, 2, 0},
		{`[for v in ["xy", "z"] : v if v == "z"]`, 103, 11, 2, 0},
		{`{for v in ["xy", "z"] : v => 1}`, 77, 13, 2, 0},
		{`{for v in ["xy", "z"] : v => v...}`, 77, 19, 2, 0},
		{`[for g in {for v in ["xy", "z"] : v => v...} : g]`, 140, 41, 2, 0},
		{`[for v in [1] : [for w in [v, v] : w]]`, 99, 7, 1, 0},
		{`[for v in [[1, 2], [3]] : [for v in v : v]]`, 195, 13, 2, 0},
		{`[for v in [[1, 2], [3]] : v] == [for w in [v] : w]`, 120, 1, 0, 0},
		{`[for v in [1e40] : v]`, 34, 3, 1, 39},
		{`[for v in [] : v]`, 2, 1, 0, 0},
		{`[for k, v in [for v in [1, 2] : v] : "${k}${v}"]`, 149, 19, 2, 0},
		{`[1, 2, 3][*]`, 98, 25, 3, 0},
		{`[{a = "bc"}, {a = "d"}][*].a`, 83, 17, 2, 0},
		{`[["a"], ["b", "c"]][*][0]`, 83, 21, 2, 0},
		{`"a"[*]`, 37, 5, 1, 0},
		{`{a = [1, 2]}["a"]`, 7, 5, 2, 0},
		{`[1, 2][0]`, 4, 1, 0, 0},
		{`{a = 1}[1e30]`, 35, 1, 0, 0},
		{`{a = {b = "cd"}}.a.b`, 13, 4, 0, 0},
		{`[for v in [{a = "bcd"}] : v.a]`, 43, 7, 1, 0},
		{`[for v in [{a = [1e30]}] : v.a[0]]`, 38, 3, 1, 30},
		{`[for v in [{}] : v[1e30]]`, 64, 3, 1, 0},
		{`optional(string, [1, 2])`, 5, 5, 2, 0},
		{`f()`, 1, 1, 0, 0},
		{`var.x`, 1, 1, 0, 0},
		{`var.x[1e30]`, 1, 1, 0, 0},
		{`"%{ for v in ["a", "b"] }${v}%{ endfor }"`, 109, 12, 0, 0},
		{`"%{ if true }ab%{ else }c%{ endif }"`, 31, 5, 0, 0},
		{`[for v in ["a"] : "${v}${v}"]`, 47, 9, 1, 0},
		{`[for v in [for w in ["abcdef"] : w] : v + 1]`, 1099511627776, 3, 1, 1099511627776},
		{`-[for w in ["abcdef"] : w][0]`, 1099511627776, 8, 0, 1099511627776},
		{`"abcd" + 1`, 17, 1, 0, 0},
	} {
		m := measurer{vars: map[string][]*extent{}, items: map[*hclsyntax.AnonSymbolExpr]*extent{}}
		x := m.measure(parsed(t, c.text))
		if m.work != c.work || x.size != c.size || x.count != c.of || x.digits != c.wide {
			t.Errorf("\t\t{`%s`, %d, %d, %d, %d},", c.text, m.work, x.size, x.count, x.digits)
		}
	}
}

// A constant may take some work whatever its text, and more if the text is longer.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		text string
		fair bool
	}{
		{"[for a in [%s0]: [for b in [%s0]: a]]", true},
		{"[for a in [%s0]: [for b in [%s0]: [for c in [0, 0, 0, 0, 0]: c]]]", false},
		{"[for a in [%s0]: [for b in [%s0]: [for c in [0, 0, 0, 0, 0]: c]]] # " + strings.Repeat(" ", 0), false},
	} {
		list := strings.Repeat("0, ", 299)
		text := fmt.Sprintf(c.text, list, list)
		if d := TooCostly(parsed(t, text)); (d == nil) != c.fair {
			t.Errorf("%s: %v", c.text, d)
		}
	}
}

func TestTypeWeight(t *testing.T) {
	for _, c := range []struct {
		text  string
		parts int64
	}{
		{`string`, 1},
		{`list(string)`, 1},
		{`tuple([string, number])`, 3},
		{`object({a = string, b = number})`, 3},
		{`object({a = optional(string)})`, 2},
		{`object({a = optional(string, "a")})`, 3},
		{`object({a = optional(list(string), ["a", "b"])})`, 5},
		{`object({a = optional(list(object({b = optional(list(string), ["c", "d", "e"])})), [{}, {}])})`, 25},
		{`list(f())`, 1},
		{`object({a = optional(string, var.x)})`, 2},
		{`object({a = optional(string, 1e99999)})`, tooMuch},
		{`object({a = optional(number, "${1e9999999}")})`, tooMuch},
		{`tuple([string, optional(list(string), 1e99999), string])`, tooMuch},
		{`object({a = optional(object({b = optional(string, 1e99999)}), {})})`, tooMuch},
	} {
		if parts := typeWeight(parsed(t, c.text)); parts != c.parts {
			t.Errorf("%s: %d, want %d", c.text, parts, c.parts)
		}
	}
}

// Conversions that aren't refused as too much work give the library's results.
func TestConversions(t *testing.T) {
	t.Parallel()
	vast, long := cty.MustParseNumberVal("1e99999"), cty.StringVal(strings.Repeat("1", MaxDigits+1))
	many := func(n int, elem func(i int) cty.Value) cty.Value {
		elems := make([]cty.Value, n)
		for i := range elems {
			elems[i] = elem(i)
		}
		return cty.TupleVal(elems)
	}
	number := func(i int) cty.Value { return cty.NumberIntVal(int64(i)) }
	text := func(i int) cty.Value { return cty.StringVal(fmt.Sprint(i)) }
	mixed := func(i int) cty.Value { return []cty.Value{number(i), cty.StringVal("a")}[i%2] }
	list := func(i int) cty.Value { return cty.TupleVal([]cty.Value{number(i)}) }
	object := func(in ...any) cty.Type {
		attrs := map[string]cty.Type{}
		for i := 0; i < len(in); i += 2 {
			attrs[in[i].(string)] = in[i+1].(cty.Type)
		}
		return cty.Object(attrs)
	}
	one := func(v cty.Value) cty.Value { return cty.TupleVal([]cty.Value{v}) }
	optional := cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": cty.Number, "z": cty.String}, []string{"z"})
	some := func(i int) cty.Value { return cty.ObjectVal(map[string]cty.Value{"a": text(i)}) }
	bad := func(i int) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal([]string{"1", "x"}[i/few])})
	}
	named := func(n int, of func(int) cty.Value) cty.Value {
		attrs := map[string]cty.Value{}
		for i := range n {
			attrs[fmt.Sprint("k", i)] = of(i)
		}
		return cty.ObjectVal(attrs)
	}
	within := func(v cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"a": v}) }
	for _, c := range []struct {
		name string
		v    cty.Value
		t    cty.Type
		fair bool
	}{
		{"vast, any", vast, cty.DynamicPseudoType, true},
		{"null", cty.NullVal(cty.Number), cty.String, true},
		{"vast to bool", vast, cty.Bool, true},
		{"vast in a list of strings", one(vast), cty.List(cty.String), false},
		{"vast in a tuple with a string", one(vast), cty.Tuple([]cty.Type{cty.String}), false},
		{"vast in a tuple", one(vast), cty.Tuple([]cty.Type{cty.Number}), true},
		{"vast in an object with a set", within(one(vast)), object("a", cty.Set(cty.Number)), false},
		{"vast in an object with a list", within(one(vast)), object("a", cty.List(cty.Number)), true},
		{"vast in a list of lists of anything", one(one(vast)), cty.List(cty.List(cty.DynamicPseudoType)), false},
		{"vast in a list of sets", one(one(vast)), cty.List(cty.Set(cty.Number)), false},
		{"vast in a map of numbers", within(vast), cty.Map(cty.Number), true},
		{"vast in a map of strings", within(vast), cty.Map(cty.String), false},
		{"long text in an object with a number", within(long), object("a", cty.Number), false},
		{"long text in an object with a bool", within(long), object("a", cty.Bool), true},
		{"long text in an object with a set of texts", within(one(long)), object("a", cty.Set(cty.String)), true},
		{"long text in a tuple with a number", one(long), cty.Tuple([]cty.Type{cty.Number}), false},
		{"long text in a list of numbers", one(long), cty.List(cty.Number), false},
		{"short enough text", cty.StringVal(strings.Repeat("1", MaxDigits)), cty.Number, true},
		{"long text of few digits", cty.StringVal(strings.Repeat("1", MaxDigits) + "x"), cty.Number, true},
		{"mixed", many(maxUnlike+1, mixed), cty.List(cty.DynamicPseudoType), false},
		{"mixed in a tuple", one(many(maxUnlike+1, mixed)), cty.Tuple([]cty.Type{cty.List(cty.DynamicPseudoType)}), false},
		{"more than the tuple has", cty.TupleVal([]cty.Value{vast, vast}), cty.Tuple([]cty.Type{cty.Number}), true},
		{"mixed in an object", within(many(maxUnlike+1, mixed)), object("a", cty.List(cty.DynamicPseudoType)), false},
		{"mixed where no list is wanted", within(many(maxUnlike+1, mixed)), object("b", cty.List(cty.DynamicPseudoType)), true},
		{"mixed to a set of texts", many(maxUnlike+1, mixed), cty.Set(cty.String), true},
		{"mixed in a list", one(many(maxUnlike+1, mixed)), cty.List(cty.List(cty.DynamicPseudoType)), false},
		{"bad number in many", many(maxUnlike+1, mixed), cty.List(cty.Number), true},
		{"numbers", many(maxUnlike+1, number), cty.List(cty.DynamicPseudoType), true},
		{"texts to numbers", many(maxUnlike+1, text), cty.List(cty.Number), true},
		{"many numbers to a set", many(maxEntries+1, number), cty.Set(cty.Number), true},
		{"many numbers to a set of anything", many(maxEntries+1, number), cty.Set(cty.DynamicPseudoType), false},
		{"lists to lists", many(maxUnlike+1, list), cty.List(cty.List(cty.Number)), true},
		{"lists to lists of anything", many(few+1, list), cty.List(cty.List(cty.DynamicPseudoType)), true},
		{"objects that lack something", many(few+1, some), cty.List(optional), true},
		{"objects that lack something in a list", one(many(few+1, some)), cty.List(cty.List(optional)), true},
		{"objects that lack something in a set", one(many(few+1, some)), cty.Set(cty.List(optional)), true},
		{"objects that lack something in an object", within(many(few+1, some)), object("a", cty.List(optional)), true},
		{"objects that lack something in a tuple", one(many(few+1, some)), cty.Tuple([]cty.Type{cty.List(optional)}), true},
		{"objects that lack what they need", many(few+1, some), cty.List(object("b", cty.Number)), true},
		{"objects of a bad number", many(few+1, bad), cty.List(optional), true},
		{"objects of a bad number in an object", within(many(few+1, bad)), object("a", cty.List(optional)), true},
		{"an object to a map", named(few+1, some), cty.Map(optional), true},
		{"an object to a map of anything", named(few+1, some), cty.Map(cty.DynamicPseudoType), true},
		{"an object of texts to a map", named(few+1, text), cty.Map(cty.Number), true},
		{"an object of nulls to a map", named(few+1, func(int) cty.Value { return cty.NullVal(cty.DynamicPseudoType) }), cty.Map(cty.Number), true},
		{"an object of bad numbers to a map", named(few+1, mixed), cty.Map(cty.Number), true},
		{"many lists to a set", many(maxEntries+1, list), cty.Set(cty.List(cty.Number)), true},
		{"nothing", cty.EmptyTupleVal, cty.List(cty.String), true},
	} {
		got, err := Convert(c.v, c.t)
		if (err != ErrCostly) != c.fair {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !c.fair {
			continue
		}
		want, wantErr := convert.Convert(c.v, c.t)
		if (err == nil) != (wantErr == nil) || err == nil && !isSame(got, want) {
			t.Errorf("%s: %v, want %v", c.name, err, wantErr)
		}
		if err != nil && errorPath(err) != errorPath(wantErr) {
			t.Errorf("%s: %v, want %v", c.name, errorPath(err), errorPath(wantErr))
		}
	}
}

// isSame compares values. Of sets with very many elements, which take long to be sorted,
// only the number.
func isSame(a, b cty.Value) bool {
	if a.Type().IsSetType() && a.LengthInt() > maxEntries {
		return a.Type().Equals(b.Type()) && a.LengthInt() == b.LengthInt()
	}
	return a.RawEquals(b)
}

// errorPath formats a conversion's error with the path in the value.
func errorPath(err error) string {
	if path, ok := err.(cty.PathError); ok {
		return fmt.Sprintf("%#v: %s", path.Path, err)
	}
	return err.Error()
}

// The defaults of optional attributes are weighed for each object that they may fill.
func TestDefaultsWeight(t *testing.T) {
	e := parsed(t, `object({a = optional(list(string), ["b", "c"]), d = optional(object({e = optional(string, "f")}), {})})`)
	_, defaults, diags := typeexpr.TypeConstraintWithDefaults(e)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if got := defaultsWeight(defaults); got != 6 {
		t.Errorf("defaults weigh %d, want 6", got)
	}
	for v, want := range map[string][2]int64{`1`: {1, 0}, `null`: {1, 0}, `[]`: {1, 1}, `["a", {b = [1, 2]}]`: {6, 3}} {
		value, _ := Evaluate(parsed(t, v))
		if s := surveyOf(value, cty.DynamicPseudoType); s.parts != want[0] || s.holders != want[1] {
			t.Errorf("%s has %d parts, %d of them with parts, want %v", v, s.parts, s.holders, want)
		}
	}
}

// Large lists are converted in objects and tuples, too, before the library sees them.
func TestInParts(t *testing.T) {
	elems := make([]cty.Value, few+1)
	for i := range elems {
		elems[i] = cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("1")})
	}
	large, list := cty.TupleVal(elems), cty.List(cty.Object(map[string]cty.Type{"a": cty.Number}))
	for name, c := range map[string]struct {
		v     cty.Value
		t     cty.Type
		inner func(cty.Type) cty.Type
	}{
		"object": {cty.ObjectVal(map[string]cty.Value{"x": large}), cty.Object(map[string]cty.Type{"x": list}), func(t cty.Type) cty.Type { return t.AttributeType("x") }},
		"tuple":  {cty.TupleVal([]cty.Value{large}), cty.Tuple([]cty.Type{list}), func(t cty.Type) cty.Type { return t.TupleElementType(0) }},
		"list":   {cty.TupleVal([]cty.Value{large}), cty.List(list), cty.Type.ElementType},
	} {
		made, rest := convertLarge(c.v, c.t)
		if c.t.IsListType() && !made.Type().IsListType() || !c.inner(made.Type()).Equals(list) || !c.inner(rest).Equals(list) {
			t.Error(name)
		}
	}
}
