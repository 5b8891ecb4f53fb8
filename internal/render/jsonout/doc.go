// Package jsonout writes a merged module in JSON syntax: a whole document, or the edits
// that make the merge's changes to a JSON file and leave the rest of its text alone.
//
// Values from JSON files keep their spelling, native expressions become templates as
// far as the place is read so. What JSON can't say is written as closely as it can be,
// and a warning says what is lost.
package jsonout
