package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// Native syntax and JSON say the same. Expressions are compared by structure,
// and JSON is read here by the specification, not by the program.

// expression makes an expression of any construct of native syntax. deep says
// how many levels it may have.
func (g *generator) expression(deep int) string {
	if deep <= 0 {
		return g.pick("1", "0.1", "1e400", "123456789012345678901234567890.12345678901234567890", "-7", "true", "null", `""`, `"a"`, "var.a", "local.b_c", "x-y.z", "each.key", `"\u00e9\n\t\"\\"`)
	}
	inner := func() string { return g.expression(deep - 1 - g.IntN(2)) }
	switch g.IntN(20) {
	case 0:
		return inner() + g.pick(" + ", "*", " == ", " && ", "\n||", "%", " >= ") + inner()
	case 1:
		return "(" + inner() + g.pick(")", "\n)", " /* c */ )", " # c\n)")
	case 2:
		return "(" + inner() + ") ? " + inner() + " : " + inner()
	case 3:
		return "[" + inner() + g.pick(", ", ",\n  ", ", # c\n") + inner() + g.pick("", ",") + "]"
	case 4:
		return g.pick("[for v in ", "[for k, v in ") + inner() + " : " + inner() + g.pick("", " if v != null") + "]"
	case 5:
		return "{for k, v in " + inner() + " : " + inner() + " => " + inner() + g.pick("", "...", " if k") + "}"
	case 6:
		return g.pick("max", "provider::aws::arn_parse", "core::join") + "(" + inner() + g.pick("", "...", ", "+inner(), ",\n"+inner()) + ")"
	case 7:
		return g.pick("a.b", "var.l", "module.m[0].o") + g.pick("[*].c", ".*.c", "[*]", ".*.d[1]", `["k"]`, "[var.i]", "[each.key].x", ".0.y")
	case 8:
		return g.pick("!", "-") + g.pick("var.x", "(1 + 2)", "f()")
	case 9:
		return "(" + inner() + ")" + g.pick("[0]", ".a", "[*].b", `["${var.k}"]`)
	case 10, 11:
		return "{" + g.member(inner()) + g.pick(", ", "\n", "\n# c\n") + g.member(inner()) + "}"
	case 12, 13:
		return g.heredoc(deep)
	}
	return g.quoted(deep)
}

func (g *generator) member(value string) string {
	return g.pick("a", `"b c"`, "(var.k)", `"${var.k}"`, `"x-${var.k}"`, "d-e", "12", `"$${q}"`, "true", `"for"`, "if", "(null_resource.a.id)") + g.pick(" = ", ": ", "=") + value
}

// quoted makes a quoted template.
func (g *generator) quoted(deep int) string {
	return `"` + g.template(deep, g.chars) + `"`
}

func (g *generator) chars() string {
	return g.pick("", "a", " ", "  ", `\n`, `\t`, `\r\n`, `\\`, `\"`, "$", "%", "$$", "$${", "%%{", "$$${x}", "é", "🚀", `\u0000`, `\U0001F680`, `\u0024{`, "}", "{", "~", "'", "/", "<<EOT", "#", "//", `\n  \n`)
}

// lines makes text for a heredoc.
func (g *generator) lines() string {
	return g.pick("", "a", " ", "  b", "\n", "\n\n", "\n  x", "\t", `\`, `"`, "$", "%%{", "$${x}", "é", "# c", "\n \n", `\n`)
}

func (g *generator) template(deep int, text func() string) string {
	var out strings.Builder
	for range 1 + g.IntN(4) {
		out.WriteString(text())
		switch g.IntN(4) {
		case 0:
			out.WriteString(g.pick("${", "${~ ", "${ ") + g.expression(deep-2) + g.pick("}", " ~}", " }"))
		case 1:
			out.WriteString(g.pick("%{ if ", "%{~ if ") + g.expression(deep-3) + g.pick(" }", "~}") + text() + g.pick("", "%{ else }y", "%{~ else ~} z") + g.pick("%{ endif }", "%{~ endif ~}"))
		case 2:
			out.WriteString(g.pick("%{ for v in ", "%{ for k, v in ") + g.pick("var.l", "[1, 2]") + g.pick(" }", " ~}") + text() + "${v}" + text() + g.pick("%{ endfor }", "%{~ endfor ~}"))
		}
		out.WriteString(text())
	}
	return out.String()
}

// heredoc makes one in parentheses, so that anything may follow it.
func (g *generator) heredoc(deep int) string {
	body := g.template(deep, g.lines)
	body = strings.ReplaceAll(body, "<<", "< <")
	return "(" + g.pick("<<EOT\n", "<<-EOT\n") + body + g.pick("\nEOT\n)", "\n    EOT\n)")
}

// exprOf parses the value of an argument of a locals block.
func exprOf(t testing.TB, text string) (hclsyntax.Expression, bool) {
	t.Helper()
	f, diags := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, false
	}
	blocks := f.Body.(*hclsyntax.Body).Blocks
	if len(blocks) != 1 || blocks[0].Body.Attributes["v"] == nil || len(blocks[0].Body.Attributes) != 1 || len(blocks[0].Body.Blocks) > 0 {
		return nil, false
	}
	return blocks[0].Body.Attributes["v"].Expr, true
}

// throughJSON prints a locals block with one value in JSON, checks that this
// means the same, and prints that in native syntax again.
func throughJSON(t testing.TB, text string) {
	t.Helper()
	expr, ok := exprOf(t, text)
	if !ok {
		return
	}
	want := structure(expr)
	asJSON := renderInMemory(t, map[string]string{"main.tf": text}, "json")
	if asJSON.status != exitOK {
		t.Fatalf("refused: %s\n%s", asJSON.errs, text)
	}
	var doc struct {
		Locals struct{ V json.RawMessage }
	}
	if err := json.Unmarshal([]byte(asJSON.out), &doc); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, jsonStructure(t, doc.Locals.V)); diff != "" {
		t.Fatalf("in JSON (-want +got):\n%s\n%s\n%s", diff, text, asJSON.out)
	}
	native := renderInMemory(t, map[string]string{"main.tf.json": asJSON.out}, "hcl")
	again, ok := exprOf(t, native.out)
	if !ok {
		t.Fatalf("not printed as it should be: %s%s\n%s", native.errs, native.out, asJSON.out)
	}
	if diff := cmp.Diff(want, structure(again)); diff != "" {
		t.Fatalf("native again (-want +got):\n%s\n%s\n%s\n%s", diff, text, asJSON.out, native.out)
	}
}

