package jsonvalue

import (
	"bytes"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/jsonstring"
)

func dense(n Node) string {
	var out bytes.Buffer
	n.AppendTo(&out)
	return out.String()
}

// Members keep their order, a name may come more than once, and Put makes an array.
func TestObject(t *testing.T) {
	o := &Object{}
	o.Add("//", Quote("one"))
	o.Add("b", Raw("1"))
	o.Add("//", Quote("two"))
	o.Put("a", Raw("2"))
	o.Put("a", Raw("3"))
	o.Under("c").Add("d", Raw("null"))
	o.MoveBefore("a", "b")
	if got, want := dense(o), `{"//":"one","a":[2,3],"b":1,"//":"two","c":{"d":null}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	o.Remove("a")
	if o.Get("a") != nil || dense(o.Get("c")) != `{"d":null}` {
		t.Errorf("a is %v, c is %v", o.Get("a"), o.Get("c"))
	}
}

// An index is made as soon as there are many members, with the same results.
func TestObjectOfMany(t *testing.T) {
	o := &Object{}
	for i := range 3 * few {
		o.Add(string(rune('A'+i)), Raw("0"))
	}
	o.Remove("C")
	o.MoveBefore("F", "B")
	if o.Find("C") != -1 || o.Find("F") != 1 || o.Find("B") != 2 || o.Find("D") != 3 {
		t.Errorf("C, F, B and D are at %d, %d, %d and %d", o.Find("C"), o.Find("F"), o.Find("B"), o.Find("D"))
	}
}

func TestQuote(t *testing.T) {
	if got, want := string(Quote("a\"\\\n\x07\u2028<ä")), `"a\"\\\n\u0007\u2028<ä"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSource(t *testing.T) {
	for _, test := range []struct {
		text    string
		reading jsonstring.Reading
		want    string
	}{
		{`"a${b}"`, jsonstring.AsTemplate, `"a${b}"`},
		{`a.b`, jsonstring.AsTemplate, `"${a.b}"`},
		{`[1, true, null, -2]`, jsonstring.AsTemplate, `[1,true,null,-2]`},
		{`{ a = 1, (b) = "c" }`, jsonstring.AsTemplate, `{"a":1,"${b}":"c"}`},
		{`{ a = 1, a = 2 }`, jsonstring.AsTemplate, `"${{ a = 1, a = 2 }}"`},
		{`007.e2`, jsonstring.AsTemplate, `7e2`},
		{`"$${a}"`, jsonstring.AsText, `"${a}"`},
		{`aws.west`, jsonstring.AsReference, `"aws.west"`},
		{`[a.b, "c"]`, jsonstring.AsReference, `["a.b","c"]`},
		{`{ a = b.c, "d" = 1, e = true }`, jsonstring.AsReference, `{"a":"b.c","d":1,"e":"true"}`},
		{`"${a.b}"`, jsonstring.AsReference, `"${a.b}"`},
		{`("a")`, jsonstring.AsText, `"a"`},
		{`-(1)`, jsonstring.AsText, `-1`},
		{`-((x))`, jsonstring.AsText, `"${-((x))}"`},
		{`[1.50, true, null, "$${a}"]`, jsonstring.AsText, `[1.50,true,null,"${a}"]`},
		{`{ b = 1, "a" = [2], (null) = 1 }`, jsonstring.AsText, `{"b":1,"a":[2],"${null}":1}`},
		{`{ b = 1 + 1, "a" = [{}] }`, jsonstring.AsText, `{"b":2,"a":[{}]}`},
		{`{ b = 1, b = 1e2 }`, jsonstring.AsText, `{"b":100}`},
		{`a.b`, jsonstring.AsText, `"${a.b}"`},
		{`1 == 1 ? false : true`, jsonstring.AsText, `false`},
		{`1 == 1 ? [null, "x"] : []`, jsonstring.AsText, `[null,"x"]`},
		{`{ source = "a/b", configuration_aliases = [a.b] }`, jsonstring.AsRequirement, `{"source":"a/b","configuration_aliases":["a.b"]}`},
		{`{ (null) = "a" }`, jsonstring.AsRequirement, `{"${null}":"a"}`},
		{`"1.0"`, jsonstring.AsRequirement, `"1.0"`},
		{`a.b`, jsonstring.AsBareReference, `"a.b"`},
		{`"a.b"`, jsonstring.AsBareReference, `"${\"a.b\"}"`},
		{`"a.b"`, jsonstring.AsReferenceOrTemplate, `"${\"a.b\"}"`},
		{`"a b"`, jsonstring.AsReferenceOrTemplate, `"a b"`},
		{`a.b`, jsonstring.AsReferenceOrTemplate, `"${a.b}"`},
		{`!a`, jsonstring.AsTemplate, `"${!a}"`},
		{`-007`, jsonstring.AsTemplate, `"${-007}"`},
		{`{ 1 = 2, "${a}" = 3, b.c = 4, "d${e}" = 5 }`, jsonstring.AsTemplate, `{"1":2,"${a}":3,"${b.c}":4,"d${e}":5}`},
		{`{ 1.0 = 2 }`, jsonstring.AsTemplate, `"${{ 1.0 = 2 }}"`},
		{`[<<E
a ${b}
E
]`, jsonstring.AsTemplate, `["a ${b}\n"]`},
		{`f(<<E
a
E
)`, jsonstring.AsTemplate, `"${f(<<E\na\nE\n)\n}"`},
	} {
		e, diags := hclsyntax.ParseExpression([]byte(test.text), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := dense(Source(test.text).Value(e, test.reading)); got != test.want {
			t.Errorf("%s is written as %s, want %s", test.text, got, test.want)
		}
	}
}

// Nested blocks of a type come together, also with those that may be meant for an argument; an
// argument of that name stays apart.
func TestAddBlocks(t *testing.T) {
	for _, c := range []struct {
		before Node
		want   string
	}{
		{nil, `{"b":[{"x":1}]}`},
		{Blocks{Raw("{}")}, `{"b":[{},{"x":1}]}`},
		{Property(`{"y":2}`), `{"b":[{"y":2},{"x":1}]}`},
		{Property(`[{"y":2}, {}]`), `{"b":[{"y":2},{},{"x":1}]}`},
		{Property("null"), `{"b":[{"x":1}]}`},
		{Raw("1"), `{"b":1,"b":[{"x":1}]}`},
	} {
		o := &Object{}
		if c.before != nil {
			o.Add("b", c.before)
		}
		o.AddBlocks("b", Raw(`{"x":1}`))
		if got := dense(o); got != c.want {
			t.Errorf("behind %v: %s, want %s", c.before, got, c.want)
		}
	}
}

func TestIndenter(t *testing.T) {
	o := &Object{}
	o.Add("a", Array{Raw("1"), Raw(`{"b":2}`)})
	o.Add("c", &Object{})
	o.Add("d", Blocks{Property("[]")})
	var out bytes.Buffer
	w := NewIndenter(&out, "\t")
	w.Node(o, "  ")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "{\n  \t\"a\": [\n  \t\t1,\n  \t\t{\n  \t\t\t\"b\": 2\n  \t\t}\n  \t],\n  \t\"c\": {},\n  \t\"d\": [\n  \t\t[]\n  \t]\n  }"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
