// Package compare finds what differs between two readings of a module by two
// engines, and what a module means apart from how it is written.
//
// In go modules that keep the trees of the same blocks; out come names with what is in
// effect under them, as data. The package writes no text for people, and it does not
// decide which engines are compared.
package compare
