package jsontree

import "testing"

func TestOfString(t *testing.T) {
	for text, want := range map[string]Reading{"key_provider.static.k": AsBareReference, "a": AsBareReference, "${a}": AsTemplate, "a b": AsTemplate, "": AsTemplate} {
		if got := AsReferenceOrTemplate.OfString(text); got != want {
			t.Errorf("%q is read as %d", text, got)
		}
	}
	if AsText.OfString("a.b") != AsText {
		t.Error("a text is read as something else")
	}
}

func TestWithin(t *testing.T) {
	if AsReferenceOrTemplate.Within() != AsTemplate || AsSource.Within() != AsSource {
		t.Error("only a reference or a template is read otherwise inside of a collection")
	}
}

func TestIsNative(t *testing.T) {
	for r, want := range map[Reading]bool{AsReference: true, AsBareReference: true, AsSource: true, AsTemplate: false, AsText: false, AsRequirement: false} {
		if r.IsNative() != want {
			t.Errorf("%d: %t", r, !want)
		}
	}
}
