package parts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// argument is an argument of a file with a value.
func argument(t *testing.T, name, text string) *source.Attr {
	t.Helper()
	m, diags := loadtest.Files(t, map[string][]byte{name: []byte(text)}, load.Options{})
	if diags.HasErrors() {
		t.Fatalf("%s: %s", text, loadtest.Messages(diags))
	}
	return m.Files[0].Block(0).Attr("x")
}

// words are the parts of a value, unsure ones with a question mark, and behind them dots if there
// may be more.
func words(v *parts.Value) string {
	var list []string
	for _, p := range v.Parts {
		text := spelling.AppendPath("", p.Segment) + "=" + string(p.Value.Display())
		if !p.IsSure {
			text += "?"
		}
		list = append(list, text)
	}
	text := strings.Join(list, " ")
	if v.IsList {
		text = "list " + text
	}
	if !v.IsAll {
		text += " …"
	}
	return strings.TrimSpace(text)
}

func TestOf(t *testing.T) {
	for value, want := range map[string]string{
		`1`:                                  "",
		`"a text"`:                           "",
		`"${a.b}"`:                           "…",
		`"a ${a.b}"`:                         "",
		"<<E\n{ a = 1 }\nE":                  "",
		`a.b`:                                "…",
		`count.index`:                        "",
		`path.module`:                        "",
		`path.modules`:                       "…",
		`f(1)`:                               "…",
		`lower("A")`:                         "",
		`!a`:                                 "",
		`a == b`:                             "",
		`a ? 1 : 2`:                          "",
		`a ? 1 : b`:                          "…",
		`(1)`:                                "",
		`[1, b]`:                             "list [0]=1 [1]=b",
		`[]`:                                 "list",
		`[for i in a : i]`:                   "…",
		`{}`:                                 "",
		`{ a = 1, "b" = 2, (c) = 3 }`:        "a=1? b=2? …",
		`{ (c) = 3, a = 1 }`:                 "a=1 …",
		`{ a = 1, a = 2 }`:                   "a=2",
		`{ 1 = 2, true = 3, ("d") = 4 }`:     `["1"]=2 true=3 d=4`,
		`{ "${e}" = 4 }`:                     "…",
		`{ a.b = 1, c.d.e = 2 }`:             `["a.b"]=1? …`,
		`({ a = 1 })`:                        "a=1",
		`"${{ a = 1 }}"`:                     "a=1",
		`tomap({ a = 1 })`:                   "a=1",
		`tomap({ a = 1 }...)`:                "…",
		`merge({ a = 1, b = 1 }, { a = 2 })`: "b=1 a=2",
		`merge({ a = 1 }, c, { b = 2 })`:     "a=1? b=2 …",
		`merge({ a = 1 }, c...)`:             "a=1? …",
		`merge()`:                            "",
		`merge(merge({ a = 1 }), tomap({ b = 2 }))`: "a=1 b=2",
	} {
		v := parts.Of(argument(t, "main.tf", "locals {\n  x = "+value+"\n}\n"))
		if got := words(v); got != want {
			t.Errorf("%s has the parts %q, want %q", value, got, want)
		}
	}
	if got := words(parts.Of(argument(t, "main.tf.json", `{"locals": {"x": {"a": 1, "${b}": 2, "c": [3]}}}`))); got != "a=1? c=[3] …" {
		t.Errorf("in JSON: %q", got)
	}
}

// A part is a separate argument, at the position of its key.
func TestPart(t *testing.T) {
	v := parts.Of(argument(t, "main.tf", "locals {\n  x = {\n    a = 1\n    b = [2]\n  }\n}\n"))
	p := v.Part(spelling.Named("b"))
	if p == nil || p.Value.Header().Start.Line != 4 || words(parts.Of(p.Value)) != "list [0]=2" {
		t.Errorf("b is %+v", p)
	}
	if v.Part(spelling.Named("c")) != nil || v.Part(spelling.At(0)) != nil {
		t.Error("a part is found that isn't there")
	}
	if got := names(v); !cmp.Equal(got, []string{"a", "b"}) {
		t.Errorf("the keys are %q", got)
	}
	list := parts.Of(p.Value)
	if list.Part(spelling.At(0)) == nil || list.Part(spelling.At(1)) != nil || names(list) != nil {
		t.Errorf("an element is %+v, the keys %q", list.Part(spelling.At(0)), names(list))
	}
}

