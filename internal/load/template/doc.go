// Package template splits templates into literal text and sequences, and writes literal text so
// that it contains no sequences.
//
// Split returns the Pieces of a template, from which Join makes a template again, with another
// escaping: together they turn a heredoc into a quoted string, and that into JSON. Templates with
// errors are not for this package.
package template
