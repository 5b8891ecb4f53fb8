// Package term writes text for people in a terminal: diagnostics with their source lines,
// explanations, tables of files and of changed lines.
//
// The text contains no control sequences except for the palette's and, in the log of a pipeline, no
// commands.
package term
