// Package child runs a program, passes on the signals that this process gets, and returns its
// status.
//
// A Command is a program with its arguments, directory and environment, and the streams for its
// output. A stream for a terminal is a terminal to the program, too. A program that stays in the
// background after its parent has ended does not delay the run: its output is lost, which Run
// reports. The package refuses nothing, and prints nothing itself.
package child
