package spelling

import (
	"path"

	"golang.org/x/text/unicode/norm"
)

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
