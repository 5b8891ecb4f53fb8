// Package lazyregexp compiles regular expressions on first use.
package lazyregexp
