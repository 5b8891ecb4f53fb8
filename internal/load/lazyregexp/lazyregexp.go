// Package lazyregexp compiles regular expressions on first use.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the regular expression for a text. It is compiled on the first call, because a
// run needs few of them, and compiling all takes as long as reading a small module.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
