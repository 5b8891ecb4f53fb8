// Package command holds the commands of the program, a file for each. A command turns its flags
// into options, selects modules through a workspace, and prints a view of them.
//
// Every function New… takes the workspace of a run and returns the command for the library. A
// command reaches modules only through the workspace, so a flag of a search, a revision or a format
// works in all commands or is refused in one function. Commands know neither the root of the
// program nor each other.
//
// Words completes the words of a command line for a shell. If anything fails, the shell gets
// nothing, because it shows no messages. The module may be anybody's, so time, memory and the number
// of words have bounds, and words that would act on a shell or a terminal are left out.
package command
