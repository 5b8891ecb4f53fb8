// Package enginechoice decides which release of which engine is followed for a module.
//
// From the user's wishes and a Reader it makes a Choice, with the reason. A Reader finds files
// where the module is: on the disk, in an editor that has unsaved texts of them, or in a tree of a
// repository. It looks for the same files in the same order everywhere, so a module has the same
// engine wherever it is read.
//
// A version file is written to choose a release, so one that names none is an error. Other files
// are for other programs: one that can't be read or understood decides nothing, and Choice.Doubts
// or Choice.Passed reports it. The package prints nothing and runs no program.
package enginechoice
