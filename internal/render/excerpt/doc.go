// Package excerpt cuts what is shown of diagnostics: how many of a kind, how much of a
// text, and which part of a source line.
//
// What is sensitive in a source line is replaced by words that say so, and no line is
// shown of a file that is withheld as a whole.
package excerpt
