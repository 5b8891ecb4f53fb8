// Package input reads regular files of bounded size, and no others: a named pipe, a
// device or a directory is refused before anything is read from it.
//
// In go a path and a limit in bytes; out come the bytes, or an error that says which of
// this was refused.
package input
