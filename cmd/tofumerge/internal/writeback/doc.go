// Package writeback writes what a command made: into a file that -o names, into the files of
// a module in place, or into a new directory.
//
// In go a merged module and the new texts of its files. It refuses an output that would
// become an input, a directory that holds something, and a step after which the engine would
// see another module. What is written is there as a whole or not at all; package replace
// takes care of that. It prints nothing: warnings go to a function.
package writeback
