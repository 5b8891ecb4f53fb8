package constant

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func TestSwitchOf(t *testing.T) {
	for text, want := range map[string]Switch{
		"true":          On,
		"false":         Off,
		`"true"`:        On, // engines convert it
		`"false"`:       Off,
		"!false":        On,
		"null":          Unclear,
		`"yes"`:         Unclear,
		"1":             Unclear,
		"var.sensitive": Unclear,
	} {
		src := []byte("a = " + text + "\n")
		parsed, diags := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		f := &source.File{Name: "main.tf", Raw: src, Native: src}
		a := source.NewBuilder(f).TopAttr(parsed.Body.(*hclsyntax.Body).Attributes["a"])
		if got := SwitchOf(a); got != want {
			t.Errorf("SwitchOf(%s) = %d, want %d", text, got, want)
		}
		if IsOn(a) != (want == On) {
			t.Errorf("IsOn(%s) is %t", text, IsOn(a))
		}
	}
	if got := SwitchOf(nil); got != unset {
		t.Errorf("SwitchOf(nil) = %d, want Unset", got)
	}
}
