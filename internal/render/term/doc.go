// Package term writes what people read in a terminal: diagnostics with their source
// lines, explanations, tables of files and of changed lines.
//
// In go what the commands found and a palette; out comes text in which nothing is a
// control sequence or, in the log of a pipeline, a command.
package term
