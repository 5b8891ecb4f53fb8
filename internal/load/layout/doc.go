// Package layout formats native text as "tofu fmt" does: Format formats a whole text, Align
// aligns the equals signs of arguments that are written one by one.
//
// Text is clean if the formatter would leave it unchanged.
package layout
