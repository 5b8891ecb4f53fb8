package engine

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The table has the 29,549 characters that came to names from Unicode 9 to 17. The library knows
// those of Unicode 17.
func TestLaterLetters(t *testing.T) {
	n := 0
	for r := range rune(utf8.MaxRune + 1) {
		if isLater(r) && hclsyntax.ValidIdentifier("a"+string(r)) {
			n++
		}
	}
	if n != 29549 {
		t.Errorf("%d characters are later ones", n)
	}
	for i, span := range laterLetters {
		if span[0] > span[1] || i > 0 && span[0] <= laterLetters[i-1][1] {
			t.Errorf("%U is not in order", span)
		}
	}
}

func TestUnknownLetter(t *testing.T) {
	older, newer := Release{OpenTofu, "1.12.6"}, Release{OpenTofu, "1.13.0-beta1"}
	for text, want := range map[string]int{
		"": -1, "plain": -1, "gr\u00f6\u00dfe": -1, "\u6f22\u5b57": -1, "\xff\xff": -1, "\U000105c0": 0, "a\U000105c0": 1,
		strings.Repeat("a", 100) + "\u00f6\U0002ceb0": 102, strings.Repeat("a", 15) + "\u0560": 15,
	} {
		if got := older.UnknownLetter([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
		if got := newer.UnknownLetter([]byte(text)); got != -1 {
			t.Errorf("%q: %d, in a release that knows all", text, got)
		}
	}
	if got := (Release{Terraform, "1.16.2"}).UnknownLetter([]byte("\U000105c0")); got != 0 {
		t.Errorf("Terraform: %d", got)
	}
}
