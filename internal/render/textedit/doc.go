// Package textedit exchanges stretches of a text, and finds its lines, their ends
// and their indentation.
//
// In go bytes and offsets; out come new bytes, never changes to those that were
// given. Of configuration the package knows no more than tokens: where heredocs are,
// whose bytes are values, and whether a text is laid out as hclwrite.Format does it.
package textedit
