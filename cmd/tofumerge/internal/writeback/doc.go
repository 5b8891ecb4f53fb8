// Package writeback writes the result of a command: into a file that -o names, into the files of a
// module in place, or into a new directory.
//
// It takes a merged module and the new texts of its files. It refuses an output that would become
// an input, a directory that isn't empty, and a step after which the engine would see another
// module. The output appears as a whole or not at all; package replace takes care of that. It
// prints nothing: warnings are passed to a function.
package writeback
