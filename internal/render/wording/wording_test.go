package wording_test

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/render/wording"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 blocks", 1: "1 block", 2: "2 blocks"} {
		if got := wording.Count(n, "block"); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestSome(t *testing.T) {
	if got, want := wording.Some([]string{"a", "b", "c", "d", "e"}, ", "), "a, b, c … 2 more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := wording.Some([]string{"a", "b", "c"}, "; "), "a; b; c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A long value is described by its kind and size.
func TestBrief(t *testing.T) {
	long := strings.Repeat("x", 61)
	for text, want := range map[string]string{
		`"a"`: `"a"`, "a\x1b": `a\x1b`, `"` + long + `"`: "a 63-column string", "[" + long + "]": "a 63-column list", long: "a 61-column expression",
		"{\n}": "a 2-line object", "<<E\nE": "a 0-line heredoc", "<<E\na\nE": "a 1-line heredoc",
		"<<E\n1\n2\n3\n4\n5\n6\n7\n8\nE": "an 8-line heredoc", strings.Repeat("ä", 60): strings.Repeat("ä", 60),
	} {
		if got := wording.Brief([]byte(text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
