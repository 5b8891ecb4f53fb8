// Package section lays out a module for people to look at: rows of its effective configuration with
// a colour for each override file, the earlier values, and the findings of check.
//
// A section is data: package webpage writes it as HTML, and the playground draws it in a
// browser. Its size is limited by Options.Room, and it mentions what it leaves out. Values that must
// not be shown are hidden, and text with characters that aren't printable is written out.
package section
