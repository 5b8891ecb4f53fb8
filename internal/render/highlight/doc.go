// Package highlight colours configuration for people: native syntax by its tokens, and JSON as
// it is written.
//
// In goes text as it is printed elsewhere, and out comes the same text with colours between its
// bytes. What can't be parsed is coloured as far as it can be read.
package highlight
