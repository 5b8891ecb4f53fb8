// Package editor analyses modules for the language server: it finds what check finds, in the
// texts that an editor has open, and edits that are proved by merging again.
//
// In go the flags of the server and the settings of an editor; out come views of modules. The
// package keeps what costs time from one analysis to the next, and prints nothing.
package editor
