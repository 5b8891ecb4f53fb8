// Package cli is the program: its commands and their flags, over the packages that find, load,
// merge and print modules.
//
// In go the arguments and the streams of a process; out comes the exit status. It refuses
// what no flag or argument can mean, with the words that help.
package cli
