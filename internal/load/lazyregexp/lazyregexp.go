// Package lazyregexp compiles regular expressions on first use.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns a regular expression, compiled on the first call.
// Most runs need few of them, and to compile them all takes as long as to read a
// small module.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
