// Package template splits templates into literal text and sequences, and writes
// literal text so that it has none.
//
// In goes the text of a template; out come Pieces, which Join makes a template of
// again, with another escaping: Split and Join lead from a heredoc to a quoted string and
// from there to JSON. Templates with errors are not for this package.
package template
