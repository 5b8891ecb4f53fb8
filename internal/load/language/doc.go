// Package language knows what each release of each engine allows in a configuration
// file, and judges items by it.
//
// The knowledge is data: shapes of bodies with their arguments and nested blocks,
// the kind of value that each argument takes, and the releases in which that holds.
// Of gives the shape as one release has it; a Checker judges blocks by it and
// returns diagnostics in the order of the file. Kinds name the functions that judge
// a value of theirs.
//
// The package judges one file at a time. It combines nothing, and it computes
// nothing but the constants that an engine computes while it loads.
package language
