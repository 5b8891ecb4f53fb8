package jsonvalue

import (
	"bytes"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofumerge/tofumerge/internal/load/language"
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

// An index is made as soon as there are many members, and says the same.
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
		reading language.Reading
		want    string
	}{
		{`"a${b}"`, language.AsTemplate, `"a${b}"`},
		{`a.b`, language.AsTemplate, `"${a.b}"`},
		{`[1, true, null, -2]`, language.AsTemplate, `[1,true,null,-2]`},
		{`{ a = 1, (b) = "c" }`, language.AsTemplate, `{"a":1,"${b}":"c"}`},
		{`{ a = 1, a = 2 }`, language.AsTemplate, `"${{ a = 1, a = 2 }}"`},
		{`007.e2`, language.AsTemplate, `7e2`},
		{`"$${a}"`, language.AsText, `"${a}"`},
		{`aws.west`, language.AsReference, `"aws.west"`},
		{`[a.b, "c"]`, language.AsReference, `["a.b","c"]`},
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

func TestIndenter(t *testing.T) {
	o := &Object{}
	o.Add("a", Array{Raw("1"), Raw(`{"b":2}`)})
	o.Add("c", &Object{})
	var out bytes.Buffer
	w := NewIndenter(&out, "\t")
	w.Node(o, "  ")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "{\n  \t\"a\": [\n  \t\t1,\n  \t\t{\n  \t\t\t\"b\": 2\n  \t\t}\n  \t],\n  \t\"c\": {}\n  }"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
