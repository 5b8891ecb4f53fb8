package jsontree

import (
	"testing"

	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Constants equal the results of the engine's own reader without anything to refer to.
func TestConstant(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `"a"`, `"${x} \u00e9 e\u0301 \n"`, `0`, `-1.5e3`, `1e-9`, `12345678901234567890123456789.5`,
		`[]`, `[1, "2", null, [true]]`, `{}`, `{"a": {"": 1}, "b c": []}`, `{"a": 1, "a": 2}`, `[{"a": [{"b": 1, "b": 1}]}]`,
		`1e99999999999`,
	} {
		src := []byte(`{"v": ` + text + `}`)
		f := &source.File{Name: "x.json", Raw: src}
		root, diags := Parse(f)
		theirs, refused := hcljson.Parse(src, "x.json")
		if diags.HasErrors() || refused.HasErrors() {
			if !diags.HasErrors() || !refused.HasErrors() {
				t.Errorf("%s: %v, but the reader %v", text, diags, refused)
			}
			continue
		}
		attrs, _ := theirs.Body.JustAttributes()
		want, refused := attrs["v"].Expr.Value(nil)
		for v := range root.Children() {
			got, diags := v.Constant(f)
			switch {
			case diags.HasErrors() != refused.HasErrors():
				t.Errorf("%s: %v, but the reader %v", text, diags, refused)
			case !diags.HasErrors() && !got.RawEquals(want):
				t.Errorf("%s is %#v, want %#v", text, got, want)
			}
		}
	}
}
