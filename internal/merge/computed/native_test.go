package computed_test

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/zclconf/go-cty/cty"
)

func TestLiteralText(t *testing.T) {
	v := cty.ObjectVal(map[string]cty.Value{"b": cty.ListVal([]cty.Value{cty.True}), "a b": cty.StringVal("${x}")})
	want := "{\n  \"a b\" = \"$${x}\"\n  b     = [true]\n}"
	if got := string(computed.NativeText(&computed.Literal{Value: v})); got != want {
		t.Errorf("literal %q, want %q", got, want)
	}
}
