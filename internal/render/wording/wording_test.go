package wording

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 blocks", 1: "1 block", 2: "2 blocks"} {
		if got := Count(n, "block"); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestSome(t *testing.T) {
	if got, want := Some([]string{"a", "b", "c", "d", "e"}, ", "), "a, b, c … 2 more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Some([]string{"a", "b", "c"}, "; "), "a; b; c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A name that could be taken for something else is quoted.
func TestPlaceOf(t *testing.T) {
	for name, want := range map[string]string{"main.tf": "main.tf:3", "a b.tf": `"a b.tf":3`, "": `"":3`, "ä.tf": `"ä.tf":3`, "a:1.tf": `"a:1.tf":3`} {
		if got := PlaceOf(hcl.Range{Filename: name, Start: hcl.Pos{Line: 3}}); got != want {
			t.Errorf("%q is at %s, want %s", name, got, want)
		}
	}
}
