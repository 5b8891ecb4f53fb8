// Package terminal is what the program writes to: a stream for the result, which is held
// back until the run is likely to succeed, and one for people, with messages, colours and
// progress.
//
// In go the streams of a process and what the flags of all commands ask for. The package
// decides on colour and width, keeps messages and result apart on a terminal, and takes
// care that a pipeline acts on no message. It knows neither modules nor commands.
package terminal
