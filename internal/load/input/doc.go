// Package input reads regular files of bounded size, and no others: a named pipe, a
// device or a directory is refused before anything is read from it.
package input
