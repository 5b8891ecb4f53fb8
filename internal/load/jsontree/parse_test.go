package jsontree

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// FuzzParseJSON compares the reader of JSON with two others: it accepts the same texts as
// encoding/json, which the parser of the engine accepts, too; and every value that it finds is
// valid JSON on its own.
func FuzzParseJSON(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, ` {"a": [1, -0.5e+7, "x\u00e9\n", true, false, null, {"b": {}}]} `, `{"a":1,}`, `[1 2]`, `{"a" 1}`, `01`, `1.`, `-`, `"\x"`,
		"\"\t\"", "\xef\xbb\xbf{}", `{"a":1}x`, `nul`, `1e999999999999`, "[\"\xff\"]", `{"a":[}`, `{'a':1}`, `{"a"=1}`, "\"a\nb\"",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			t.Skip("one input is not worth that much time")
		}
		file := &source.File{Name: "f.tf.json", Raw: src}
		root, diags := Parse(file)
		beyond := diags.HasErrors() && (strings.Contains(diags[0].Detail, "number of this size") || diags[0].Summary == "Nesting too deep" || !utf8.Valid(src))
		if json.Valid(src) == diags.HasErrors() && !beyond {
			t.Fatalf("%q: valid %t, but: %v", src, json.Valid(src), diags)
		}
		if diags.HasErrors() {
			return
		}
		if root.Kind() == '{' {
			if _, diags := hcljson.Parse(src, "f.tf.json"); diags.HasErrors() {
				t.Fatalf("%q: the engine's parser refuses it: %s", src, diags)
			}
		}
		for i := range root.in.nodes {
			v := Value{root.in, uint32(i)}
			if !json.Valid(v.Raw()) {
				t.Fatalf("%q: %q is no value", src, v.Raw())
			}
		}
	})
}
