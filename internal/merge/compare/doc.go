// Package compare finds the differences between two readings of a module by two engines, and the
// meaning of a module apart from its spelling.
//
// From modules that keep the trees of the same blocks, it returns names with their effective items,
// as data. The package writes no text for people, and it does not decide which engines are
// compared.
package compare
