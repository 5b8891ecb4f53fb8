// Package process controls the process of the program: an exit status that no crash can forge, a
// garbage collector that suits the size of the input, and whether another process still runs.
//
// It knows no command and prints nothing, except where the program can't be started at all.
package process
