// Package input reads regular files of bounded size, and no others: a named pipe, a device or a
// directory is refused before anything is read from it.
//
// Given a path and a limit in bytes, it returns the bytes, or an error that explains the refusal.
package input
