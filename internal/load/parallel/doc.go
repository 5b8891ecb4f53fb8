// Package parallel calls a function for each of several indexes, several at a time, and passes a
// panic on to the caller with its stack.
package parallel