// The parser takes far too long for a long heredoc: a value that may hold one stays unknown.
func TestLongHeredoc(t *testing.T) {
	lines := func(n int) string { return "{ a = <<E\n" + strings.Repeat("x\n", n) + "E\n}" }
	if !parts.HasLongHeredoc([]byte(lines(2000))) || parts.HasLongHeredoc([]byte(lines(1998))) {
		t.Error("a heredoc is long from 2000 lines on")
	}
	if parts.HasLongHeredoc([]byte(strings.Repeat("x\n", 3000))) {
		t.Error("without a heredoc there is none that is long")
	}
	if got := words(parts.Of(argument(t, "main.tf", "locals {\n  x = "+lines(3000)+"\n}\n"))); got != "…" {
		t.Errorf("the parts are %q", got)
	}
}

func expression(t *testing.T, text string) hcl.Expression {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return e
}

// KnownOf has the keys that are known, with nothing for values that may be others; WholeOf has
// all keys or leaves the value as it is.
func TestKnownOf(t *testing.T) {
	for _, c := range []struct{ text, made, whole string }{
		{`merge({ a = 1, b = 1 }, { a = 2 })`, "b=1 a=2", "b=1 a=2"},
		{`merge({ a = 1 }, c, { b = 2 })`, "a=? b=2", ""},
		{`merge(c)`, "none", ""},
		{`{ (c) = 1 }`, "none", ""},
		{`{ a = 1 }`, "a=1", ""},
		{`tomap({ a = 1 })`, "a=1", ""},
		{`lower("a")`, "", ""},
		{`[1]`, "", ""},
	} {
		if got := objectOf(t, parts.KnownOf(expression(t, c.text))); got != c.made {
			t.Errorf("%s is made of %q, want %q", c.text, got, c.made)
		}
		e := expression(t, c.text)
		if whole := parts.WholeOf(e); c.whole != "" && objectOf(t, whole) != c.whole {
			t.Errorf("%s as a whole is %q, want %q", c.text, objectOf(t, whole), c.whole)
		} else if _, isCall := whole.(*hclsyntax.FunctionCallExpr); c.whole == "" && strings.HasPrefix(c.text, "merge") && !isCall {
			t.Errorf("%s as a whole is made of parts", c.text)
		}
	}
}

// objectOf are the items of an object, those without a value with a question mark.
func objectOf(t *testing.T, e hcl.Expression) string {
	t.Helper()
	if e == nil {
		return "none"
	}
	o, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return ""
	}
	keys, ok := parts.Keys(o)
	if !ok {
		t.Fatal("not all keys are known")
	}
	var list []string
	for i, item := range o.Items {
		v, _ := item.ValueExpr.Value(nil)
		if v.IsNull() || !v.IsKnown() {
			list = append(list, keys[i]+"=?")
		} else {
			list = append(list, keys[i]+"="+v.AsBigFloat().String())
		}
	}
	return strings.Join(list, " ")
}

// Keys knows all or none.
func TestKeys(t *testing.T) {
	for text, want := range map[string]bool{
		`{ a = 1, "b" = 2, 3 = 4 }`: true, `{ a = 1, "a" = 2 }`: false, `{ (a) = 1 }`: false, `{ (null) = 1 }`: false,
		`{ ("a") = 1 }`: true, `{ (-1) = 1 }`: true, `{ (1 + 1) = 1 }`: false, `{ a.b.c = 1 }`: false, `{ a[0] = 1 }`: false, `{}`: true,
	} {
		if _, ok := parts.Keys(expression(t, text).(*hclsyntax.ObjectConsExpr)); ok != want {
			t.Errorf("%s: known is %v", text, ok)
		}
	}
	if _, ok := parts.Key(expression(t, "a")); ok {
		t.Error("what is no key is one")
	}
}

// The function is called for references.
func TestIsSingle(t *testing.T) {
	refers := func(ref hcl.Traversal) bool { return ref.RootName() == "single" }
	for text, want := range map[string]bool{
		"single.a": true, "other.a": false, "b ? single.a : 1": true, "b ? single.a : other.a": false, "(single.a)": true,
		`"${single.a}"`: true, `"${other.a}"`: false, "each.key": true, "each.value": false, "each.key.a": false, "[]": false,
	} {
		if got := parts.IsSingle(expression(t, text), refers); got != want {
			t.Errorf("%s is single: %v", text, got)
		}
	}
}

// names lists the keys of a value.
func names(v *parts.Value) []string {
	var list []string
	for _, p := range v.Parts {
		if !p.IsIndex() {
			list = append(list, p.Name)
		}
	}
	return list
}
