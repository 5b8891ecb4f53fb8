// Package terminal holds the program's streams: one for the result, which is held back until the
// run is likely to succeed, and one for people, with messages, colours and progress.
//
// It wraps the streams of a process, as the flags of all commands require. The package decides on
// colour and width, keeps messages and result apart on a terminal, and takes care that no pipeline
// acts on a message. It knows neither modules nor commands.
package terminal
