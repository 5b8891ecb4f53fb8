// Package rewrite makes the merge's changes to the files of a module, each in its own syntax, and
// writes override files.
//
// The bytes that a change doesn't reach stay. Files are texts here; nothing is written to the disk.
package rewrite
