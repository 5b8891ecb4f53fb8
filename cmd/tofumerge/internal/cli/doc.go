// Package cli is the program: its commands and their flags, over the packages that find, load,
// merge and print modules.
//
// Run takes the arguments and the streams of a process and returns the exit status. It refuses
// arguments without a meaning, with a hint.
package cli
