package diag

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// A name that could be taken for something else is quoted.
func TestPlace(t *testing.T) {
	for name, want := range map[string]string{"main.tf": "main.tf:3", "a b.tf": `"a b.tf":3`, "": `"":3`, "ä.tf": `"ä.tf":3`, "a:1.tf": `"a:1.tf":3`} {
		if got := Place(hcl.Range{Filename: name, Start: hcl.Pos{Line: 3}}); got != want {
			t.Errorf("%q is at %s, want %s", name, got, want)
		}
	}
}

func TestJoined(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := Joined(words, "or"); got != want {
			t.Errorf("%v is %q", words, got)
		}
	}
}
