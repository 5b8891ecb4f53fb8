package spelling

import (
	"path"

	"golang.org/x/text/unicode/norm"
)

// Matches reports whether a pattern matches the name of a file, whichever of its forms
// Unicode has for its letters: macOS may list another one than was typed. A malformed
// pattern matches nothing.
func Matches(glob, name string) bool {
	ok, _ := path.Match(norm.NFC.String(glob), norm.NFC.String(name))
	return ok
}
