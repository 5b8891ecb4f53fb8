// Package child runs a program, passes on the signals that this process gets, and returns its status.
//
// In go a program with its arguments, directory and environment, and the streams for what it prints. A
// stream for a terminal is a terminal to the program, too. A program that stays in the background after
// the one that started it has ended does not hold the run up: its output is lost, which Run reports. The
// package refuses nothing, and prints nothing itself.
package child
