// Package feature answers an editor's requests about a module: the effect of an override at a
// position, the source of a value, findings.
//
// The functions take a view, the name of a file and a position or a range, and return values of the
// protocol, nil if there is nothing to show. They have no state and do no I/O, so several
// goroutines may call them. They take time in proportion to the file or the item in question; facts
// about the whole module are computed once for each view (see index).
//
// They never show sensitive values, and escape text from a file for the output in which it is
// shown.
package feature
