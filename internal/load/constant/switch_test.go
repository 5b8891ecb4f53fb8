package constant

import (
	"testing"
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
		a := attr(t, text)
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
