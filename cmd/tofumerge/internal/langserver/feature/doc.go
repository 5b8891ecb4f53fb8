// Package feature answers what editors ask about a module: what an override does at a
// place, where a value comes from, what is wrong.
//
// The functions take a view, the name of a file and a position or a range, and return values
// of the protocol, nil if there is nothing to say. They have no state and do no I/O, so
// several goroutines may call them. They take time in proportion to the file or the item
// asked about; what needs the whole module is worked out once for each view (see index).
//
// They never show sensitive values, and escape what comes from a file for the place where it
// is shown.
package feature
