// Package command holds the commands of the program, a file for each. A command turns its flags
// into options, selects modules through a workspace, and prints a view of them.
//
// Every function New… takes the workspace of a run and returns the command for the library. A
// command reaches modules only through the workspace, so a flag of a search, a revision or a format
// works in all commands or is refused in one function. Commands know neither the root of the
// program nor each other.
package command
