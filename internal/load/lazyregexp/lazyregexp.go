package lazyregexp

import (
	"regexp"
	"sync"
)

// Pattern gives a regular expression that is compiled when it is first asked for.
// Most runs need few of them, and to compile them all takes as long as to read a
// small module.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
