package changes

import "testing"

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