// Round trip: an expression is the same after native → JSON → native.
func TestExpressionsThroughJSON(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := newGenerator(rapid.Uint64().Draw(rt, "seed"))
		value := g.expression(4)
		rt.Logf("%s", value)
		throughJSON(t, "locals {\n  v = "+value+"\n}\n")
	})
}

// FuzzExpression takes any text for an expression through JSON and back.
func FuzzExpression(f *testing.F) {
	collectLate()
	for seed := range uint64(40) {
		f.Add(newGenerator(seed).expression(3))
	}
	f.Fuzz(func(t *testing.T, value string) {
		if !utf8.ValidString(value) || len(value) > maxFuzzed {
			t.Skip("JSON has no such bytes, or too many of them")
		}
		throughJSON(t, "locals {\n  v = "+value+"\n}\n")
	})
}

// throughNative prints a JSON value of a local value in native syntax, checks
// that this means the same, and prints that in JSON again.
func throughNative(t testing.TB, value []byte) {
	t.Helper()
	text := fmt.Sprintf(`{"locals":{"v":%s}}`, value)
	native := renderInMemory(t, map[string]string{"main.tf.json": text}, "hcl")
	if native.status != exitOK {
		if native.out != "" || native.errs == "" {
			t.Fatalf("status %d with output %q and message %q", native.status, native.out, native.errs)
		}
		if isSayable(value) {
			t.Fatalf("refused: %s\n%s", native.errs, text)
		}
		return
	}
	want := jsonStructure(t, value)
	expr, ok := exprOf(t, native.out)
	if !ok {
		t.Fatalf("not printed as it should be: %s\n%s", native.out, text)
	}
	if diff := cmp.Diff(want, structure(expr)); diff != "" {
		t.Fatalf("native (-want +got):\n%s\n%s\n%s", diff, text, native.out)
	}
	throughJSON(t, native.out)
}

// isSayable tells JSON values that native syntax has words for: every string is
// a template, no object has a key twice, no number is too large for the engine,
// and nothing nests too deep.
func isSayable(value []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	var open []map[string]bool // keys of the objects at hand, nil for an array
	atKey := false
	for {
		tok, err := dec.Token()
		if err != nil {
			return true
		}
		inObject := len(open) > 0 && open[len(open)-1] != nil
		atKey = inObject && !atKey
		switch tok := tok.(type) {
		case json.Delim:
			switch tok {
			case '{':
				open, atKey = append(open, map[string]bool{}), false
			case '[':
				open, atKey = append(open, nil), false
			default:
				open, atKey = open[:len(open)-1], true
			}
			if len(open) > 500 {
				return false
			}
		case json.Number:
			if _, err := cty.ParseNumberVal(string(tok)); err != nil {
				return false
			}
		case string:
			if atKey {
				keys := open[len(open)-1]
				if keys[tok] {
					return false
				}
				keys[tok] = true
			}
			if _, diags := hclsyntax.ParseTemplate([]byte(tok), "", hcl.InitialPos); diags.HasErrors() || len(tok) > guard.MaxDepth {
				return false
			}
		}
	}
}

// FuzzJSONValue takes any JSON value through native syntax and back.
func FuzzJSONValue(f *testing.F) {
	collectLate()
	for seed := range uint64(40) {
		g := newGenerator(seed)
		quoted, _ := json.Marshal(g.template(3, g.lines))
		f.Add(quoted)
	}
	for _, value := range []string{`1E+5`, `-0`, `{"a": [null, {"${var.x}": "x\ny\n"}], "for": true}`, `"\ud800"`, `"$${a}$${"`, "\"\xff\"", `"${ a # b\n }"`, `"${<<EOT\na\nEOT\n}"`} {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		if len(value) <= maxFuzzed && json.Valid(value) && isTaken(value) {
			throughNative(t, value)
		}
	})
}

// isTaken tells whether the engine's parser takes a value, which it may not if
// there are bytes in it that are not UTF-8.
func isTaken(value []byte) bool {
	_, diags := hcljson.Parse(fmt.Appendf(nil, `{"locals":{"v":%s}}`, value), "main.tf.json")
	return utf8.Valid(value) || !diags.HasErrors()
}

// Round trip: a JSON string is the same after JSON → native → JSON.
func TestStringsThroughNative(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := newGenerator(rapid.Uint64().Draw(rt, "seed"))
		quoted, err := json.Marshal(g.template(4, g.lines))
		if err != nil {
			rt.Fatal(err)
		}
		rt.Logf("%s", quoted)
		throughNative(t, quoted)
	})
}
