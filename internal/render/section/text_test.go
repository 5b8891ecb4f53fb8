package section

import "testing"

func TestShellWord(t *testing.T) {
	for name, want := range map[string]string{
		"modules/web": "modules/web", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "-x": "./-x", "": ".", "~": "'~'", "a\nb": `'a b'`,
	} {
		if got := ModuleWord(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
}
