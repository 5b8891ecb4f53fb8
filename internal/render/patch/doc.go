// Package patch compares files line by line and writes the differences as a patch in the unified
// format.
//
// Its input is a text and edits to it, or two texts; only lines that edits touch are compared, so
// files may be of any size. The package does not know which files are compared, or how a merge
// changes them.
package patch
