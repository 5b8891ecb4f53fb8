// Package highlight colours configuration for people: native syntax by its tokens, and JSON as it
// is written.
//
// It returns the same text with colours between its bytes. Text that can't be parsed is coloured as
// far as it can be read.
package highlight
