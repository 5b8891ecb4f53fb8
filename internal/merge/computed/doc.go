// Package computed holds the texts that no file has: what merging makes where the
// effective value is not what any file says.
//
// A Literal is either a value to be written out or the text of an argument with some
// stretches exchanged. Compose takes two type expressions and gives the optional
// attributes of one the defaults that they have in the other, as engines do; what can't
// be said so, the result says. Nothing is written here, and no value is converted.
package computed
