// Package lazyregexp compiles regular expressions when they are first asked for.
package lazyregexp
