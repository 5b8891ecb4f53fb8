// Package excerpt limits the output of diagnostics: how many of a kind, how much of a text, and
// which part of a source line.
//
// A sensitive part of a source line is replaced by a word, and no line is shown of a file that is
// withheld as a whole.
package excerpt
