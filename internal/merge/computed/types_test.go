package computed_test

import (
	"fmt"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/zclconf/go-cty/cty"
)

// typeOf is an argument that has a type expression for its value; nil without one.
func typeOf(expr string) *source.Attr {
	if expr == "" {
		return nil
	}
	files := map[string]string{"main.tf": "variable \"v\" {\n  type = " + expr + "\n}\n"}
	src, _, err := load.Dir(".", mergetest.InMemory(files, engine.Default()))
	if err != nil {
		panic(err)
	}
	return src.Files[0].Block(0).Attr("type")
}

// The optional attributes of one type get the defaults that they have in another one;
// the rest of the text stays as it is.
func ExampleCompose() {
	later := typeOf("object({ size = optional(number, 2), name = string })")
	earlier := typeOf("object({ size = optional(number, 1) })")
	t := computed.Compose(later, earlier)
	fmt.Println(string(computed.NativeText(t.Text)))
	fmt.Println(t.DropsDefaults)
	// Output:
	// object({ size = optional(number, 1), name = string })
	// true
}

func TestCompose(t *testing.T) {
	for _, c := range []struct {
		about, to, from  string
		want             string // empty: as it is given
		isInexact, drops bool
	}{
		{about: "no other type", to: "object({ a = optional(string) })"},
		{about: "no defaults", to: "string", from: "list(string)"},
		{about: "the same default", to: "object({ a = optional(string, \"x\") })", from: "object({ a = optional(string, \"x\") })"},
		{about: "a default is lost", to: "object({ a = optional(string, \"x\") })", from: "object({ a = string })", want: "object({ a = optional(string) })", drops: true},
		{about: "a default without another type", to: "object({ a = optional(string, \"x\") })", want: "object({ a = optional(string) })", drops: true},
		{about: "a default comes", to: "object({ a = optional(string) })", from: "object({ a = optional(string, \"x\") })", want: "object({ a = optional(string, \"x\") })"},
		{about: "an attribute becomes optional", to: "object({ a = string })", from: "object({ a = optional(string, \"x\") })", want: "object({ a = optional(string, \"x\") })"},
		{about: "at every depth", to: "list(object({ a = map(object({ b = number })) }))", from: "list(object({ a = map(object({ b = optional(number, 1) })) }))", want: "list(object({ a = map(object({ b = optional(number, 1) })) }))"},
		{about: "in tuples", to: "tuple([object({ a = number }), string])", from: "tuple([object({ a = optional(number, 1) })])", want: "tuple([object({ a = optional(number, 1) }), string])"},
		{about: "in a longer tuple", to: "tuple([string, object({ a = optional(number, 1) })])", from: "tuple([string])", want: "tuple([string, object({ a = optional(number) })])", drops: true},
		{about: "another shape", to: "map(number)", from: "object({ a = optional(number, 1) })", isInexact: true},
		{about: "another shape inside", to: "object({ a = string })", from: "object({ a = list(object({ b = optional(number, 1) })) })", isInexact: true},
		{about: "another shape of a tuple", to: "string", from: "tuple([object({ b = optional(number, 1) })])", isInexact: true},
		{about: "a default that does not fit", to: "object({ a = optional(number, 1) })", from: "object({ a = optional(list(string), [\"x\"]) })", want: "object({ a = optional(number) })", isInexact: true, drops: true},
		{about: "a heredoc", to: "object({ a = string })", from: "object({ a = optional(string, <<E\nx\nE\n) })", want: "object({ a = optional(string, <<E\nx\nE\n) })"},
	} {
		t.Run(c.about, func(t *testing.T) {
			got := computed.Compose(typeOf(c.to), typeOf(c.from))
			text := ""
			if got.Text != nil {
				text = string(got.Text.Text())
			}
			if text != c.want {
				t.Errorf("%q, want %q", text, c.want)
			}
			if got.IsInexact != c.isInexact || got.DropsDefaults != c.drops {
				t.Errorf("inexact %v, drops %v; want %v, %v", got.IsInexact, got.DropsDefaults, c.isInexact, c.drops)
			}
		})
	}
}

// Values are written in the order of the type, members without a type at the end.
func TestNativeText(t *testing.T) {
	object := func(members map[string]cty.Value) cty.Value { return cty.ObjectVal(members) }
	one := cty.NumberIntVal(1)
	for _, c := range []struct {
		typ   string
		value cty.Value
		want  string
	}{
		{"", cty.NullVal(cty.String), "null"},
		{"object({ b = number, a = number })", object(map[string]cty.Value{"a": one, "b": one}), "{\n  b = 1\n  a = 1\n}"},
		{"object({ b = number })", object(map[string]cty.Value{"a": one, "b": one, "for": one}), "{\n  b     = 1\n  a     = 1\n  \"for\" = 1\n}"},
		{"map(object({ b = number, a = number }))", cty.MapVal(map[string]cty.Value{"k": object(map[string]cty.Value{"a": one, "b": one})}), "{\n  k = {\n    b = 1\n    a = 1\n  }\n}"},
		{"optional(list(object({ b = number, a = number })))", cty.ListVal([]cty.Value{object(map[string]cty.Value{"a": one, "b": one})}), "[{\n  b = 1\n  a = 1\n}]"},
		{"tuple([object({ b = number, a = number })])", cty.TupleVal([]cty.Value{object(map[string]cty.Value{"a": one, "b": one}), one}), "[{\n  b = 1\n  a = 1\n}, 1]"},
	} {
		got := string(computed.NativeText(&computed.Literal{Value: c.value, Type: typeOf(c.typ)}))
		if got != c.want {
			t.Errorf("of type %q:\n%s\nwant:\n%s", c.typ, got, c.want)
		}
	}
}
