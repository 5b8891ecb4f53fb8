package spelling

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agext/levenshtein"
)

// The distance equals the result of a library without a limit, or exceeds the limit.
func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := []rune("abcé")
		text := make([]rune, r.IntN(9))
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		return string(text)
	}
	for range 20_000 {
		a, b, most := word(), word(), r.IntN(6)
		want := min(levenshtein.Distance(a, b, nil), most+1)
		if got := editDistance(a, b, most); got != want {
			t.Fatalf("%q to %q, at most %d: %d, want %d", a, b, most, got, want)
		}
	}
}

// Names of any length are compared in no time.
func TestSimilarIsQuick(t *testing.T) {
	a, b := strings.Repeat("ab", 200_000), strings.Repeat("ba", 200_000)
	if got := Nearest(a+"x", []string{b, a}); got != a {
		t.Error("the nearest name is not found")
	}
	if got := Similar(a+"x", []string{b, a}, 2); len(got) != 2 {
		t.Errorf("%d names are similar, want 2", len(got))
	}
}
