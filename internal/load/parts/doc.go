// Package parts reads the keys of objects and the elements of lists without evaluating anything but
// constants.
//
// Given an argument, it returns its parts as arguments at their positions, and whether these are
// all (Of). A key is a word, a constant or a reference that stands for itself (Key). The results of
// merge and tomap for objects in braces are treated as objects (MadeOf, WholeOf). Everything else
// that only the engine can compute stays unknown, and no key is evaluated that takes more work than
// reading it.
package parts
