// Package computed holds the texts that no file contains: merging makes them if no file contains
// the effective value.
//
// A Literal is either a value to be written out or the text of an argument with some stretches
// replaced. Compose takes two type expressions and gives the optional attributes of one the
// defaults that they have in the other, as engines do; the result states which defaults can't be
// expressed. Nothing is written here, and no value is converted.
package computed
