// Package layout lays native text out as "tofu fmt" does: Format a whole text, Align
// the equals signs of arguments that are written one by one.
package layout
