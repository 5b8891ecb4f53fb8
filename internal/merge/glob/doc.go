// Package glob matches addresses by patterns, an address as a whole or segment by
// segment on the way into blocks.
//
// A match takes time in proportion to the pattern times the address. Patterns with an
// empty segment are refused.
package glob
