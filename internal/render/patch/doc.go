// Package patch compares files line by line and writes what differs as a patch in the
// unified format.
//
// In go a text and edits to it, or two texts; only lines that edits touch are compared,
// so files may be of any size. Which files are compared, and what a merge makes of
// them, it does not know.
package patch
