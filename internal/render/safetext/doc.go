// Package safetext makes text safe to be written where it is acted on: a
// terminal, the log of a pipeline, XML and JSON.
//
// In goes any text, also from files that nobody trusts; out comes text in which
// nothing is a control sequence or a command. It is never refused.
package safetext
