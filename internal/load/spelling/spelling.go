package spelling

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/text/unicode/norm"
)

// IsName reports whether a text can be a name. Names of plain letters, which most
// are, need no look into the tables of Unicode.
func IsName(s string) bool {
	for i := range len(s) {
		c := s[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c == '-' || c >= '0' && c <= '9')
		if !plain {
			return hclsyntax.ValidIdentifier(s)
		}
	}
	return s != ""
}

// IsNativeName reports whether native syntax can have a name without quotes. To the
// HCL library a name may begin with a byte order mark, which nothing can in a file.
func IsNativeName(s string) bool {
	return IsName(s) && !strings.HasPrefix(s, string(UTF8BOM))
}

var UTF8BOM = []byte("\xef\xbb\xbf")

// Nearest returns the candidate that resembles a name most, or "" where none
// comes close enough to be a slip of the fingers.
func Nearest(name string, candidates []string) string {
	best, found := 3, ""
	for _, c := range candidates {
		d := distance(name, c, best-1)
		if d < best && d < len(name) {
			best, found = d, c
		}
	}
	return found
}

// IsNear reports whether at most so many characters have to be added, removed or exchanged to
// make one name of another.
func IsNear(name, other string, most int) bool { return distance(name, other, most) <= most }

// maxMeant is from how many bytes on a longer name may not have more mistakes.
const maxMeant = 100

// Similar returns up to n candidates that may have been meant by a name: those
// that end or go on like it first, then those that resemble it, the nearest first.
func Similar(name string, candidates []string, n int) []string {
	type ranked struct {
		name string
		rank int
	}
	var found []ranked
	most := 2 + min(len(name), maxMeant)/4 // the time is quadratic in it
	for _, c := range candidates {
		rank := 1 + distance(name, c, most-1)
		switch {
		case strings.HasSuffix(c, "."+name):
			rank = 0
		case strings.HasPrefix(c, name+"."):
			rank = 1
		}
		if rank <= most {
			found = append(found, ranked{c, rank})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return a.rank - b.rank })
	var names []string
	for _, f := range found[:min(n, len(found))] {
		names = append(names, f.name)
	}
	return names
}

// distance is how many characters must be added, removed or exchanged to turn one name into
// another, or more than most if it exceeds most. The time is proportional to the length of the
// names times most, not to the product of both lengths.
func distance(a, b string, most int) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > most*utf8.UTFMax {
		return most + 1
	}
	from, to := []rune(a), []rune(b)
	if len(to)-len(from) > most || len(from)-len(to) > most {
		return most + 1
	}
	row := make([]int, len(to)+1) // from the first i of from to the first j of to
	for j := range row {
		row[j] = min(j, most+1)
	}
	for i := 1; i <= len(from); i++ {
		first, last := max(1, i-most), min(len(to), i+most)
		before := row[first-1] // of the row above, one to the left
		row[first-1] = min(i, most+1)
		if first > 1 {
			row[first-1] = most + 1
		}
		for j := first; j <= last; j++ {
			above := row[j]
			if j == i+most {
				above = most + 1
			}
			cost := before
			if from[i-1] != to[j-1] {
				cost = 1 + min(before, above, row[j-1])
			}
			before, row[j] = row[j], min(cost, most+1)
		}
	}
	return row[len(to)]
}

// Matches reports whether a pattern matches the name of a file, whichever of its forms
// Unicode has for its letters: macOS may list another one than was typed. A malformed
// pattern matches nothing.
func Matches(glob, name string) bool {
	ok, _ := path.Match(Normal(glob), Normal(name))
	return ok
}

// Normal is a text in the form that the engine gives to strings that it evaluates and to keys of
// objects: the Kelvin sign is a K there. Names of arguments, blocks, labels, variables and local
// values keep their form.
func Normal(text string) string { return norm.NFC.String(text) }
