// Package parts reads the keys of objects and the elements of lists without evaluating anything
// but constants.
//
// Into it goes an argument; out come its parts as arguments at their places, and whether these are
// all (Of). A key is a word, a constant or a reference that stands for itself (Key). What merge and
// tomap make of objects in braces counts as one (MadeOf, WholeOf). Everything else that only the
// engine knows is not known here, and no key is evaluated that takes more work than to read it.
package parts
