package render_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// Native syntax and JSON mean the same. Expressions are compared by structure, and JSON is read
// here by the specification, not by the program.

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
	want := loadtest.Structure(expr)
	inJSON := printed(t, map[string]string{"main.tf": text}, engine.Default(), asJSON)
	if !inJSON.ok {
		t.Fatalf("refused: %s\n%s", inJSON.errs, text)
	}
	var doc struct {
		Locals struct{ V json.RawMessage }
	}
	if err := json.Unmarshal([]byte(inJSON.out), &doc); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, jsonStructure(t, doc.Locals.V)); diff != "" {
		t.Fatalf("in JSON (-want +got):\n%s\n%s\n%s", diff, text, inJSON.out)
	}
	native := printed(t, map[string]string{"main.tf.json": inJSON.out}, engine.Default(), asNative)
	again, ok := exprOf(t, native.out)
	if !ok {
		t.Fatalf("not printed as it should be: %s%s\n%s", native.errs, native.out, inJSON.out)
	}
	if diff := cmp.Diff(want, loadtest.Structure(again)); diff != "" {
		t.Fatalf("native again (-want +got):\n%s\n%s\n%s\n%s", diff, text, inJSON.out, native.out)
	}
}

// Round trip: an expression is the same after native → JSON → native.
func TestExpressionsThroughJSON(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(rt, "seed"))
		value := g.Expression(4)
		rt.Logf("%s", value)
		throughJSON(t, "locals {\n  v = "+value+"\n}\n")
	})
}

// FuzzExpression takes any text for an expression through JSON and back.
func FuzzExpression(f *testing.F) {
	collectLate()
	for seed := range uint64(40) {
		f.Add(loadtest.NewGenerator(seed).Expression(3))
	}
	for _, value := range []string{`"\r$$${~ (1) ~}"`, `"a\r%%%{~ if b ~}${c}"`, "\"$$$${\\r$$${\""} {
		f.Add(value)
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
	native := printed(t, map[string]string{"main.tf.json": text}, engine.Default(), asNative)
	if !native.ok {
		if native.out != "" || native.errs == "" {
			t.Fatalf("refused with output %q and message %q", native.out, native.errs)
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
	if diff := cmp.Diff(want, loadtest.Structure(expr)); diff != "" {
		t.Fatalf("native (-want +got):\n%s\n%s\n%s", diff, text, native.out)
	}
	throughJSON(t, native.out)
}

// isSayable reports whether native syntax can express a JSON value: every string is a template, no
// object has a duplicate key, no number is too large for the engine, and nothing nests too deep.
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
			if _, diags := hclsyntax.ParseTemplate([]byte(tok), "", hcl.InitialPos); diags.HasErrors() || len(tok) > limits.MaxDepth {
				return false
			}
		}
	}
}

// FuzzJSONValue takes any JSON value through native syntax and back.
func FuzzJSONValue(f *testing.F) {
	collectLate()
	for seed := range uint64(40) {
		g := loadtest.NewGenerator(seed)
		quoted, _ := json.Marshal(g.Template(3, g.Lines))
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

// isTaken reports whether the engine's parser takes a value, which it may not if
// there are bytes in it that are not UTF-8.
func isTaken(value []byte) bool {
	_, diags := hcljson.Parse(fmt.Appendf(nil, `{"locals":{"v":%s}}`, value), "main.tf.json")
	return utf8.Valid(value) || !diags.HasErrors()
}

// Round trip: a JSON string is the same after JSON → native → JSON.
func TestStringsThroughNative(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(rt, "seed"))
		quoted, err := json.Marshal(g.Template(4, g.Lines))
		if err != nil {
			rt.Fatal(err)
		}
		rt.Logf("%s", quoted)
		throughNative(t, quoted)
	})
}

// To the engine, a byte order mark at the start of a JSON string isn't part of the text, while one
// in a quoted native string is.
func TestByteOrderMarks(t *testing.T) {
	for _, value := range []string{"\ufeffa", "\ufeff", "\ufeff\ufeffa ${var.x}", "a\ufeff", "\ufeff${var.x}", "\ufeffa ${max(1, 2)}\n"} {
		quoted, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		throughNative(t, quoted)
		throughJSON(t, "locals {\n  v = "+strconv.Quote(value)+"\n}\n")
	}
}

// jsonStructure is the structure of the expression that a JSON value is read
// as, by the rules of https://github.com/hashicorp/hcl/blob/main/json/spec.md.
func jsonStructure(t testing.TB, src []byte) string {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	return jsonNext(t, dec)
}

func jsonNext(t testing.TB, dec *json.Decoder) string {
	t.Helper()
	tok, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch tok := tok.(type) {
	case json.Delim:
		var out []string
		for dec.More() {
			item := jsonNext(t, dec)
			if tok == '{' {
				item += ": " + jsonNext(t, dec)
			}
			out = append(out, " "+item)
		}
		end, _ := dec.Token()
		return tok.String() + strings.Join(out, "") + end.(json.Delim).String()
	case json.Number:
		v, err := cty.ParseNumberVal(string(tok))
		if err != nil {
			t.Fatal(err)
		}
		return loadtest.Structure(&hclsyntax.LiteralValueExpr{Val: v})
	case string:
		e, diags := hclsyntax.ParseTemplate([]byte(tok), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%q isn't a template: %s", tok, diags)
		}
		return loadtest.Structure(e)
	case bool:
		return loadtest.Structure(&hclsyntax.LiteralValueExpr{Val: cty.BoolVal(tok)})
	}
	return "null"
}
