// Package parallel calls a function for each of several things, several at a time,
// and hands a panic on to the caller with its stack.
package parallel
