package equal

import "testing"

// What texts say decides, not how they are laid out. Most are told apart without
// being turned into tokens.
func TestSameTokens(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"[1, 2]", "[1,2]", true},
		{"[1, 2]", "[1,\n2]", true},
		{"[1, 2]", "[12]", false},
		{"1 2", "12", false},
		{`"a b"`, `"ab"`, false},
		{"1 # one", "1", true},
		{"1 // one", "2 // one", false},
		{"/* */ 1", "1", true},
		{`"a # b"`, `"a # c"`, false},
		{"<<E\n  a\nE", "<<E\na\nE", false},
		{"", "", true},
	} {
		if got := sameTokens([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
