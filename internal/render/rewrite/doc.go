// Package rewrite makes the merge's changes to the files of a module, each in its own syntax, and
// writes override files.
//
// The bytes that a change doesn't reach stay; new properties of JSON take the layout of their
// neighbours. CarryComments adds the comments that tools act on from overrides to flattened files.
// Files are texts here; nothing is written to the disk.
package rewrite
