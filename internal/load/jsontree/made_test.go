package jsontree

import (
	"bytes"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func dense(n Node) string {
	return string(Text(n))
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
		reading Reading
		want    string
	}{
		{`"a${b}"`, AsTemplate, `"a${b}"`},
		{`a.b`, AsTemplate, `"${a.b}"`},
		{`[1, true, null, -2]`, AsTemplate, `[1,true,null,-2]`},
		{`{ a = 1, (b) = "c" }`, AsTemplate, `{"a":1,"${b}":"c"}`},
		{`{ a = 1, a = 2 }`, AsTemplate, `"${{ a = 1, a = 2 }}"`},
		{`007.e2`, AsTemplate, `7e2`},
		{`"$${a}"`, AsText, `"${a}"`},
		{`aws.west`, AsReference, `"aws.west"`},
		{`[a.b, "c"]`, AsReference, `["a.b","c"]`},
		{`{ a = b.c, "d" = 1, e = true }`, AsReference, `{"a":"b.c","d":1,"e":"true"}`},
		{`"${a.b}"`, AsReference, `"${a.b}"`},
		{`("a")`, AsText, `"a"`},
		{`-(1)`, AsText, `-1`},
		{`-((x))`, AsText, `"${-((x))}"`},
		{`[1.50, true, null, "$${a}"]`, AsText, `[1.50,true,null,"${a}"]`},
		{`{ b = 1, "a" = [2], (null) = 1 }`, AsText, `{"b":1,"a":[2],"${null}":1}`},
		{`{ b = 1 + 1, "a" = [{}] }`, AsText, `{"b":2,"a":[{}]}`},
		{`{ b = 1, b = 1e2 }`, AsText, `{"b":100}`},
		{`a.b`, AsText, `"${a.b}"`},
		{`1 == 1 ? false : true`, AsText, `false`},
		{`1 == 1 ? [null, "x"] : []`, AsText, `[null,"x"]`},
		{`{ source = "a/b", configuration_aliases = [a.b] }`, AsRequirement, `{"source":"a/b","configuration_aliases":["a.b"]}`},
		{`{ (null) = "a" }`, AsRequirement, `{"${null}":"a"}`},
		{`"1.0"`, AsRequirement, `"1.0"`},
		{`a.b`, AsBareReference, `"a.b"`},
		{`"a.b"`, AsBareReference, `"${\"a.b\"}"`},
		{`"a.b"`, AsReferenceOrTemplate, `"${\"a.b\"}"`},
		{`"a b"`, AsReferenceOrTemplate, `"a b"`},
		{`a.b`, AsReferenceOrTemplate, `"${a.b}"`},
		{`!a`, AsTemplate, `"${!a}"`},
		{`-007`, AsTemplate, `"${-007}"`},
		{`{ 1 = 2, "${a}" = 3, b.c = 4, "d${e}" = 5 }`, AsTemplate, `{"1":2,"${a}":3,"${b.c}":4,"d${e}":5}`},
		{`{ 1.0 = 2 }`, AsTemplate, `"${{ 1.0 = 2 }}"`},
		{`[<<E
a ${b}
E
]`, AsTemplate, `["a ${b}\n"]`},
		{`f(<<E
a
E
)`, AsTemplate, `"${f(<<E\na\nE\n)\n}"`},
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

func TestIndented(t *testing.T) {
	o := &Object{}
	o.Add("a", Array{Raw("1"), Raw(`{"b":2}`)})
	o.Add("c", &Object{})
	o.Add("d", Blocks{Property("[]")})
	if got, want := Indented(o, "\t", "  ", &bytes.Buffer{}), "{\n  \t\"a\": [\n  \t\t1,\n  \t\t{\n  \t\t\t\"b\": 2\n  \t\t}\n  \t],\n  \t\"c\": {},\n  \t\"d\": [\n  \t\t[]\n  \t]\n  }"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
