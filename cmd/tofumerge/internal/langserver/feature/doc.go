// Package feature answers what editors ask about a module: what an override does at a
// place, where a value comes from, what is wrong.
//
// In go a view, the name of a file and a position or a range; out come values of the
// protocol, nil where there is nothing to say. The functions have no state and do no I/O,
// so several goroutines may call them. Their work is in proportion to the file or the item
// asked about; what takes a look at the whole module is worked out once for each view (see
// index).
//
// Values that are sensitive are never shown. What comes from a file is escaped for where it
// is shown.
package feature
