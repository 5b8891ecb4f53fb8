package parse

import (
	"flag"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// dump writes the parser's whole result: values, ranges, diagnostics.
func dump(v any) string {
	var out strings.Builder
	dumpValue(&out, reflect.ValueOf(v))
	return out.String()
}

func dumpValue(out *strings.Builder, v reflect.Value) {
	if !v.IsValid() {
		out.WriteString("nil")
		return
	}
	switch x := v.Interface().(type) {
	case cty.Value:
		fmt.Fprintf(out, "%#v", x)
		return
	case *hclsyntax.Operation:
		fmt.Fprintf(out, "%p", x)
		return
	case *hclsyntax.AnonSymbolExpr:
		fmt.Fprintf(out, "anon %v", x.SrcRange)
		return
	case hcl.Pos:
		fmt.Fprintf(out, "%d,%d@%d", x.Line, x.Column, x.Byte)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			out.WriteString("nil")
			return
		}
		dumpValue(out, v.Elem())
	case reflect.Struct:
		out.WriteString(v.Type().Name() + "{")
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.WriteString(v.Type().Field(i).Name + ":")
				dumpValue(out, v.Field(i))
				out.WriteString(" ")
			}
		}
		out.WriteString("}\n")
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprintf(out, "%q", v.Bytes())
			return
		}
		out.WriteString("[")
		for i := range v.Len() {
			dumpValue(out, v.Index(i))
			out.WriteString(", ")
		}
		out.WriteString("]")
	case reflect.Map:
		fmt.Fprintf(out, "map %d", v.Len())
		keys := v.MapKeys()
		for _, name := range sortedStrings(keys) {
			out.WriteString(name + ":")
			dumpValue(out, v.MapIndex(reflect.ValueOf(name)))
		}
	default:
		fmt.Fprintf(out, "%v", v.Interface())
	}
}

func sortedStrings(keys []reflect.Value) []string {
	var all []string
	for _, k := range keys {
		all = append(all, k.String())
	}
	for i := range all {
		for j := i; j > 0 && all[j] < all[j-1]; j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
	return all
}

// withLimits has the test leave out as much as it can.
func withLimits(t testing.TB, l limits) {
	saved, savedTag := limit, tag
	limit, tag = l, func() string { return "\x03" } // a short one fits anywhere
	t.Cleanup(func() { limit, tag = saved, savedTag })
}

// tightest are limits with which texts of a few lines are shortened.
var tightest = limits{pieces: 1, window: 80, lines: 0, atOnce: 1, invalid: 1000}

// mayStripLess reports whether an invalid text may have other blanks, as the package says.
func mayStripLess(text string) bool {
	return strings.Contains(text, "<<-") && strings.Contains(text, "~}")
}

// checkSame compares with the parser, within limits that depend on the text.
func checkSame(t testing.TB, text string) (shortened bool) {
	t.Helper()
	src := []byte(text)
	limit.lines, limit.atOnce = len(text)%3, 1+len(text)/3%9
	at := hcl.Pos{Line: 7, Column: 3, Byte: 100}
	isInvalid := false // what was parsed last
	compare := func(kind string, got, want func() string) {
		t.Helper()
		if g, w := got(), want(); g != w && !(isInvalid && mayStripLess(text)) {
			n := 0
			for n < len(g) && n < len(w) && g[n] == w[n] {
				n++
			}
			from := max(0, n-300)
			t.Fatalf("%s of %q:\n got ...%s\nwant ...%s", kind, text, g[from:min(len(g), n+200)], w[from:min(len(w), n+200)])
		}
	}
	both := func(v any, diags hcl.Diagnostics) string {
		isInvalid = diags.HasErrors()
		return dump(v) + "\n" + dump(diags)
	}
	compare("config", func() string {
		f, diags := Config(src, "a:1.tf", at)
		return both(f.Body, diags)
	}, func() string {
		f, diags := hclsyntax.ParseConfig(src, "a:1.tf", at)
		return both(f.Body, diags)
	})
	compare("expression", func() string {
		e, diags := Expression(src, "", at)
		return both(e, diags)
	}, func() string {
		e, diags := hclsyntax.ParseExpression(src, "", at)
		return both(e, diags)
	})
	compare("template", func() string {
		e, diags := Template(src, "", at)
		return both(e, diags)
	}, func() string {
		e, diags := hclsyntax.ParseTemplate(src, "", at)
		return both(e, diags)
	})
	compare("traversal", func() string {
		e, diags := Traversal(src, "", at)
		return both(e, diags)
	}, func() string {
		e, diags := hclsyntax.ParseTraversalAbs(src, "", at)
		return both(e, diags)
	})
	return shorten(src, "", at, isNative) != nil
}

var fragments = []string{
	"a = ", "b", "\n", "\n", "\n", "\n\n", "  ", " ", "\t", "x y\n", "  x\n", "    y\n", "$", "%", "$$", "$${", "%%{", "${", "}", "${b}", "${~ c ~}", "${ d ~}", "${~ e }",
	"%{ if f }", "%{ else }", "%{ endif }", "%{ for g in h }", "%{ endfor }", "%{~ if i ~}", "%{~ endif ~}", "%{ for k, v in h ~}", "%{~ endfor ~}",
	`"`, `"`, "<<A\n", "<<-A\n", "\nA\n", "  A\n", "A\n", "\"a$b$c%d\"", "block \"l$m$n$o\" {\n", "{", "}\n", "[", "]", "(", ")", ",", "/*", "*/", "#", "//",
	"é", "e\u0301", "\u0301", "\u00a0", "\u2003", "\r\n", "\r", "\xff", "\xd3", `\n`, `\q`, `\u00e9`, `\`, "::", "1", "1.5", "...", "~}", "`", "'", ";", "&", "${1}", "${\"a\"}", "${{a=1}}", "${<<B\nx\ny\nB\n}",
	"line one\nline two $ and\n  line three\n", "\ufeff", "${[for x in y: x]}", "b[\"a$b$c\"]", "c[*].d", "in", "if", "\u0085", "\v",
}

func randomText(r *rand.Rand) string {
	var out strings.Builder
	switch r.Intn(5) {
	case 0:
		out.WriteString("a = <<A\n")
	case 1:
		out.WriteString("a = <<-A\n")
	case 2:
		out.WriteString("x \"y\" {\n a = \"")
	case 3:
		out.WriteString("<<-A\n    x\n")
	}
	n := 1 + r.Intn(40)
	pool := fragments
	if r.Intn(2) == 0 { // fewer kinds, so that it is valid more often
		pool = nil
		for range 2 + r.Intn(8) {
			pool = append(pool, fragments[r.Intn(len(fragments))])
		}
	}
	for range n {
		out.WriteString(pool[r.Intn(len(pool))])
	}
	out.WriteString([]string{"", "\nA\n", "\n  A\n", "\"\n", "\n}\n", "\nA\n}\n"}[r.Intn(6)])
	return out.String()
}

var (
	texts = flag.Int("texts", 3000, "how many random texts are parsed")
	seed  = flag.Int64("seed", 1, "of the random texts")
)

func TestSame(t *testing.T) {
	withLimits(t, tightest)
	r := rand.New(rand.NewSource(*seed))
	shortened := 0
	for range *texts {
		if checkSame(t, randomText(r)) {
			shortened++
		}
	}
	if shortened < *texts/4 {
		t.Errorf("%d of %d texts were shortened, which is too few for a test", shortened, *texts)
	}
}
