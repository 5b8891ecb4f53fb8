package changes

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// What is more than one sequence is a string, whatever the sequences are, and is not parsed.
func TestMayBeWrapped(t *testing.T) {
	for text, want := range map[string]bool{
		`"${a}"`:               true,
		`"${ { a = 1 } }"`:     true,
		`"${~ a ~}"`:           true,
		"\"${a\n}\"":           true,
		`"${"${a}"}"`:          true,
		`"${a}${b}"`:           false,
		`"${"}"}${b}"`:         false,
		`"${a} "`:              true, // in doubt
		`"${a} b"`:             false,
		`"a${b}"`:              false,
		`{ a = "${b}${c}" }`:   false,
		`"${a}" == "${b}${c}"`: false,
	} {
		if got := mayBeWrapped([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A long string is compared by its tokens. What may have keys or elements is looked into, however
// long it is.
func TestIsLongString(t *testing.T) {
	long := strings.Repeat("${a}", equal.MaxConstant/4)
	for text, want := range map[string]bool{
		`"` + long + `"`:              true,
		"<<E\n" + long + "\nE":        true,
		`"${a}${b}"`:                  false,
		`"${"` + long + `"}"`:         false,
		`["` + long + `"]`:            false,
		`"${[1, "` + long + `", 2]}"`: false,
	} {
		if got := isLongString([]byte(text)); got != want {
			t.Errorf("%.20s: %v", text, got)
		}
	}
}
