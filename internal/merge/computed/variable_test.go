package computed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// blocks reads bodies of the variable v: the primary file's, then those of override files.
func blocks(bodies ...string) []*source.Block {
	files := map[string]string{}
	for i, body := range bodies {
		name := "main.tf"
		if i > 0 {
			name = fmt.Sprintf("%d_override.tf", i)
		}
		files[name] = "variable \"v\" {\n" + body + "\n}\n"
	}
	src, _, err := load.Dir(".", mergetest.InMemory(files, engine.Default()))
	if err != nil {
		panic(err)
	}
	var list []*source.Block
	for _, f := range src.Files {
		list = append(list, f.Block(0))
	}
	return list
}

// A type of an override converts the default, for good.
func ExampleState() {
	list := blocks("default = 1", "type = string", "type = any")
	v, work := computed.NewVariable(list[0].Attr, "var.v"), limits.FreeBudget
	for _, b := range list[1:] {
		if diags := v.Apply(b, &work); diags.HasErrors() {
			fmt.Println(diags)
			return
		}
	}
	r := v.Finish(list[0].Attr("default"))
	fmt.Printf("default = %s, because of %s:%d\n", computed.NativeText(r.Default.Literal), r.Default.By.Source().Name, r.Default.By.Header().Start.Line)
	// Output: default = "1", because of 1_override.tf:2
}

func TestState(t *testing.T) {
	for _, c := range []struct {
		about        string
		bodies       []string
		refused      string // by an error of that detail
		typ, def     string // computed texts
		warned       string // when it is finished
		appliedTwice bool   // to another end
	}{
		{about: "nothing is computed", bodies: []string{"default = 1", "default = 2"}},
		{about: "without a default", bodies: []string{"type = string", "type = number"}},
		{about: "a type that converts what it must be written for", bodies: []string{"default = 1", "type = string", "type = any"}, def: `"1"`},
		{about: "the default does not fit a type", bodies: []string{"default = \"a\"", "type = number"}, refused: "doesn't fit this type"},
		{about: "a default does not fit the type", bodies: []string{"type = number", "default = \"a\""}, refused: "This default doesn't fit the type at"},
		{about: "a default that fits no more is refused after each block", bodies: []string{"default = \"a\"", "type = number", "nullable = true"}, refused: "This default doesn't fit the variable's type"},
		{about: "null is forbidden later", bodies: []string{"default = null", "nullable = false"}, refused: "nullable is false"},
		{about: "null is given where it is forbidden", bodies: []string{"nullable = false\ndefault = 1", "default = null"}, refused: "nullable is false"},
		{about: "defaults of attributes stay those of the primary type", bodies: []string{"type = object({ a = optional(number, 1) })", "type = object({ a = optional(number, 2) })"}, typ: "object({ a = optional(number, 1) })", warned: "OpenTofu uses this type, but ignores the defaults of its optional attributes, although its documentation says otherwise. Change them at main.tf:2 instead."},
		{about: "defaults of attributes that another shape can't say", bodies: []string{"type = object({ a = optional(number, 1) })", "type = map(number)"}, warned: "can't be printed"},
		{about: "a default in which the primary type filled something in that the other type can't", bodies: []string{"type = object({ a = optional(number, 1) })\ndefault = {}", "type = any"}, def: "{\n  a = 1\n}", warned: "can't be printed"},
		{about: "applied once more, the types come in another order", bodies: []string{"default = \"1.0\"", "type = number", "type = string", "default = \"a\""}, appliedTwice: true},
		{about: "applied once more, the default is another", bodies: []string{"type = string\ndefault = \"1.0\"", "type = number", "type = string"}, def: `"1"`},
	} {
		t.Run(c.about, func(t *testing.T) {
			list := blocks(c.bodies...)
			v, work := computed.NewVariable(list[0].Attr, "var.v"), limits.FreeBudget
			var refused string
			for _, b := range list[1:] {
				for _, d := range v.Apply(b, &work) {
					refused += d.Detail
				}
			}
			if c.refused == "" && refused != "" || !strings.Contains(refused, c.refused) {
				t.Fatalf("refused: %q, want %q", refused, c.refused)
			}
			if v.IsFit() != (refused == "") {
				t.Errorf("fit: %v", v.IsFit())
			}
			if !v.IsFit() {
				return
			}
			r := v.Finish(list[0].Attr("default"))
			if typ := textOf(r.Type); typ != c.typ {
				t.Errorf("type %q, want %q", typ, c.typ)
			}
			if def := textOf(r.Default); def != c.def {
				t.Errorf("default %q, want %q", def, c.def)
			}
			var warned string
			for _, d := range r.Diags {
				warned += d.Summary + ": " + d.Detail
			}
			if c.warned == "" && warned != "" || !strings.Contains(warned, c.warned) {
				t.Errorf("warned %q, want %q", warned, c.warned)
			}
			if diags := v.Again(list[1:], list[0]); (len(diags) > 0) != c.appliedTwice {
				t.Errorf("applied again: %v, want %v", diags, c.appliedTwice)
			}
		})
	}
}

func textOf(text *computed.VariableText) string {
	if text == nil {
		return ""
	}
	return string(computed.NativeText(text.Literal))
}

// Null gives the default where it is not allowed.
func TestGiven(t *testing.T) {
	null := cty.NullVal(cty.DynamicPseudoType)
	for _, c := range []struct {
		body  string
		given cty.Value
		want  cty.Value // NilVal for an error
	}{
		{"type = string", cty.NumberIntVal(1), cty.StringVal("1")},
		{"type = number", cty.StringVal("a"), cty.NilVal},
		{"type = number", cty.NilVal, cty.NilVal},
		{"default = 1", cty.NilVal, cty.NumberIntVal(1)},
		{"type = number\ndefault = 1", null, cty.NullVal(cty.Number)},
		{"type = number\nnullable = false\ndefault = 1", null, cty.NumberIntVal(1)},
		{"type = number\nnullable = false", null, cty.NilVal},
	} {
		got, err := computed.NewVariable(blocks(c.body)[0].Attr, "var.v").Given(c.given)
		if c.want == cty.NilVal {
			if err == nil {
				t.Errorf("%q accepts %#v as %#v", c.body, c.given, got)
			}
		} else if err != nil || !got.RawEquals(c.want) {
			t.Errorf("%q makes %#v of %#v: %v", c.body, got, c.given, err)
		}
	}
}
