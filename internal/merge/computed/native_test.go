package computed

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

func TestLiteralText(t *testing.T) {
	v := cty.ObjectVal(map[string]cty.Value{"b": cty.ListVal([]cty.Value{cty.True}), "a b": cty.StringVal("${x}")})
	want := "{\n  \"a b\" = \"$${x}\"\n  b     = [true]\n}"
	if got := string(NativeText(&Literal{Value: v})); got != want {
		t.Errorf("literal %q, want %q", got, want)
	}
}
