// Package textedit exchanges stretches of a text, and finds its lines, their ends
// and their indentation.
package textedit
