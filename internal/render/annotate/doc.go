// Package annotate puts marks into native text: comments that describe the effects of overrides.
//
// Given the text of one top-level block as it is printed without marks and the block's plan, it
// returns the text with marks, formatted again if it was formatted. Removing the comments restores
// the text. A text that can't be parsed is returned unchanged.
package annotate
