// Package annotate puts marks into native text: comments that say what overrides
// did.
//
// In go the text of one top-level block as it is printed without marks and what the
// plan says of the block; out comes the text with marks, laid out again if it was.
// Taking the comments away gives the text again. A text that can't be parsed comes
// back as it was.
package annotate
