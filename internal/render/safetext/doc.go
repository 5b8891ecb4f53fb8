// Package safetext makes text safe for destinations that act on it: a terminal, the log of a
// pipeline, XML and JSON.
//
// It accepts any text, even from files that nobody trusts, and returns text in which nothing is a
// control sequence or a command. It never refuses a text.
package safetext
