// Package winners finds the overrides that decide on what is in effect in the blocks of
// primary files.
//
// In goes a merged module; out comes what the comments above these blocks are to name: the
// override files, and what they decide on in each block. Both package marker, which writes
// the comments, and package check, which asks for them, go by it.
package winners
