// Package process controls processes. Of the program's own: an exit status that no crash can forge,
// a garbage collector that suits the size of the input, and which build of the program runs. Of
// others: a Command runs a program, passes on the signals that this process gets, and returns its
// status; WaitFor waits for one.
//
// A stream for a terminal is a terminal to a Command, too. A program that stays in the background
// after its parent has ended does not delay the run: its output is lost, which Run reports. The
// package knows no command of ours and prints nothing, except where the program can't be started at
// all.
package process
